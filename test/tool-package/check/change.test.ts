/** The rules that compare with the version before say the same as `diff`, and only what a user has to agree to. */
import { describe, expect, test } from 'vitest';
import type { Finding } from '../../../schemas/finding.ts';
import type { ManifestRecord } from '../../../schemas/manifest.ts';
import { examineBytes } from '../../../tool-package/examine/examine-package.ts';
import { sketchArchive } from '../../support/registry.ts';

type Sketch = NonNullable<Parameters<typeof sketchArchive>[0]>;
const QUIET = { onEntry: () => undefined, onEntryDone: () => undefined };

const examine = (sketch: Sketch, previous: ManifestRecord | null) =>
  examineBytes(sketchArchive(sketch), { kind: 'archive', path: '', known: [], giveUp: null, previous }, QUIET);

/** Findings of `change/*` on `to`, published after `from`. */
const changes = async (from: Sketch, to: Sketch): Promise<Pick<Finding, 'rule' | 'tool' | 'field' | 'message'>[]> => {
  const { record } = await examine(from, null);
  const { findings } = await examine(to, record);
  return findings
    .filter(({ rule }) => rule.startsWith('change/'))
    .map(({ rule, tool, field, message }) => ({ rule, tool, field, message }));
};
const rulesOf = async (from: Sketch, to: Sketch) => (await changes(from, to)).map(({ rule }) => rule);
const piTools = (more: Record<string, unknown>) => ({ packageJson: { piTools: more } });

describe('change/definition', () => {
  const old = { version: '1.0.0', tools: { weather: 'Weather of a city' } };
  const now = { tools: { weather: 'Weather of a town' } };

  test.each([
    ['1.0.0', '1.0.1'],
    ['1.0.0', '1.0.1-rc.1'],
    ['1.0.1-rc.1', '1.0.1-rc.2'],
    ['1.0.1-rc.2', '1.0.1'],
    ['0.3.0', '0.3.7'],
  ])('%s -> %s is a patch', async (from, to) => {
    expect(await rulesOf({ ...old, version: from }, { ...now, version: to })).toEqual(['change/definition']);
  });

  test.each([
    ['1.0.0', '1.1.0'],
    ['1.0.9', '2.0.0'],
    ['2.0.0-rc.1', '2.0.0-rc.2'],
    ['1.0.0', '1.1.0-rc.1'],
  ])('%s -> %s is none', async (from, to) => {
    expect(await rulesOf({ ...old, version: from }, { ...now, version: to })).toEqual([]);
  });

  test('names the fields as `diff` does; a label, a new tool and a removed one are no change of a definition', async () => {
    expect(await changes(old, { ...now, version: '1.0.1' })).toMatchObject([
      { tool: 'weather', field: 'description', message: expect.stringContaining('`description` of `weather`') },
    ]);
    const sameButLabel = sketchSource('Weather of a city', 'Another label');
    expect(await rulesOf(old, { version: '1.0.1', files: { 'index.ts': sameButLabel } })).toEqual([]);
    const withAnother = { version: '1.0.1', tools: { ...old.tools, climate: 'The climate' } };
    expect(await rulesOf(old, withAnother)).toEqual([]);
    expect(await rulesOf({ ...withAnother, version: '1.0.0' }, { ...old, version: '1.0.1' })).toEqual([]);
  });
});

const sketchSource = (description: string, label: string) => `import { Type } from 'typebox';
export default function (pi) {
  pi.registerTool({ name: 'weather', label: '${label}', description: '${description}',
    parameters: Type.Object({ what: Type.String({ description: 'what to look at' }) }),
    async execute() { return { content: [{ type: 'text', text: 'done' }], details: {} }; } });
}
`;

describe('change/permission', () => {
  const from = {
    version: '1.0.0',
    ...piTools({ permissions: { network: ['a.example.com'] }, dependencies: { geo: '^1.0.0' } }),
  };

  test('a new host, program, override and dependency each, by the name that package.json has', async () => {
    const to = {
      version: '2.0.0',
      ...piTools({
        permissions: { network: ['a.example.com', 'b.example.com'], run: ['git'] },
        overrides: [{ tool: 'read', reason: 'shows line numbers' }],
        dependencies: { geo: '^1.0.0', '@team/map-tiles': '^1' },
      }),
    };
    const found = (await changes(from, to)).map(({ field, message }) => [field, /`([^`]*)`/.exec(message)?.[1]]);
    expect(found).toEqual([
      ['piTools.permissions.network', 'b.example.com'],
      ['piTools.permissions.run', 'git'],
      ['piTools.overrides', 'read'],
      ['piTools.dependencies', '@team/map-tiles'],
    ]);
  });

  test('nothing for what goes, another reason, or another range of what was there', async () => {
    const to = { version: '1.0.1', ...piTools({ dependencies: { geo: '^1.2.0' } }) };
    expect(await rulesOf(from, to)).toEqual([]);
  });
});
