/** The tools of extensions that pi-tools did not install, found by inspection; results are kept by the content's hash. */
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import type { Agent } from '../../schemas/agents.ts';
import { writeAtomic } from '../state/atomic-write.ts';
import { hashFile, listTree } from '../state/folders.ts';
import { examineExtension, type InspectedExtension } from './examine.ts';

const FORMAT = 'inspect-1';
const MAX_FILES = 2000;
const RELATIVE = /["'`](\.{1,2}\/[^"'`\n]+)["'`]/g;
const ENDINGS = ['', '.ts', '.js', '/index.ts', '/index.js'];

/** A file and what it imports from its neighbourhood: a changed helper may register another name. */
function filesReachedFrom(file: string): string[] {
  const reached = new Set<string>();
  const open = [file];
  for (let next = open.pop(); next !== undefined && reached.size < MAX_FILES; next = open.pop()) {
    if (reached.has(next)) continue;
    reached.add(next);
    open.push(...importsOf(next));
  }
  return [...reached].sort();
}

function importsOf(file: string): string[] {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch {
    return [];
  }
  return [...text.matchAll(RELATIVE)].flatMap(([, path = '']) =>
    ENDINGS.map((ending) => resolve(dirname(file), path.replace(/\.js$/, '') + ending)).filter(isFile),
  );
}

const isFile = (path: string): boolean => {
  try {
    return statSync(path).isFile();
  } catch {
    return false;
  }
};

function keyOf(path: string, agent: Agent): string {
  const files = isFile(path)
    ? filesReachedFrom(path)
    : listTree(path)
        .filter((inner) => !/(?:^|\/)(?:node_modules|\.git)\//.test(inner))
        .slice(0, MAX_FILES)
        .map((inner) => join(path, inner));
  const hash = createHash('sha256').update(`${FORMAT} ${agent} ${path}\n`);
  for (const file of files) hash.update(`${file} ${hashFile(file) ?? '-'}\n`);
  return hash.digest('hex');
}

function findKept(file: string): InspectedExtension | undefined {
  try {
    const value = JSON.parse(readFileSync(file, 'utf8')) as InspectedExtension;
    return Array.isArray(value.tools) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** `read`: results are used and none is kept (`--dry-run`). */
export type InspectCache = { readonly folder: string; readonly mode: 'write' | 'read' };

/** Inspects a file or folder as the agent would load it. Never throws for what is in it: `problem` says why it could not be read. */
export async function inspectCached(path: string, agent: Agent, cache: InspectCache): Promise<InspectedExtension> {
  const file = join(cache.folder, 'inspect', `${keyOf(path, agent)}.json`);
  const kept = findKept(file);
  if (kept !== undefined) return kept;
  const found = await examineExtension(path, agent);
  // What could not be read may be readable next time (a busy machine).
  if (found.problem !== null || cache.mode === 'read') return found;
  try {
    mkdirSync(dirname(file), { recursive: true });
    writeAtomic(file, JSON.stringify(found), { id: String(process.pid) });
  } catch {
    // A cache that cannot be written only costs time.
  }
  return found;
}
