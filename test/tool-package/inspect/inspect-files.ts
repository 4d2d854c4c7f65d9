/** Inspects files given as text, as an archive would hold them. */
import type { Agent } from '../../../schemas/common.ts';
import { inspectEntry } from '../../../tool-package/inspect/index.ts';

export type Files = Readonly<Record<string, string>>;

export const inspectFiles = (
  files: Files,
  entry = Object.keys(files)[0] ?? '',
  agent: Agent = 'pi',
  more: object = {},
) =>
  inspectEntry(agent, entry, {
    packageJson: { name: 'test', version: '1.0.0', ...more },
    paths: Object.keys(files),
    sources: new Map(Object.entries(files).map(([path, text]) => [path, Buffer.from(text)])),
  });
