/** What an install says: each thing once, results on stdout. */
import { afterEach, expect, it } from 'vitest';
import { createPiHome, createToolFolder, type PiHome } from '../../support/home.ts';

let home: PiHome;
afterEach(() => home.remove());

const countOf = (text: string, part: string): number => text.split(part).length - 1;

it('a note is a result: once, on stdout', async () => {
  home = await createPiHome(null);
  await home.run(['install', 'weather']);
  const folder = createToolFolder({ name: 'mine' });
  await home.run(['install', folder.path]);
  const commands: [string[], string][] = [
    [['install', 'weather'], 'nothing to do'],
    [['install', 'weather', '--dry-run'], 'nothing to do'],
    [['install', folder.path], 'nothing to do'],
    [['install', '--scope', 'user'], 'everything is as the lock file says'],
  ];
  for (const [args, note] of commands) {
    const { code, stdout, stderr } = await home.run(args);
    expect(code, stderr).toBe(0);
    expect([countOf(stdout, note), countOf(stderr, note)], args.join(' ')).toEqual([1, 0]);
    const { json, stderr: said } = await home.run([...args, '--json']);
    expect(json.notes.join()).toContain(note);
    expect(said).not.toContain(note);
  }
  folder.remove();
}, 60_000);

it('says of allowedTools what is true, and names no package that is not in the catalog', async () => {
  home = await createPiHome('{"allowedTools": ["read"]}');
  const { stdout } = await home.run(['install', 'weather']);
  expect(stdout).toContain('pi itself does not act on allowedTools');
  expect(stdout).not.toContain('`allowed-tools`');
}, 60_000);
