/** `--dry-run` writes nothing: not the home, not the project, and nothing stays in the temporary folder. */
import { existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createPiHome, createToolFolder, extensionSource, type PiHome, type ToolFolder } from '../../support/home.ts';
import { publishTo, sketchArchive, startRegistry } from '../../support/registry.ts';
import { snapshotWorld } from '../../support/world.ts';

vi.setConfig({ testTimeout: 300_000 });

let home: PiHome;
let own: ToolFolder;
let temporary: string;
beforeEach(async () => {
  home = await createPiHome('{"allowedTools": ["read"]}');
  own = createToolFolder({ name: 'mine' });
  temporary = join(home.folder, 'tmp');
  mkdirSync(temporary);
  // Looked into for its names, and what is found is otherwise kept.
  home.write('home/.pi/agent/extensions/hand.ts', extensionSource(['hand_made']));
});
afterEach(() => {
  home.remove();
  own.remove();
});

const everything = () => snapshotWorld(home.folder, { except: [/^tmp\/(?:node-compile-cache|tsx-)/] });
const run = (args: readonly string[], env: Record<string, string> = {}) =>
  home.run(args, { env: { TMPDIR: temporary, ...env } });

/** Runs each with --dry-run, before and after the command's name. */
async function expectNoTrace(commands: readonly (readonly [number, ...string[]])[], env: Record<string, string> = {}) {
  const before = [everything(), snapshotWorld(own.path, { except: [] })];
  for (const [code, ...args] of commands) {
    const given = args[0] === 'install' ? ['--dry-run', ...args] : [...args, '--dry-run'];
    const result = await run([...given, '--json'], env);
    expect(result.code, `${args.join(' ')}\n${result.stdout}${result.stderr}`).toBe(code);
    expect([everything(), snapshotWorld(own.path, { except: [] })], args.join(' ')).toEqual(before);
  }
}

describe('--dry-run', () => {
  it('leaves a fresh home as it is', async () => {
    await expectNoTrace([
      [0, 'install', 'weather'],
      [0, 'install', 'weather', 'math', '--scope', 'project'],
      [0, 'install', 'math', '--agent', 'slopcode'],
      [0, 'install', own.path],
      [3, 'install', 'no-such-package'],
      [0, 'update'],
      [3, 'update', 'weather'],
      [3, 'remove', 'weather'],
      [3, 'rollback', 'weather'],
      [0, 'publish', own.path],
      [0, 'pack', own.path],
      [0, 'info', 'weather'],
      [0, 'search', 'weather'],
      [0, 'outdated'],
      [0, 'list'],
      [0, 'verify'],
      [0, 'yank', 'weather@1.0.0'],
      [0, 'deprecate', 'weather', 'old'],
      [0, 'tag', 'set', 'weather@1.0.0', 'good'],
      [0, 'owner', 'add', 'weather', 'alice'],
      [0, 'review', 'quarantine', 'weather@1.0.0', '--reason', 'x'],
      [0, 'allow', 'weather'],
      [0, 'deny', 'read'],
      [0, 'cache', 'clean'],
    ]);
    expect(existsSync(join(home.home, '.local'))).toBe(false);
    expect(existsSync(join(home.home, '.cache'))).toBe(false);
  });

  it('leaves a home in use as it is, and sees what is in it', async () => {
    expect((await run(['publish', own.path])).code).toBe(0);
    for (const name of ['weather', 'mine']) expect((await run(['install', name])).code).toBe(0);
    writeFileSync(
      join(own.path, 'package.json'),
      JSON.stringify({ name: 'mine', version: '1.1.0', pi: { extensions: ['./index.ts'] } }),
    );
    expect((await run(['publish', own.path])).code).toBe(0);
    await expectNoTrace([
      [0, 'install', 'todo'],
      [0, 'install', 'mine@1.1.0'],
      [0, 'install', 'weather'],
      [0, 'install', '--scope', 'user'],
      [0, 'update'],
      [0, 'remove', 'weather', 'mine'],
      [0, 'publish', own.path],
      [0, 'pack', own.path],
      [6, 'outdated'],
      [0, 'yank', 'mine@1.0.0'],
      [0, 'tag', 'set', 'mine@1.0.0', 'good'],
    ]);
    const { json } = await run(['update', '--dry-run', '--json']);
    expect(json.changes).toEqual([expect.objectContaining({ package: 'mine', from: '1.0.0', to: '1.1.0' })]);
    // A registry that was filled by an earlier pi-tools is not brought up to date either.
    const stamp = join(home.home, '.local', 'share', 'pi-tools', 'registry', 'catalog-stamp');
    writeFileSync(stamp, 'another catalog');
    await expectNoTrace([[0, 'install', 'mine@1.1.0']]);
    // Nor is what a killed command left: SQLite would put a log that was not taken in into the database.
    writeFileSync(join(stamp, '..', 'registry.db-wal'), '');
    await expectNoTrace([[0, 'install', 'mine@1.1.0']]);
  });

  it('keeps no answer of a registry and no archive', async () => {
    const registry = await startRegistry({ review: 'off' });
    try {
      for (const version of ['1.0.0', '1.1.0'])
        await publishTo(registry.url, registry.adminToken, sketchArchive({ name: 'far', version }));
      const env = { PI_TOOLS_REGISTRY: registry.url };
      await expectNoTrace(
        [
          [0, 'install', 'far'],
          [0, 'info', 'far'],
          [0, 'search', 'far'],
        ],
        env,
      );
      expect((await run(['install', 'far@1.0.0'], env)).code).toBe(0);
      // A damaged copy is not used, and not thrown away.
      const archives = join(home.home, '.cache', 'pi-tools', 'archives');
      const kept = readdirSync(archives, { recursive: true }).find((path) => String(path).endsWith('.tgz'));
      writeFileSync(join(archives, String(kept)), 'damaged');
      rmSync(join(home.agent, 'extensions', 'far'), { recursive: true });
      await expectNoTrace(
        [
          [0, 'install', 'far@1.1.0'],
          [0, 'install', '--scope', 'user'],
          [0, 'remove', 'far'],
        ],
        env,
      );
    } finally {
      await registry.end();
    }
  });

  it('leaves nothing behind when it is interrupted', async () => {
    const before = everything();
    const child = home.start(['install', 'weather', 'math', 'todo', '--dry-run'], { env: { TMPDIR: temporary } });
    const ended = new Promise((resolve) => child.once('close', resolve));
    const said: string[] = [];
    child.stderr?.on('data', (chunk: Buffer) => said.push(chunk.toString()));
    await vi.waitFor(
      () => expect(readdirSync(temporary)).toContainEqual(expect.stringMatching(/^pi-tools-registry-/)),
      {
        timeout: 20_000,
        interval: 2,
      },
    );
    child.kill('SIGINT');
    expect([await ended, said.join('')]).toEqual([130, '']);
    expect(everything()).toEqual(before);
  });
});
