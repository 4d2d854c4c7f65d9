/** A registry that lies, and files that came with a project to lie: nothing is written, and the message says what was wrong. */

import { symlinkSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { recordDigest } from '../../../tool-package/canonical.ts';
import { archiveOf } from '../../support/archive.ts';
import { createPiHome, type PiHome } from '../../support/home.ts';
import { type LiveRegistry, publishTo, sketchArchive, startRegistry } from '../../support/registry.ts';

let registry: LiveRegistry;
let proxy: Server;
let url: string;
let home: PiHome;

/** What the proxy does to a JSON answer or to an archive. */
// biome-ignore lint/suspicious/noExplicitAny: a lie may have any shape
let lie: { json?: (path: string, body: any) => unknown; archive?: (bytes: Buffer) => Buffer } = {};

const LIST = '{\n  "allowedTools": ["read"]\n}\n';

beforeAll(async () => {
  registry = await startRegistry({ review: 'off' });
  await publishTo(registry.url, registry.adminToken, sketchArchive());
  await publishTo(registry.url, registry.adminToken, sketchArchive({ name: 'evil' }));
  proxy = createServer(async (request, response) => {
    const answer = await fetch(registry.url + request.url, { headers: { accept: '*/*' } });
    const bytes = Buffer.from(await answer.arrayBuffer());
    const isJson = /json/.test(answer.headers.get('content-type') ?? '');
    const body = isJson
      ? Buffer.from(
          JSON.stringify(lie.json?.(request.url ?? '', JSON.parse(bytes.toString())) ?? JSON.parse(bytes.toString())),
        )
      : (lie.archive?.(bytes) ?? bytes);
    response.writeHead(answer.status, {
      'content-type': answer.headers.get('content-type') ?? '',
      'content-length': body.length,
    });
    response.end(body);
  });
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`;
}, 60_000);

afterAll(async () => {
  proxy.closeAllConnections();
  proxy.close();
  await registry.end();
});
afterEach(() => home?.remove());

const run = async (args: string[], from = url) => {
  const result = await home.run([...args, '--json'], { env: { PI_TOOLS_REGISTRY: from } });
  return { ...result, json: JSON.parse(result.stdout) };
};

/** Installs from the lying registry and expects that it is refused and nothing was written. */
async function refused(
  args: string[],
  code: number,
): Promise<{ code: string; message: string; details: Record<string, unknown> }> {
  const before = home.snapshot();
  const result = await run(args);
  expect(result.code, result.stderr).toBe(code);
  expect(home.snapshot()).toEqual(before);
  return result.json.error;
}

// biome-ignore lint/suspicious/noExplicitAny: a lie may have any shape
const inRecord = (change: (record: any) => void) => (path: string, body: any) => {
  const manifest = body.manifest ?? body;
  if (!/\/versions\//.test(path) || manifest.record === undefined) return body;
  change(manifest.record);
  manifest.recordDigest = recordDigest(manifest.record);
  return body;
};

describe('the record says something else than the archive', () => {
  // biome-ignore lint/suspicious/noExplicitAny: a lie may have any shape
  const lies: [string, (record: any) => void][] = [
    ['a tool with the name that crashes pi', (record) => (record.agents.pi.tools[0].name = 'constructor')],
    ['a tool name that is a path', (record) => (record.agents.pi.tools[0].name = '../../../x')],
    ['a tool from a file that is no entry', (record) => (record.agents.pi.tools[0].entry = 'README.md')],
    ['an entry outside the package', (record) => (record.agents.pi.entries = ['../../../../settings.json'])],
    ['an entry that is another file', (record) => (record.agents.pi.entries = ['README.md'])],
    ['one tool twice', (record) => record.agents.pi.tools.push(record.agents.pi.tools[0])],
    ['a file less', (record) => record.files.pop()],
    ['a file of other content', (record) => (record.files[0].sha256 = '0'.repeat(64))],
    ['an executable', (record) => (record.files[0].executable = true)],
    [
      'permissions that the package does not declare',
      (record) => (record.permissions.declared = { network: ['x.example'] }),
    ],
    ['an override that the package does not declare', (record) => record.overrides.push({ tool: 'read', reason: 'x' })],
    ['dependencies that the package does not have', (record) => (record.dependencies.tools = { evil: '*' })],
    ['a tool for another agent', (record) => (record.agents.slopcode = record.agents.pi)],
  ];

  it.each(lies)('%s', async (_, change) => {
    home = await createPiHome(LIST);
    lie = { json: inRecord(change) };
    const error = await refused(['install', 'weather', '--agent', 'pi'], 5);
    expect(error.code).toBe('record_mismatch');
    expect(error.message).toContain('weather');
  });
});

describe('other bytes', () => {
  it('an archive that is not the one of the record', async () => {
    home = await createPiHome(LIST);
    lie = { archive: () => sketchArchive({ tools: { weather: 'evil' } }) };
    const error = await refused(['install', 'weather'], 5);
    expect(error.code).toBe('integrity_mismatch');
  });

  it('another package under the name', async () => {
    home = await createPiHome(LIST);
    const evil = await (await fetch(`${registry.url}/v1/packages/evil`)).json();
    lie = { json: (path, body) => (path === '/v1/packages/weather' ? evil : body) };
    const result = await run(['install', 'weather']);
    expect(result.code).not.toBe(0);
    expect(home.has('home/.pi/agent/extensions')).toBe(false);
  });

  it('a path that leaves the folder', async () => {
    home = await createPiHome(LIST);
    const bytes = archiveOf({
      'package.json': { name: 'weather', version: '1.0.0', pi: { extensions: ['./index.ts'] } },
      'index.ts': '',
      '../../../evil.ts': 'x',
    });
    const { integrityOf } = await import('../../../tool-package/integrity.ts');
    lie = {
      archive: () => bytes,
      json: (path, body) => {
        for (const version of body.versions ?? []) version.integrity = integrityOf(bytes);
        return inRecord((record) => {
          record.integrity = integrityOf(bytes);
          record.archiveSize = bytes.length;
        })(path, body);
      },
    };
    const error = await refused(['install', 'weather'], 1);
    expect(error.code).toBe('invalid_archive');
  });

  it('a locked version with other bytes: the message has all that one needs to know', async () => {
    home = await createPiHome(LIST);
    lie = {};
    expect((await run(['install', 'weather'])).code).toBe(0);
    const other = 'sha512-'.padEnd(93, 'A').concat('==');
    lie = {
      json: (path, body) => {
        for (const version of body.versions ?? []) version.integrity = other;
        return inRecord((record) => (record.integrity = other))(path, body);
      },
    };
    const error = await refused(['install', 'weather'], 5);
    expect(error.code).toBe('integrity_mismatch');
    expect(error.details).toMatchObject({
      package: 'weather',
      version: '1.0.0',
      actual: other,
      registry: url,
      source: join(home.agent, 'pi-tools.lock.json'),
    });
    expect(error.details.expected).toMatch(/^sha512-/);
    expect((await run(['update', 'weather'])).code).toBe(5);
    expect((await run(['verify'])).code).toBe(6);
  });
});

describe('a project that lies', () => {
  const install = async () => {
    home = await createPiHome(LIST);
    lie = {};
    expect((await run(['install', 'weather', '--scope', 'project'])).code).toBe(0);
  };
  const edit = (path: string, change: (text: string) => string) =>
    writeFileSync(join(home.project, path), change(home.read(`project/${path}`)));

  it.each([
    ['a folder of the user', (text: string) => text.replaceAll('.pi/extensions/weather/', 'src/')],
    ['a path upwards', (text: string) => text.replaceAll('.pi/extensions/weather/', '../home/')],
    ['an absolute path', (text: string) => text.replaceAll('.pi/extensions/weather/', '/etc/')],
    ['another package', (text: string) => text.replaceAll('.pi/extensions/weather/', '.pi/extensions/other/')],
  ])('a lock file that names %s', async (_, change) => {
    await install();
    home.write('project/src/mine.ts', 'mine');
    edit('pi-tools.lock.json', change);
    const error = await refused(['remove', 'weather', '--yes'], 1);
    expect(error.code).toBe('state_invalid');
  });

  it('a journal that names files outside', async () => {
    await install();
    const journal = {
      formatVersion: 1,
      id: 'a'.repeat(16),
      phase: 'undo',
      madeAbove: 0,
      folders: ['../home/.pi'],
      parents: [],
      files: [],
      settings: [],
      retire: [],
      clear: [],
      emptied: [],
    };
    writeFileSync(join(home.project, '.pi-tools', 'journal.json'), JSON.stringify(journal));
    const error = await refused(['list'], 1);
    expect(error.code).toBe('state_invalid');
    journal.folders = [];
    writeFileSync(
      join(home.project, '.pi-tools', 'journal.json'),
      JSON.stringify({
        ...journal,
        settings: [{ key: 'x', file: join(home.home, '.bashrc'), added: ['x'], removed: [], record: {} }],
      }),
    );
    expect((await refused(['list'], 1)).code).toBe('state_invalid');
  });

  it('a state file that would write into the user’s settings', async () => {
    await install();
    const user = (record: object) =>
      writeFileSync(
        join(home.project, '.pi-tools', 'state.json'),
        JSON.stringify({
          formatVersion: 1,
          settings: { 'pi/user': record },
          config: [],
          kept: {},
          madeFolders: [],
          madeAbove: 0,
          madeProjectFile: false,
        }),
      );
    user({ added: ['weather'], emptyList: '"bash"', created: null });
    expect((await refused(['remove', 'weather'], 1)).code).toBe('state_invalid');
    user({ added: ['weather'], emptyList: null, created: { base: ['read'], emptyObject: null, file: true } });
    expect((await run(['remove', 'weather'])).code).toBe(0);
    expect(home.read('home/.pi/agent/settings.json')).toBe(LIST);
  });

  it('a link in the place of an installed file is replaced, not followed', async () => {
    await install();
    const victim = home.write('home/victim.txt', 'precious');
    const lock = JSON.parse(home.read('project/pi-tools.lock.json'));
    const [path = ''] = Object.keys(lock.packages.weather.targets['pi/project'].files);
    const { rmSync } = await import('node:fs');
    rmSync(join(home.project, path));
    symlinkSync(victim, join(home.project, path));
    expect((await run(['list'])).json.installed[0].state).not.toBe('ok');
    expect((await run(['install', '--yes'])).code).toBe(0);
    expect(home.read('home/victim.txt')).toBe('precious');
    expect((await run(['list'])).json.installed[0].state).toBe('ok');
  });
});
