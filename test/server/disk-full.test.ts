/** A disk that is really full. Needs the right to mount a small file system; elsewhere it is skipped. */
import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmdirSync } from 'node:fs';
import { rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { makeArchive } from '../../tool-package/archive/write.ts';
import { call, expectStatus, publishTo, snapshot, startRegistry } from '../support/registry.ts';

const SIZE_KIB = 1600;
const folder = mkdtempSync(join(tmpdir(), 'pi-tools-small-disk-'));
const isMounted = mount();

function mount(): boolean {
  try {
    execFileSync('/bin/mount', ['-t', 'tmpfs', '-o', `size=${SIZE_KIB}k`, 'tmpfs', folder], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

afterAll(() => {
  if (isMounted) execFileSync('/bin/umount', [folder]);
  rmdirSync(folder);
});

const bigArchive = (version: string) =>
  makeArchive([
    {
      path: 'package.json',
      bytes: Buffer.from(
        JSON.stringify({ name: 'weather', version, description: 'x', license: 'MIT', pi: { extensions: ['./i.js'] } }),
      ),
    },
    { path: 'i.js', bytes: Buffer.from('export default function () {}') },
    { path: 'noise.bin', bytes: randomBytes(300_000) },
  ]);

describe.skipIf(!isMounted)('a registry whose disk is full', () => {
  const dataFolder = join(folder, 'data');
  beforeEach(() => rm(dataFolder, { recursive: true, force: true }));

  it('refuses a publish with 507, keeps nothing of it, and goes on answering', { timeout: 120_000 }, async () => {
    const registry = await startRegistry({ dataFolder, review: 'off' });
    const taken: string[] = [];
    let refused: string | undefined;
    for (let index = 0; index < 6 && refused === undefined; index++) {
      const answer = await publishTo(registry.url, registry.adminToken, bigArchive(`1.0.${index}`));
      if (answer.status === 201) taken.push(`1.0.${index}`);
      else refused = `${answer.status} ${answer.body.code}`;
    }
    expect(refused).toBe('507 disk_full');
    const world = await snapshot(dataFolder);
    expect([world.rows.versions?.length, world.blobs.length, world.incoming]).toEqual([taken.length, taken.length, []]);
    for (const version of taken) {
      await expectStatus(call(registry.url, `/v1/packages/weather/versions/${version}/archive`), 200);
    }
    await registry.stop();
  });

  it('refuses a write with 507, and takes it when there is room again', async () => {
    const registry = await startRegistry({ dataFolder });
    const token = registry.adminToken;
    const add = (user: string) => call(registry.url, '/v1/users', { token, json: { user } });
    const filler = join(folder, 'filler');
    await writeFile(filler, Buffer.alloc(SIZE_KIB * 1024)).catch(() => undefined);
    let answer = await add('u');
    for (let index = 0; answer.status === 201 && index < 200; index++) answer = await add(`u${index}`);
    expect([answer.status, answer.body.code]).toEqual([507, 'disk_full']);
    await expectStatus(call(registry.url, '/v1/search'), 200);
    await expectStatus(call(registry.url, '/v1/me', { token }), 200);
    await rm(filler);
    await expectStatus(add('after'), 201);
    await registry.restart();
    await expectStatus(add('later'), 201);
    await registry.stop();
  });
});
