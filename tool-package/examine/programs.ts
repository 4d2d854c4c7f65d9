/** Which files of a package run together, as far as evidence goes: in doubt, all of them. */
import type { EntryInspection, ImportUse } from '../inspect/types.ts';
import { isSourcePath } from '../source/parse.ts';
import type { EvidenceInput } from './evidence.ts';

/** Paths, sorted. */
export type Program = ReadonlySet<string>;
export type Programs = {
  /** Everything but documents. */
  readonly all: Program;
  /** One for each entry; the very `all` where an entry can reach any file. */
  readonly ofEntries: readonly Program[];
};

/**
 * What an entry loads is one program: a value can come to the place of a finding from any of its files, the callers among
 * them, so that following the imports of one file would be too little. A program that can reach other files as it runs
 * (reads, commands, modules without a constant name), or whose imports are not known, is taken to be all files.
 */
export function programsOf({ record, sources, inspections }: EvidenceInput): Programs {
  const paths = record.files.map((file) => file.path).sort();
  const named = namedDocuments(paths, sources);
  const all = new Set(paths.filter((path) => !isDocument(path) || named.has(path)));
  const opens = once((path: string) => opensOthers(sources.get(path)));
  const ofEntries = [...new Set(inspections.map(({ entry }) => entry))].map((entry) => {
    const own = inspections.filter((inspection) => inspection.entry === entry);
    const loaded = [entry, ...own.flatMap(({ imports }) => imports.flatMap(({ target }) => target ?? []))];
    if (own.some(isOpen) || loaded.some(opens)) return all;
    return new Set([...loaded, 'package.json'].sort());
  });
  return { all, ofEntries };
}

const isOpen = ({ problem, imports }: EntryInspection): boolean => problem !== null || imports.some(canReachFiles);

/** Modules that read no file and run no command. */
const CLOSED_MODULES =
  /^(?:node:)?(?:assert|async_hooks|buffer|console|crypto|dns|events|https?|http2|net|os|path|perf_hooks|punycode|querystring|readline|stream|string_decoder|timers|tls|tty|url|util|zlib)(?:\/(?:promises|posix|win32|web|strict))?$/;
const CLOSED_HOSTS = /^(?:typebox|@sinclair\/typebox|zod|@(?:slopcode|opencode)-ai\/plugin|@[a-z]+\/pi-ai)(?:\/|$)/;

/** An npm package, and pi's own, may do anything. */
function canReachFiles({ kind, specifier }: ImportUse): boolean {
  if (kind === 'relative') return false;
  if (kind === 'node') return !CLOSED_MODULES.test(specifier);
  return kind !== 'host' || !CLOSED_HOSTS.test(specifier);
}

/** Ways to files, commands and code that no import names. */
const OPENS =
  /\b(?:eval|Function|createRequire|getBuiltinModule|dlopen|binding|Bun|Deno|Worker|WebAssembly|exec)\b|\.\s{0,9}(?:constructor|require)\b|['"`]constructor|\b(?:import|require)\s{0,9}\((?!\s{0,9}(['"])[^'"\\]{0,300}\1\s{0,9}[,)])/;

/** The same ways, with the name hidden: a global asked by a computed name or handed on, names put together or written as escapes. */
const OPENS_HIDDEN =
  /\bmainModule\b|\b(?:globalThis|global|process)\s{0,9}(?:(?:\?\.\s{0,9})?[[,;)}\]]|$)|\[\s{0,9}['"`][^'"`\n]{0,80}['"`]\s{0,9}[+.]|\[\s{0,9}`[^`\n]{0,80}\$\{|\\u(?:00[4-7][0-9a-f]|\{0{0,4}[4-7][0-9a-f]\})/im;

const opensOthers = (bytes: Uint8Array | undefined): boolean => {
  if (bytes === undefined) return true;
  const text = Buffer.from(bytes).toString('utf8');
  return OPENS.test(text) || OPENS_HIDDEN.test(text);
};

const DOCUMENT =
  /(?:^|\/)(?:[^/]*\.(?:md|markdown|rst|adoc)|(?:readme|changelog|changes|history|licen[cs]e|notice|authors|contributors|copying)(?:\.txt)?)$/i;

/** A file for people, by its name. */
export const isDocument = (path: string): boolean => DOCUMENT.test(path);

/** The search below takes so many steps at most; beyond, documents count like any file. */
const MAX_SEARCHED_BYTES = 64 * 1024 * 1024;

/** Text that is run as code: where it comes from can be put together, so that no document is named. */
const RUNS_TEXT =
  /\b(?:eval|Function|WebAssembly)\b|['"`]constructor|\bimport\s{0,9}\((?!\s{0,9}(['"])[^'"\\]{0,300}\1\s{0,9}[,)])/;

/** Documents that a source names: they may be what it reads and runs. All of them where any text may be run. */
function namedDocuments(paths: readonly string[], sources: EvidenceInput['sources']): ReadonlySet<string> {
  const documents = paths.filter(isDocument);
  const texts = paths.filter(isSourcePath).map((path) => sources.get(path) ?? new Uint8Array());
  const bytes = texts.reduce((sum, text) => sum + text.byteLength, 0);
  if (bytes * documents.length > MAX_SEARCHED_BYTES) return new Set(documents);
  const text = texts.map((each) => Buffer.from(each).toString('utf8').toLowerCase()).join('\n');
  if (texts.some((each) => RUNS_TEXT.test(Buffer.from(each).toString('utf8')))) return new Set(documents);
  return new Set(documents.filter((path) => text.includes(path.slice(path.lastIndexOf('/') + 1).toLowerCase())));
}

const once = (answer: (path: string) => boolean): ((path: string) => boolean) => {
  const known = new Map<string, boolean>();
  return (path) => {
    const found = known.get(path) ?? answer(path);
    known.set(path, found);
    return found;
  };
};
