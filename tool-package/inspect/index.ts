/** Inspection: what an archive's entries register. Runs INSIDE the examining child process, never in a server. */
import type { Agent } from '../../schemas/common.ts';
import { inspectEntry } from './inspect-entry.ts';
import type { EntryInspection, InspectionInput } from './types.ts';

export { warmBundles } from './host-bundles.ts';
export { inspectEntry } from './inspect-entry.ts';
export type * from './types.ts';

export type EntryName = { agent: Agent; entry: string };

/** All entries, one after the other; a bad one does not hide the others. */
export async function inspectPackage(
  input: InspectionInput,
  entries: readonly EntryName[],
): Promise<EntryInspection[]> {
  const inspections: EntryInspection[] = [];
  for (const { agent, entry } of entries) inspections.push(await inspectEntry(agent, entry, input));
  return inspections;
}
