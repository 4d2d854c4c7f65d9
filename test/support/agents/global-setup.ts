/** Before `npm run test:agents`: the agents are fetched once. What cannot be had is skipped, and said. */
import { installOpencode, installPi } from './install.ts';

export default async function setUp(): Promise<void> {
  const missing = [
    ['pi', await installPi()],
    ['opencode', await installOpencode()],
  ] as const;
  for (const [agent, reason] of missing) {
    if (reason !== undefined) process.stderr.write(`The tests with the real ${agent} are skipped: ${reason}\n`);
  }
}
