import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { type CliHome, createCliHome } from '../../support/cli.ts';

vi.setConfig({ testTimeout: 180_000 });

let cli: CliHome;
beforeEach(async () => {
  cli = await createCliHome();
});
afterEach(() => cli.remove());

test('many installs at once, some of the same package, in a fresh home: all are done, each once', async () => {
  const names = ['todo', 'read-log', 'note-edit'];
  const asked = Array.from({ length: 12 }, (_, at) => names[at % names.length] ?? '');
  const results = await Promise.all(asked.map((name) => cli.run(['install', name, '--json'])));
  expect(results.map((one) => [one.code, one.stderr.includes('error')])).toEqual(asked.map(() => [0, false]));
  // Whoever came second changed nothing and says so.
  expect(
    results
      .flatMap((one) => one.json.changes)
      .map((one: { package: string }) => one.package)
      .sort(),
  ).toEqual([...names].sort());
  const { allowedTools } = JSON.parse(readFileSync(join(cli.home, '.pi', 'agent', 'settings.json'), 'utf8'));
  expect(new Set(allowedTools).size).toBe(allowedTools.length);
  expect(allowedTools).toEqual(expect.arrayContaining(['todo', 'read_log', 'note_edit']));
  expect((await cli.run(['verify', '--json'])).json.differences).toEqual([]);
});
