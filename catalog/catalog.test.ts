/** What must hold for every package of the catalog. What each of them does is in its own folder's test. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { packFolder } from '../tool-package/archive/pack.ts';
import { readArchive } from '../tool-package/archive/read.ts';

const here = import.meta.dirname;
const released = JSON.parse(readFileSync(join(here, 'released.json'), 'utf8')) as Record<
  string,
  { integrity: string | null }
>;
const names = readdirSync(here).filter((name) => existsSync(join(here, name, 'package.json')));

test('ten packages, each of them in the list of releases', () => {
  const current = names.map((name) => {
    const { version } = JSON.parse(readFileSync(join(here, name, 'package.json'), 'utf8'));
    return `${name}@${version}`;
  });
  expect(current).toHaveLength(10);
  expect(Object.keys(released)).toEqual(expect.arrayContaining(current));
});

describe.each(names)('%s', (name) => {
  const text = (file: string) => readFileSync(join(here, name, file), 'utf8');
  const packageJson = JSON.parse(text('package.json'));

  test('is packed whole, and nothing else is', async () => {
    const packed = await packFolder(join(here, name));
    const paths = packed.files.map((file) => file.path).sort();
    expect(paths).toEqual([...packageJson.files, 'README.md', 'package.json'].sort());
    expect((await readArchive(packed.bytes)).integrity).toBe(packed.integrity);
    expect(packed.written).toEqual([]);
    const release = released[`${name}@${packageJson.version}`];
    // A released version never changes: to change the package, raise its version.
    expect([null, packed.integrity]).toContain(release?.integrity);
  });

  test('says what an author should say', () => {
    expect(packageJson).toMatchObject({
      name,
      license: 'MIT',
      description: expect.stringMatching(/^[\x20-\x7e]{20,120}\.$/),
      piTools: { permissions: expect.any(Object), examples: expect.any(Array) },
      engines: expect.any(Object),
    });
    const keywords = packageJson.keywords.join(' ');
    expect(keywords).toMatch(/\p{Script=Han}/u);
    expect(keywords).toMatch(/\p{Script=Cyrillic}/u);
    expect(packageJson.dependencies).toBeUndefined();
  });

  test('has a README with parameters, permissions and an example of each tool', () => {
    const readme = text('README.md');
    expect(readme).toMatch(new RegExp(`^# ${name}\n`));
    expect(readme).toContain('## Parameters');
    expect(readme).toContain('## What it may do');
    for (const { tool } of packageJson.piTools.examples) expect(readme).toContain(tool);
    for (const variable of packageJson.piTools.permissions.env ?? []) expect(readme).toContain(variable);
  });

  test('has tests', () => {
    expect(existsSync(join(here, name, `${name}.test.ts`))).toBe(true);
  });
});
