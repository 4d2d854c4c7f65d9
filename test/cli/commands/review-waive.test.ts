import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { piPackageFiles } from '../../support/archive.ts';
import { type CliHome, createCliHome, type ServedRegistry, serveRegistry } from '../../support/cli.ts';

// Each pack starts an examiner of its own: seconds, on a busy machine.
vi.setConfig({ testTimeout: 180_000 });

let cli: CliHome;
let registry: ServedRegistry;
let author: string;
let curator: string;
beforeAll(async () => {
  cli = await createCliHome();
  registry = await serveRegistry(cli);
  author = await tokenOf('author', 'publisher', 'publish');
  curator = await tokenOf('carol', 'curator', 'review');
}, 120_000);
afterAll(async () => {
  await registry.stop();
  cli.remove();
});

const on = (args: readonly string[], token = curator) =>
  cli.run(['--registry', registry.url, ...args], { env: { PI_TOOLS_TOKEN: token } });

const tokenOf = async (user: string, role: string, scopes: string): Promise<string> => {
  await on(['user', 'add', user, '--role', role], registry.token);
  return (await on(['token', 'create', '--user', user, '--scopes', scopes, '--json'], registry.token)).json.token;
};

type Sketch = { version: string; host?: string; description?: string; permissions?: object; readme?: string };

const folderOf = (name: string, sketch: Sketch): string => {
  const { version, host = 'a.example.org', description = 'Asks a service.', permissions = {}, readme = '' } = sketch;
  const folder = join(cli.project, `${name}-${version}`);
  mkdirSync(folder, { recursive: true });
  const files = piPackageFiles(name, {
    version,
    packageJson: { piTools: { permissions } },
    files: {
      'README.md': `# ${name} ${readme}\n`,
      'host.ts': `export const HOST = '${host}';\n`,
      'index.ts': `import { Type } from 'typebox';
import { HOST } from './host.ts';
export default function (pi) {
  pi.registerTool({
    name: 'asks', label: 'Asks', description: '${description}',
    parameters: Type.Object({ what: Type.String({ description: 'what to ask' }) }),
    async execute(_id, params, signal) {
      const answer = await fetch('https://' + HOST + '/' + encodeURIComponent(params.what), { signal });
      return { content: [{ type: 'text', text: String(answer.status) }], details: {} };
    },
  });
}
`,
    },
  });
  for (const [path, content] of Object.entries(files)) {
    writeFileSync(join(folder, path), typeof content === 'string' ? content : JSON.stringify(content));
  }
  return folder;
};

const publish = async (name: string, sketch: Sketch): Promise<string> => {
  const { json } = await on(['publish', folderOf(name, sketch), '--json'], author);
  return json.status;
};

const EVIL = 'fine \u001b[2J\u202e really';

