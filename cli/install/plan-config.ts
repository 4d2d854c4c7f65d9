/** The configuration of SlopCode and opencode: left alone, unless it hides a new tool; then the exact change, with consent. */
import { existsSync, readFileSync } from 'node:fs';
import { join, sep } from 'node:path';
import { findHiding, type Hiding, listConfigFiles, showingText, showTool, unshowTool } from '../agents/deny.ts';
import { OPENCODE } from '../agents/opencode.ts';
import { SLOPCODE } from '../agents/slopcode.ts';
import type { ToolHost } from '../agents/tool-files.ts';
import type { ConfigRecord, State } from '../state/state-file.ts';
import type { RootChange } from './change.ts';
import { inRoot } from './journal.ts';
import type { Question } from './plan-settings.ts';
import type { World } from './world.ts';

const HOSTS: readonly ToolHost[] = [SLOPCODE, OPENCODE];

/** The text that the change has for a file so far, else the one on disk. */
const textOf = (change: RootChange, file: string): string =>
  change.files.find((one) => one.file === file)?.bytes?.toString('utf8') ?? readFileSync(file, 'utf8');

function putText(change: RootChange, file: string, text: string): void {
  const present = change.files.find((one) => one.file === file);
  if (present !== undefined) present.bytes = Buffer.from(text);
  else change.files.push({ file, bytes: Buffer.from(text) });
}

const also = (change: RootChange, more: (state: State) => void): void => {
  const { keep } = change;
  change.keep = (state) => {
    keep(state);
    more(state);
  };
};

function show(change: RootChange, hiding: Hiding, tool: string): void {
  putText(change, hiding.file, showTool(textOf(change, hiding.file), hiding, tool));
  const record: ConfigRecord = { file: inRoot(change.root, hiding.file), tool, key: hiding.key, whole: hiding.whole };
  also(change, (state) => void state.config.push(record));
}

const question = (change: RootChange, hiding: Hiding, tool: string, host: ToolHost): Question => ({
  ask: `${host.agent}'s configuration hides \`${tool}\`. Change it: ${showingText(hiding, tool)}?`,
  otherwise: `${host.agent}'s configuration hides \`${tool}\`; this shows it: ${showingText(hiding, tool)}`,
  agree: () => show(change, hiding, tool),
});

/** Tools of the change that a configuration hides: a question where the file belongs to the root, else a warning with the change to make. */
export function askConfig(world: World, change: RootChange): { questions: Question[]; warnings: string[] } {
  const { environment } = world;
  const questions: Question[] = [];
  const warnings: string[] = [];
  for (const host of HOSTS) {
    const rows = change.rows.filter(({ action, target }) => action !== 'remove' && target.startsWith(`${host.agent}/`));
    const files = rows.length === 0 ? [] : listConfigFiles(host, environment, environment.cwd);
    for (const tool of new Set(rows.flatMap(({ tools }) => tools))) {
      const hiding = findHiding(files, tool);
      if (hiding === undefined) continue;
      const one = question(change, hiding, tool, host);
      if (hiding.file.startsWith(change.root.folder + sep)) questions.push(one);
      else warnings.push(one.otherwise);
    }
  }
  return { questions, warnings };
}

/** Takes back what was put into a configuration for tools that no package gives any more. */
export function planConfigRemoval(change: RootChange, state: State): void {
  const left = new Set(
    Object.values(change.lock.packages).flatMap(({ targets }) =>
      Object.entries(targets).flatMap(([target, { tools }]) => (target.startsWith('pi/') ? [] : tools)),
    ),
  );
  const gone = state.config.filter(({ tool }) => !left.has(tool));
  for (const { file, tool, key, whole } of gone) {
    const path = join(change.root.folder, ...file.split('/'));
    if (!existsSync(path)) continue;
    const text = textOf(change, path);
    const next = unshowTool(text, { file: path, key, whole }, tool);
    if (next !== text) putText(change, path, next);
  }
  if (gone.length === 0) return;
  also(change, (kept) => {
    kept.config = kept.config.filter(({ tool }) => left.has(tool));
  });
}
