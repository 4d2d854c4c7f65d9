import fc from 'fast-check';
import { Check } from 'typebox/value';
import { expect, test } from 'vitest';
import { PackageJson } from '../../../schemas/package-json.ts';
import { packageJsonShape } from '../../../tool-package/package-json-shape.ts';

const good = {
  name: '@team/weather',
  version: '1.0.0',
  description: 'x',
  license: 'MIT',
  keywords: ['a', '天气'],
  homepage: 'https://x',
  private: false,
  pi: { extensions: ['./index.ts'], skills: ['./x'] },
  slopcode: { tools: ['./a.ts'] },
  opencode: { tools: ['./a.ts'] },
  piTools: {
    permissions: { network: ['x'], read: [], write: [], run: [], env: ['A'] },
    overrides: [{ tool: 'read', reason: 'logs' }],
    dependencies: { geo: '^1.0.0' },
    examples: [{ tool: 'weather', args: { city: 'Tokyo', list: [1, null] }, files: { 'a.txt': 'x' }, continues: true }],
  },
  engines: { node: '>=20' },
  scripts: { test: 'x' },
  dependencies: { a: '1' },
  peerDependencies: { b: '*' },
  optionalDependencies: {},
  prettier: {},
};

type Path = (string | number)[];
const pathsOf = (value: unknown, path: Path = []): Path[] =>
  typeof value !== 'object' || value === null
    ? [path]
    : [
        path,
        ...Object.entries(value).flatMap(([key, one]) =>
          pathsOf(one, [...path, Array.isArray(value) ? Number(key) : key]),
        ),
      ];

const ODD = [
  null,
  true,
  0,
  1.5,
  '',
  'x',
  'X',
  '../x',
  'a'.repeat(2000),
  'a'.repeat(11_000),
  [],
  [null],
  [''],
  Array(101).fill('x'),
  {},
  { x: 1 },
  { x: 'y' },
  { tool: 'x', reason: 'y', more: 1 },
];

test('a right one passes both', () => {
  expect(Check(PackageJson, good)).toBe(true);
  expect(packageJsonShape(good, '')).toBeNull();
});

test('is never laxer than the schema', () => {
  fc.assert(
    fc.property(
      fc.constantFrom(...pathsOf(good)),
      fc.constantFrom(...ODD, undefined),
      fc.boolean(),
      (path, odd, addKey) => {
        const root = { root: structuredClone(good) } as Record<string | number, unknown>;
        let parent = root;
        let key: string | number = 'root';
        for (const step of path) {
          parent = parent[key] as Record<string | number, unknown>;
          key = step;
        }
        if (addKey && parent[key] !== null && typeof parent[key] === 'object' && !Array.isArray(parent[key]))
          Object.assign(parent[key] as object, { added: odd ?? 1 });
        else if (odd !== undefined || key === 'root') parent[key] = odd;
        else delete parent[key];
        if (!Check(PackageJson, root.root))
          expect(packageJsonShape(root.root, ''), JSON.stringify(path)).not.toBeNull();
      },
    ),
    { numRuns: 5000 },
  );
});
