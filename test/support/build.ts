/** Tests run child processes from `dist/`: build what is stale before the first test. */
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

export default function build(): void {
  const prepare = fileURLToPath(new URL('../../cli/prepare.js', import.meta.url));
  const done = spawnSync(process.execPath, [prepare, '--build-only'], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  if (done.status !== 0)
    process.stderr.write(`the build failed; child processes run what was built last\n${done.stderr}`);
}
