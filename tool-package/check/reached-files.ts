/** Files that a tool can come to run: what its entries load, and what these name. */
import { findImported, isRelative, listImports } from '../source/imports.ts';
import type { SourceFile } from '../source/parse.ts';
import { startOf } from '../source/run-uses.ts';
import { programName } from '../source/shell-command.ts';
import type { Analysis } from '../source/types.ts';
import { knownText, onlyText } from '../source/value.ts';
import type { Facts } from './types.ts';

const LOADS = new Set(['import', 'global.require', 'node:worker_threads.Worker', 'node:child_process.fork']);
const INTERPRETERS = /^(?:node|bun|deno|tsx|ts-node|npm|npx|pnpm|yarn|python3?|sh|bash|zsh|pwsh|powershell)$/;
const MAX_FILES = 300;

/** Null where that cannot be told: no entry was inspected, or a file is loaded or run whose name is computed. */
export function reachedFiles(facts: Facts, analysis: Analysis): ReadonlySet<string> | null {
  if (facts.inspections.length === 0 || facts.listParsed().length > MAX_FILES) return null;
  const reached = new Set(
    facts.inspections.flatMap(({ entry, imports }) => [entry, ...imports.flatMap(({ target }) => target ?? [])]),
  );
  for (const target of analysis.program.aliases.values()) reached.add(target.replace(/^\.\//, ''));
  const parsed = new Map(facts.listParsed().map((source) => [source.path, source]));
  for (const file of reached) {
    const source = parsed.get(file);
    for (const target of source === undefined ? [] : linkedFrom(source, facts)) reached.add(target);
  }
  return analysis.calls.some((call) => reached.has(call.file) && loadsAnything(call)) ? null : reached;
}

/** What a file imports, and the sources whose names stand in it. */
function linkedFrom(source: SourceFile, facts: Facts): string[] {
  const imported = listImports(source).flatMap(({ specifier }) =>
    isRelative(specifier) ? (findImported(source.path, specifier, (path) => facts.paths.has(path)) ?? []) : [],
  );
  const named = facts.listParsed().filter(({ path }) => source.text.includes(baseName(path)));
  return [...imported, ...named.map(({ path }) => path)];
}

const baseName = (path: string): string => path.slice(path.lastIndexOf('/') + 1);

/** A module, a worker or a script whose name is not a constant. */
function loadsAnything(call: Analysis['calls'][number]): boolean {
  if (LOADS.has(call.path)) return onlyText(call.args[0]) === null;
  return startOf(call)?.command.some((value) => INTERPRETERS.test(programName(knownText(value) ?? ''))) ?? false;
}
