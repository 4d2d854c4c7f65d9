import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { cleanCache, measureCache, openCache } from '../../../cli/registry/cache.ts';
import { integrityOf } from '../../../tool-package/integrity.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'pi-tools-cache-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const bytes = Buffer.from('archive');

test('many writers of one archive leave one whole file', async () => {
  const cache = openCache(folder);
  await Promise.all(Array.from({ length: 20 }, () => cache.keepArchive(bytes)));
  expect(await cache.findArchive(integrityOf(bytes))).toEqual(bytes);
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  expect(files).toHaveLength(1);
});

test('a hash that is no hash names no file outside', async () => {
  const cache = openCache(join(folder, 'cache'));
  writeFileSync(join(folder, 'secret.tgz'), 'x');
  for (const odd of ['', '../secret', 'sha512-../../../secret', 'sha512-', '/etc/passwd']) {
    expect(await cache.findArchive(odd)).toBeUndefined();
  }
});

test('answers are kept by registry and path, with any bytes in them', async () => {
  const cache = openCache(folder);
  const body = Buffer.from('line one\nline two\n\u0000');
  await cache.keepAnswer('https://a', '/v1/x', { etag: '"1"', body });
  expect(await cache.findAnswer('https://a', '/v1/x')).toEqual({ etag: '"1"', body });
  expect(await cache.findAnswer('https://b', '/v1/x')).toBeUndefined();
  expect(await cache.findAnswer('https://a', '/v1/y')).toBeUndefined();
  await cache.forgetAnswer('https://a', '/v1/x');
  expect(await cache.findAnswer('https://a', '/v1/x')).toBeUndefined();
});

test('is measured and emptied; what is not ours stays', async () => {
  const cache = openCache(folder);
  await cache.keepArchive(bytes);
  await cache.keepAnswer('https://a', '/v1/x', { etag: null, body: bytes });
  mkdirSync(join(folder, 'theirs'));
  writeFileSync(join(folder, 'theirs', 'file'), 'x');
  expect(await measureCache(folder)).toMatchObject({ archives: 1, answers: 1 });
  await cleanCache(folder);
  expect(await measureCache(folder)).toEqual({ archives: 0, answers: 0, bytes: 0 });
  expect(readdirSync(folder)).toEqual(['theirs']);
});
