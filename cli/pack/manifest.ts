/** The manifest of a package before any registry has seen it: the same examination that the registry makes. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Manifest, ManifestRecord } from '../../schemas/manifest.ts';
import { recordDigest } from '../../tool-package/canonical.ts';
import type { Interrupts } from '../command.ts';

/** Examines archive bytes in a child process. Throws what the archive reader throws; a failed inspection is a finding. */
export const examineBytes = async (
  bytes: Uint8Array,
  { onInterrupt }: Pick<Interrupts, 'onInterrupt'>,
): Promise<Manifest> => {
  const { examineArchive } = await import('../../tool-package/examine/index.ts');
  const folder = await mkdtemp(join(tmpdir(), 'pi-tools-examine-'));
  const remove = () => rm(folder, { recursive: true, force: true });
  const done = onInterrupt(remove);
  try {
    const file = join(folder, 'package.tgz');
    await writeFile(file, bytes, { mode: 0o600 });
    const { record, findings, ruleSet } = await examineArchive(file);
    return { record, recordDigest: recordDigest(record), status: localStatus(record, findings, ruleSet) };
  } finally {
    done();
    await remove();
  }
};

const localStatus = (
  record: ManifestRecord,
  findings: Manifest['status']['findings'],
  ruleSet: string,
): Manifest['status'] => ({
  state: 'pending',
  stateReason: null,
  ruleSet,
  findings,
  waivers: [],
  tokens: countTokens(record),
  yanked: null,
  deprecated: null,
  advisories: [],
});

/** Each definition once: a package for two agents usually offers the same tool to both. */
const countTokens = (record: ManifestRecord): number => {
  const tokens = new Map<string, number>();
  for (const agent of Object.values(record.agents)) {
    for (const tool of agent?.tools ?? []) tokens.set(tool.definitionHash, tool.tokens);
  }
  return [...tokens.values()].reduce((sum, one) => sum + one, 0);
};
