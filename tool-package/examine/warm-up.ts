/** Examines a tiny package, so that the first real one finds everything loaded and compiled. */
import { makeArchive } from '../archive/write.ts';
import { examineBytes } from './examine-package.ts';
import type { ExamineRequest } from './types.ts';

const SOURCE = `import { Type } from 'typebox';
export default (pi) => pi.registerTool({ name: 'warm', label: 'Warm', description: 'Warms up', parameters: Type.Object({}), async execute() { return { content: [] }; } });`;
const PACKAGE_JSON = '{"name":"warm","version":"1.0.0","pi":{"extensions":["./index.ts"]}}';

const REQUEST: ExamineRequest = { kind: 'archive', path: '', known: [], giveUp: null, previous: null };
const SILENT = { onEntry: () => undefined, onEntryDone: () => undefined };

export async function warmUp(): Promise<void> {
  const archive = makeArchive([
    { path: 'index.ts', bytes: Buffer.from(SOURCE) },
    { path: 'package.json', bytes: Buffer.from(PACKAGE_JSON) },
  ]);
  await examineBytes(archive, REQUEST, SILENT);
}