test('a curator’s day: see, waive, approve; the next version is listed by itself, a changed one waits', async () => {
  expect(await publish('asks', { version: '1.0.0' })).toBe('pending');
  const shown = await on(['review', 'show', 'asks@1.0.0']);
  expect(shown.stdout).toContain('No version before it is listed');
  expect(shown.stdout).toMatch(/review perm\/undeclared {2}index\.ts:8[\s\S]*evidence [0-9a-f]{12}/);
  const [, command = ''] = /pi-tools (review waive .*) --reason/.exec(shown.stdout) ?? [];
  expect(command).toMatch(/^review waive asks@1\.0\.0 --rule perm\/undeclared --evidence [0-9a-f]{12}$/);

  const dry = await on([...command.split(' '), '--reason', 'x', '--dry-run', '--json']);
  expect(dry.json).toMatchObject({ ok: true, changed: [], dryRun: true });
  // The command that was shown, as it was shown.
  const waived = await on([...command.split(' '), '--reason', EVIL]);
  expect(waived.stdout).toBe(
    'waived: 1 finding, perm/undeclared of asks@1.0.0\nnothing stands in the way: pi-tools review approve asks@1.0.0\n',
  );
  const again = await on(['review', 'waive', 'asks@1.0.0', '--rule', 'perm/undeclared', '--reason', 'x', '--json']);
  expect(again.json).toMatchObject({ ok: true, changed: [], open: [], state: 'pending' });
  expect((await on(['review', 'ls'])).stdout).toMatch(/asks@1\.0\.0 {2}pending {2}author {2}1 waived/);
  expect((await on(['review', 'approve', 'asks@1.0.0'])).code).toBe(0);

  const sent = await on(['publish', folderOf('asks', { version: '1.0.1', readme: 'better' })], author);
  expect(sent.stdout).toContain('published');
  for (const { stdout } of [sent, await on(['info', 'asks'], author), await on(['review', 'show', 'asks@1.0.1'])]) {
    expect(stdout).toMatch(/waived perm\/undeclared {2}index\.ts/);
    expect(stdout).toContain('review, waived by carol on 1.0.0: fine');
    expect(stdout.replaceAll('\n', '')).not.toMatch(/[\p{Cc}\p{Cf}]/u);
  }

  expect(await publish('asks', { version: '1.0.2', host: 'b.example.org' })).toBe('pending');
  const changed = await on(['review', 'show', 'asks@1.0.2']);
  expect(changed.stdout.replace(/\s+/g, ' ')).toContain('a waiver does not hold for this: by carol on 1.0.0: fine');
  expect(changed.stdout).toContain('Changed since 1.0.1');
  expect(changed.stdout).toContain('host.ts  changed');
  expect((await on(['review', 'unwaive', 'asks@1.0.1', '--rule', 'perm/undeclared'])).stdout).toContain(
    'open again: 1 finding',
  );
  const listed = (await on(['review', 'ls', '--state', 'listed', '--open', '--json'])).json.reviews;
  expect(listed.map((one: { version: string }) => one.version)).toEqual(['1.0.0', '1.0.1']);
});

test('show compares with the highest listed version below, and has it as data', async () => {
  for (const version of ['1.0.0', '1.1.0', '2.0.0']) {
    expect(await publish('grows', { version, permissions: { network: ['a.example.org'] } })).toBe('listed');
  }
  const next: Sketch = {
    version: '1.2.0',
    description: 'Asks another service.',
    host: 'b.example.org',
    permissions: { network: ['b.example.org'] },
  };
  expect(await publish('grows', next)).toBe('pending');
  const { json } = await on(['review', 'show', 'grows@1.2.0', '--json']);
  expect(json).toMatchObject({
    package: 'grows',
    version: '1.2.0',
    from: '1.1.0',
    open: [{ rule: 'change/permission', level: 'review' }],
  });
  const classes = json.changes.map((one: { class: string; tool: string | null; field: string | null }) => [
    one.class,
    one.tool,
    one.field,
  ]);
  expect(classes).toEqual(
    expect.arrayContaining([
      ['new-permission', null, 'permissions.network'],
      ['wording', 'asks', 'description'],
      ['files', null, 'host.ts'],
    ]),
  );
  const first = (await on(['review', 'show', 'grows@1.0.0', '--json'])).json;
  expect(first).toMatchObject({ from: null, changes: [], open: [] });
});

test('what is missing or wrong is named, and nothing is sent', async () => {
  for (const [args, code] of [
    [['review', 'waive', 'asks@1.0.0', '--reason', 'x'], 2],
    [['review', 'waive', 'asks@1.0.0', '--rule', 'perm/undeclared'], 2],
    [['review', 'waive', 'asks@1.0.0', '--rule', 'perm/undeclared', '--reason', '  '], 2],
    [['review', 'waive', 'asks@1.0.0', '--rule', 'x', '--reason', 'x', '--evidence', 'XYZ'], 2],
    [['review', 'waive', 'asks', '--rule', 'x', '--reason', 'x'], 2],
    [['review', 'unwaive', 'asks@1.0.0'], 2],
    [['review', 'waive', 'asks@1.0.0', '--rule', 'x/y', '--reason', 'x'], 3],
    [['review', 'waive', 'asks@9.0.0', '--rule', 'x/y', '--reason', 'x'], 3],
  ] as const) {
    const { code: exit, stdout, stderr } = await on(args);
    expect([args, exit]).toEqual([args, code]);
    expect(stdout).toBe('');
    expect(stderr).toMatch(/^error: .*\n(hint: .*\n)?/);
  }
  expect((await on(['review', 'waive', 'asks@1.0.0', '--rule', 'perm/undeclared', '--reason', 'x'], author)).code).toBe(
    4,
  );
});
