/** The import rules of .dependency-cruiser.cjs must see a violation: each rule is shown one, planted in a copy of the layout. */
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const root = fileURLToPath(new URL('..', import.meta.url));
const FOLDERS = ['schemas', 'tool-package', 'server', 'cli', 'migrations', 'catalog', 'bench', 'test'];

const planted: { rule: string; file: string; imports: string; needs?: string[] }[] = [
  { rule: 'schemas-is-a-leaf', file: 'schemas/a.ts', imports: '../tool-package/b.ts', needs: ['tool-package/b.ts'] },
  { rule: 'schemas-typebox-only', file: 'schemas/c.ts', imports: 'semver' },
  { rule: 'tool-package-imports', file: 'tool-package/d.ts', imports: '../server/e.ts', needs: ['server/e.ts'] },
  { rule: 'tool-package-no-network-no-database', file: 'tool-package/f.ts', imports: 'node:http' },
  { rule: 'migrations-imports', file: 'migrations/g.ts', imports: '../schemas/h.ts', needs: ['schemas/h.ts'] },
  { rule: 'catalog-imports', file: 'catalog/x/i.ts', imports: '../../schemas/h.ts', needs: ['schemas/h.ts'] },
  { rule: 'server-imports', file: 'server/j.ts', imports: '../cli/k.ts', needs: ['cli/k.ts'] },
  {
    rule: 'cli-to-server-only-in-two-places',
    file: 'cli/commands/l.ts',
    imports: '../../server/e.ts',
    needs: ['server/e.ts'],
  },
  { rule: 'cli-to-server-lazily', file: 'cli/host/m.ts', imports: '../../server/e.ts', needs: ['server/e.ts'] },
  { rule: 'routes-hold-no-rules', file: 'server/routes/n.ts', imports: '../blobs/o.ts', needs: ['server/blobs/o.ts'] },
  { rule: 'sql-in-store-only', file: 'server/registry/p.ts', imports: 'kysely' },
  {
    rule: 'registry-below-routes',
    file: 'server/registry/q.ts',
    imports: '../routes/r.ts',
    needs: ['server/routes/r.ts'],
  },
  {
    rule: 'store-and-blobs-are-the-bottom',
    file: 'server/store/s.ts',
    imports: '../registry/t.ts',
    needs: ['server/registry/t.ts'],
  },
  {
    rule: 'only-commands-and-main-talk',
    file: 'cli/install/u.ts',
    imports: '../terminal/v.ts',
    needs: ['cli/terminal/v.ts'],
  },
  { rule: 'resolve-is-pure', file: 'cli/resolve/w.ts', imports: '../registry/x.ts', needs: ['cli/registry/x.ts'] },
  { rule: 'no-unresolved', file: 'cli/y.ts', imports: './nowhere.ts' },
];

let copy: string;

function put(file: string, text: string): void {
  mkdirSync(dirname(join(copy, file)), { recursive: true });
  writeFileSync(join(copy, file), text);
}

beforeAll(() => {
  copy = mkdtempSync(join(tmpdir(), 'pi-tools-boundaries-'));
  cpSync(join(root, '.dependency-cruiser.cjs'), join(copy, '.dependency-cruiser.cjs'));
  symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'));
  put(
    'package.json',
    JSON.stringify({ name: 'x', version: '1.0.0', type: 'module', dependencies: { kysely: '*', semver: '*' } }),
  );
  put('tsconfig.base.json', '{}');
  for (const { file, imports, needs } of planted) {
    put(file, `import * as planted from '${imports}';\nexport const value = planted;\n`);
    for (const needed of needs ?? []) put(needed, 'export const value = 1;\n');
  }
  put('cli/cycle-a.ts', "import { b } from './cycle-b.ts';\nexport const a = () => b;\n");
  put('cli/cycle-b.ts', "import { a } from './cycle-a.ts';\nexport const b = () => a;\n");
});

afterAll(() => rmSync(copy, { recursive: true, force: true }));

describe('boundaries', () => {
  it('every rule reports the violation planted for it', () => {
    const cruiser = join(root, 'node_modules', 'dependency-cruiser', 'bin', 'dependency-cruise.mjs');
    const done = spawnSync(
      process.execPath,
      [
        cruiser,
        '--config',
        '.dependency-cruiser.cjs',
        '-T',
        'json',
        ...FOLDERS.filter((folder) => folder !== 'bench' && folder !== 'test'),
      ],
      {
        cwd: copy,
        encoding: 'utf8',
      },
    );
    const report = JSON.parse(done.stdout) as { summary: { violations: { from: string; rule: { name: string } }[] } };
    const seen = report.summary.violations.map(({ from, rule }) => `${rule.name} ${from}`);
    for (const { rule, file } of planted) expect(seen).toContain(`${rule} ${file}`);
    expect(seen.some((line) => line.startsWith('no-cycles '))).toBe(true);
  });
});
