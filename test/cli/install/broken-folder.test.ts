/** A folder that no agent could load: `check`, `pack`, `publish` and `install` say the same, and nothing is written. */
import { afterEach, describe, expect, it } from 'vitest';
import { createPiHome, createToolFolder, type PiHome, type ToolFolder } from '../../support/home.ts';

let home: PiHome;
let folder: ToolFolder;
afterEach(async () => {
  folder.remove();
  await home.remove();
});

const open = async (source: string, files: Record<string, string> = {}): Promise<void> => {
  home = await createPiHome('{"allowedTools": []}');
  folder = createToolFolder({ name: 'half-done', files: { 'index.ts': source, ...files } });
};

describe('a package with an entry that cannot load', () => {
  it.each([
    ['an open brace', 'export default function(pi){', {}, 'any/syntax', 'index.ts'],
    [
      'an open brace in a file that it imports',
      "import './lib.ts';\nexport default function (pi) {}",
      { 'lib.ts': 'export const a = {' },
      'any/syntax',
      'lib.ts',
    ],
    ['a throw', "export default function (pi) {}\nthrow new Error('no');", {}, 'any/throws-at-load', 'index.ts'],
  ])(
    '%s',
    async (_case, source, files, rule, file) => {
      await open(source, files as Record<string, string>);
      const before = home.snapshot();
      for (const args of [
        ['install', folder.path],
        ['install', folder.path, '--yes'],
        ['pack', folder.path],
      ]) {
        const { code, json } = await home.run([...args, '--json']);
        expect([code, json.error.code]).toEqual([4, 'findings']);
        expect(json.error.message).toContain(`\`${file}\` line`);
        expect(json.error.details.findings).toContainEqual(expect.objectContaining({ rule, file, level: 'error' }));
        expect(home.snapshot()).toEqual(before);
      }
      const published = await home.run(['publish', folder.path, '--yes', '--json']);
      expect([published.code, published.json.error.code]).toEqual([4, 'findings']);
      expect(published.json.error.details.findings).toContainEqual(expect.objectContaining({ rule, file }));
      const checked = await home.run(['check', folder.path, '--json']);
      expect(checked.code).toBe(6);
      expect(checked.json.findings).toContainEqual(expect.objectContaining({ rule, file, level: 'error' }));
    },
    60_000,
  );

  it('that may load elsewhere is installed with a warning', async () => {
    await open("if (!process.env.WEATHER_KEY) throw new Error('no key');\nexport default function (pi) {}");
    const { code, json } = await home.run(['install', folder.path, '--yes', '--json']);
    expect(code).toBe(0);
    expect(JSON.stringify(json.warnings)).toMatch(/could not be read: no key/);
  }, 60_000);
});
