/** What the real pi says that an extension registers: the truth that inspection is held against. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Pi } from './install.ts';
import { runPi } from './run-pi.ts';

export type ListedTool = {
  name: string;
  description: string;
  parameters: unknown;
  promptGuidelines?: string[];
};

/** Loaded last, and asked at the first prompt: tools that are registered in `session_start` are there by then. */
const PROBE = `import { writeFileSync } from 'node:fs';
export default (pi) => pi.on('before_agent_start', () => {
  const own = pi.getAllTools().filter((tool) => tool.sourceInfo?.source !== 'builtin');
  writeFileSync(process.env.PROBE_OUT, JSON.stringify(own));
});
`;

/** Loads only `extension`, in a pi of its own with `home` as its home. Throws what pi said when it did not start. */
export async function listTools(pi: Pi, extension: string, home: string): Promise<ListedTool[]> {
  const probe = join(home, 'probe.js');
  const out = join(home, 'probe.json');
  writeFileSync(probe, PROBE);
  const args = ['--no-session', '-ne', '-e', extension, '-e', probe];
  const run = await runPi(pi, { home, cwd: home, args, env: { PROBE_OUT: out } });
  if (!existsSync(out)) throw new Error(`pi did not load ${extension}: exit ${run.exitCode}\n${run.stderr}`);
  return JSON.parse(readFileSync(out, 'utf8')) as ListedTool[];
}
