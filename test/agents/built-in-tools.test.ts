/** The names and schemas of the agents' own tools that pi-tools knows by heart are those of the real agents. */
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { BUILT_IN_TOOLS } from '../../tool-package/inspect/built-in-tools.ts';
import { findPi, type Pi } from '../support/agents/install.ts';
import { runPi } from '../support/agents/run-pi.ts';
import { scratchFolders } from '../support/agents/scratch.ts';

const pi = findPi();
const scratch = scratchFolders();

describe.skipIf(!pi)('pi', () => {
  test('sends its own tools as they are written down here', async () => {
    const home = scratch();
    const names = BUILT_IN_TOOLS.map((tool) => tool.name).filter((name) => name !== 'powershell');
    const args = ['--no-session', '--tools', names.join(',')];
    const run = await runPi(pi as Pi, { home, cwd: join(home), args });
    expect([...run.offered.keys()].sort()).toEqual([...names].sort());
    for (const { name, description, parameters, promptSnippet } of BUILT_IN_TOOLS) {
      if (name === 'powershell') continue;
      expect(run.offered.get(name)).toMatchObject({ description, parameters });
      if (promptSnippet) expect(run.systemPrompt).toContain(`- ${name}: ${promptSnippet}`);
    }
  });
});
