/** The inspection of an entry that could not be inspected; light, since the parent needs it too. */
import type { EntryInspection, ProblemKind } from '../inspect/types.ts';
import type { EntryId } from './types.ts';

const WHY: Readonly<Record<ProblemKind, string>> = {
  time: 'the inspection of the package took too long',
  memory: 'the inspection of the package used too much memory',
  syntax: 'the entry does not parse',
  throws: 'the entry throws when it is loaded',
  'load-failed': 'the entry does not load',
  'not-analysed': 'the entry was not analysed',
  'no-default-function': 'the entry has no default-exported function',
};

export function unreadEntry({ agent, entry }: EntryId, kind: ProblemKind): EntryInspection {
  const problem = { kind, message: WHY[kind], file: entry, line: null };
  return { agent, entry, tools: [], otherExports: [], imports: [], problem };
}
