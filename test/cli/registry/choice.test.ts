import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Context } from '../../../cli/command.ts';
import { chooseRegistry } from '../../../cli/registry/choice.ts';
import {
  credentialsFile,
  findStoredToken,
  forgetToken,
  listStoredOrigins,
  storeToken,
} from '../../../cli/registry/credentials.ts';
import { originOf } from '../../../cli/registry/http.ts';
import { openRegistries, openRegistry } from '../../../cli/registry/open.ts';
import type { Problem } from '../../../schemas/problem.ts';
import { type HostileRegistry, sendJson, startHostileRegistry } from '../../support/hostile-registry.ts';

let folder: string;
let said: string[] = [];
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'pi-tools-choice-'));
  mkdirSync(join(folder, 'home'));
  mkdirSync(join(folder, 'project'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

type Files = { project?: object; user?: object; flag?: string; env?: Record<string, string> };

const context = ({ project, user, flag, env = {} }: Files): Context => {
  const home = join(folder, 'home');
  if (project !== undefined) writeFileSync(join(folder, 'project', 'pi-tools.json'), JSON.stringify(project));
  if (user !== undefined) {
    mkdirSync(join(home, '.config', 'pi-tools'), { recursive: true });
    writeFileSync(join(home, '.config', 'pi-tools', 'config.json'), JSON.stringify(user));
  }
  const environment = { env, home, cwd: join(folder, 'project'), platform: 'linux' as const, now: () => new Date(0) };
  const options = { registry: flag ?? null, offline: false } as Context['options'];
  const interrupts = { signal: new AbortController().signal, onInterrupt: () => () => {}, takeOver: () => {} };
  return {
    environment,
    options,
    interrupts,
    terminal: { say: (text: string) => said.push(text) } as never,
    listCommands: async () => [],
  };
};

const chosen = async (files: Files, name?: string): Promise<string> => {
  const { url } = await chooseRegistry(context(files), name);
  return url === null ? 'embedded' : originOf(url);
};

const A = 'https://a.example';
const B = 'https://b.example';
const C = 'https://c.example';

describe('the order', () => {
  test.each<[string, Files, string]>([
    ['nothing', {}, 'embedded'],
    ['the user', { user: { registry: A } }, A],
    ['the project before the user', { user: { registry: A }, project: { registry: B } }, B],
    ['the environment before the project', { project: { registry: B }, env: { PI_TOOLS_REGISTRY: C } }, C],
    ['an empty variable is none', { project: { registry: B }, env: { PI_TOOLS_REGISTRY: '' } }, B],
    ['the flag before all', { project: { registry: B }, env: { PI_TOOLS_REGISTRY: C }, flag: A }, A],
    ['embedded by name', { project: { registry: B }, flag: 'embedded' }, 'embedded'],
  ])('%s', async (_, files, origin) => expect(await chosen(files, 'weather')).toBe(origin));

  test.each<[string, Files, string]>([
    ['a mapped scope', { user: { registries: { '@team': A } } }, A],
    ['a mapped scope, whatever the flag says', { user: { registries: { '@team': A } }, flag: B }, A],
    ['by the project', { project: { registries: { '@team': B } } }, B],
    [
      "the user's map before the project's",
      { user: { registries: { '@team': A } }, project: { registries: { '@team': B } } },
      A,
    ],
    ['another scope', { user: { registries: { '@other': A } }, flag: B }, B],
    ['a scope like a property', { user: { registries: {} }, flag: B }, B],
  ])('%s', async (_, files, origin) => {
    expect(await chosen(files, '@team/x')).toBe(origin);
    expect(await chosen(files, '@constructor/x')).toBe(files.flag ?? 'embedded');
  });

  test.each<[string, object]>([
    ['a number', { registry: 7 }],
    ['a list', { registries: ['x'] }],
  ])('a file that does not say what it should is told: %s', async (_, project) => {
    await expect(chosen({ project })).rejects.toMatchObject({
      code: 'state_invalid',
      message: expect.stringContaining('pi-tools.json'),
    });
  });

  test('a file that does not parse is told, with the place', async () => {
    const files = context({});
    writeFileSync(join(folder, 'project', 'pi-tools.json'), '{\n  "registry": nope\n}');
    await expect(chooseRegistry(files)).rejects.toMatchObject({
      code: 'state_invalid',
      message: expect.stringContaining('pi-tools.json: is not JSON (line 2, column 16)'),
    });
  });
});

describe('where a token goes', () => {
  let registry: HostileRegistry;
  beforeEach(async () => {
    registry = await startHostileRegistry();
    registry.answer((_request, response) => sendJson(response, { user: 'a', role: 'publisher', scopes: [] }));
  });
  afterEach(() => registry.close());

  const sent = async (files: Files): Promise<string | undefined> => {
    const client = await openRegistry(context(files));
    await client.getMe();
    await client.close();
    return registry.received[0]?.headers.authorization;
  };
  const TOKEN = 'pit_from_environment';
  const env = { PI_TOOLS_TOKEN: TOKEN };

  test('PI_TOOLS_TOKEN goes to the registry that the user named', async () => {
    expect(await sent({ flag: registry.url, env })).toBe(`Bearer ${TOKEN}`);
    expect(await sent({ env: { ...env, PI_TOOLS_REGISTRY: registry.url } })).toBe(`Bearer ${TOKEN}`);
    expect(await sent({ user: { registry: registry.url }, env })).toBe(`Bearer ${TOKEN}`);
  });

  test('and never to one that only a project names; that is said', async () => {
    said = [];
    expect(await sent({ project: { registry: registry.url }, env })).toBeUndefined();
    expect(await sent({ project: { registry: registry.url }, user: { registry: A }, env })).toBeUndefined();
    expect(said[0]).toContain('--registry');
    expect(said.join()).not.toContain(TOKEN);
  });

  test('a project that names the registry of the user may use it', async () => {
    expect(await sent({ project: { registry: `${registry.url}/` }, user: { registry: registry.url }, env })).toBe(
      `Bearer ${TOKEN}`,
    );
  });

  test("a scope's registry gets no token that was meant for another", async () => {
    const files = context({ user: { registries: { '@team': registry.url } }, flag: A, env });
    const client = await openRegistry(files, '@team/x');
    await client.getMe();
    await client.close();
    expect(registry.received[0]?.headers.authorization).toBeUndefined();
  });

  test('a stored token goes to exactly its origin', async () => {
    const { environment } = context({});
    await storeToken(environment, registry.url, { token: 'pit_stored_token', user: 'a' });
    expect(await sent({ project: { registry: registry.url } })).toBe('Bearer pit_stored_token');
    expect(await sent({ flag: registry.url, env })).toBe('Bearer pit_stored_token');
  });

  test.each([
    'pit_with\nline-break',
    'pit_trailing_newline\n',
    'pit with blank',
    '\u001b[31mpit_escape',
    'tiny',
    'x'.repeat(1000),
    'pit_ünïcode',
  ])('a token like %j is refused and not printed', async (token) => {
    const problem = await openRegistry(context({ flag: registry.url, env: { PI_TOOLS_TOKEN: token } })).then(
      () => null,
      (error: Problem) => error,
    );
    expect(problem).toMatchObject({ code: 'invalid_token', exitCode: 4 });
    expect(`${problem?.message} ${problem?.hint} ${JSON.stringify(problem?.details)}`).not.toContain(
      token.trim().slice(0, 12),
    );
    expect(registry.received).toEqual([]);
  });

  test('a pool opens each registry once', async () => {
    const pool = openRegistries(context({ flag: registry.url, user: { registries: { '@team': A } } }));
    const [one, two, scoped] = await Promise.all([pool.for('x'), pool.for('y'), pool.for('@team/z')]);
    expect(one).toBe(two);
    expect(scoped?.origin).toBe(A);
    await pool.close();
  });
});

describe('credentials.json', () => {
  test('is for the owner alone, also when it was not', async () => {
    const { environment } = context({});
    await storeToken(environment, A, { token: 'pit_aaaaaaaa', user: 'a' });
    const file = credentialsFile(environment);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    chmodSync(file, 0o644);
    await storeToken(environment, B, { token: 'pit_bbbbbbbb', user: 'b' });
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(await listStoredOrigins(environment)).toEqual([A, B]);
  });

  test('holds one token for each origin; forgetting takes exactly that', async () => {
    const { environment } = context({});
    await storeToken(environment, A, { token: 'pit_aaaaaaaa', user: 'a' });
    await storeToken(environment, A, { token: 'pit_newer_one', user: 'a' });
    await storeToken(environment, `${A}/base`, { token: 'pit_base_path', user: 'a' });
    expect((await findStoredToken(environment, A))?.token).toBe('pit_newer_one');
    expect((await findStoredToken(environment, `${A}/base`))?.token).toBe('pit_base_path');
    expect(await findStoredToken(environment, B)).toBeUndefined();
    expect(await forgetToken(environment, A)).toBe(true);
    expect(await forgetToken(environment, A)).toBe(false);
    expect(await listStoredOrigins(environment)).toEqual([`${A}/base`]);
  });

  test.each(['', '[]', '{"tokens":[]}', '{"tokens":{"x":"y"}}', '{"tokens":{},"tokens":{}}'])(
    '%s is told and not overwritten',
    async (text) => {
      const { environment } = context({ user: {} });
      writeFileSync(credentialsFile(environment), text);
      const expected = text === '{"tokens":[]}' ? /tokens/ : /credentials\.json/;
      await expect(storeToken(environment, A, { token: 'pit_aaaaaaaa', user: 'a' })).rejects.toMatchObject({
        code: 'state_invalid',
        message: expect.stringMatching(expected),
      });
      expect(readFileSync(credentialsFile(environment), 'utf8')).toBe(text);
    },
  );

  test('origins like properties are only names', async () => {
    const { environment } = context({});
    expect(await findStoredToken(environment, 'constructor')).toBeUndefined();
    expect(await findStoredToken(environment, '__proto__')).toBeUndefined();
  });
});

describe('a file that somebody broke', () => {
  const inConfig = join('home', '.config', 'pi-tools', 'config.json');
  const inProject = join('project', 'pi-tools.json');
  const inCredentials = join('home', '.config', 'pi-tools', 'credentials.json');
  test.each(
    [inConfig, inProject, inCredentials].flatMap((file) => [
      [file, 'no JSON', '{"registry":'] as const,
      [file, 'a key twice', '{"registry":"https://a.example","registry":"https://b.example"}'] as const,
      [file, 'a value of another kind', '{"registry":7,"tokens":7}'] as const,
      [file, 'nothing', ''] as const,
      [file, 'bytes that are no text', Buffer.from([0xff, 0xfe])] as const,
    ]),
  )('%s: %s is told with what to do', async (file, _, bytes) => {
    mkdirSync(join(folder, 'home', '.config', 'pi-tools'), { recursive: true });
    writeFileSync(join(folder, file), bytes);
    const work = file === inCredentials ? findStoredToken(context({}).environment, A) : chooseRegistry(context({}));
    const problem = await work.then(
      () => undefined,
      (error: Problem) => error,
    );
    expect(problem?.code).toBe('state_invalid');
    expect(problem?.message).toContain(join(folder, file));
    expect(problem?.hint).toMatch(/^mend /);
  });
});
