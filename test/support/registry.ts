/** A live registry on a loopback port with an empty data folder, what one does with it, and a snapshot of its world. */
import { createHash } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import type { Role, TokenScope } from '../../schemas/api/accounts.ts';
import { type RunningServer, type ServerOptions, startServer } from '../../server/main.ts';
import { makeArchive } from '../../tool-package/archive/write.ts';

export type LiveRegistry = {
  readonly url: string;
  readonly dataFolder: string;
  readonly adminToken: string;
  stop(): Promise<void>;
  /** Stops it and starts another one on the same data folder. */
  restart(options?: Partial<ServerOptions>): Promise<void>;
  /** Stops it and removes the data folder. */
  end(): Promise<void>;
};

/** Starts one; `end` it when done. */
export const startRegistry = async (options: Partial<ServerOptions> = {}): Promise<LiveRegistry> => {
  const dataFolder = options.dataFolder ?? (await mkdtemp(join(tmpdir(), 'pi-tools-registry-')));
  let server: RunningServer = await startServer({ port: 0, ...options, dataFolder });
  const adminToken = server.adminToken ?? '';
  return {
    get url() {
      return server.url;
    },
    dataFolder,
    adminToken,
    stop: () => server.stop(),
    restart: async (more = {}) => {
      await server.stop();
      server = await startServer({ port: 0, ...options, ...more, dataFolder });
    },
    end: async () => {
      await server.stop();
      await rm(dataFolder, { recursive: true, force: true });
    },
  };
};

export type Answer = {
  readonly status: number;
  readonly headers: Headers;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape
  readonly body: any;
};

type RequestOptions = {
  readonly method?: string;
  readonly token?: string;
  readonly json?: unknown;
  readonly body?: Uint8Array | string;
  readonly headers?: Record<string, string>;
};

/** One request; the body is parsed when it says that it is JSON. */
export const call = async (url: string, path: string, options: RequestOptions = {}): Promise<Answer> => {
  const headers: Record<string, string> = { ...options.headers };
  if (options.token !== undefined) headers.authorization = `Bearer ${options.token}`;
  if (options.json !== undefined) headers['content-type'] = 'application/json';
  const body = options.json === undefined ? options.body : JSON.stringify(options.json);
  const response = await fetch(new URL(path, url), {
    method: options.method ?? (body === undefined ? 'GET' : 'POST'),
    headers,
    // Node's types want a Buffer of a plain ArrayBuffer; any will do.
    ...(body === undefined ? {} : { body: body as string }),
  });
  const bytes = Buffer.from(await response.arrayBuffer());
  const isJson = /json/.test(response.headers.get('content-type') ?? '') && bytes.byteLength > 0;
  return { status: response.status, headers: response.headers, body: isJson ? JSON.parse(bytes.toString()) : bytes };
};

/** Publishes an archive. */
export const publishTo = (url: string, token: string, archive: Uint8Array, query = ''): Promise<Answer> =>
  call(url, `/v1/publish${query}`, {
    method: 'POST',
    token,
    body: archive,
    headers: { 'content-type': 'application/gzip' },
  });

/** A user with a token of all that its role may, or of `scopes`. */
export const addUser = async (
  registry: { url: string; adminToken: string },
  user: string,
  options: { role?: Role; scopes?: TokenScope[] } = {},
): Promise<string> => {
  const { role = 'publisher' } = options;
  const all: Record<Role, TokenScope[]> = {
    publisher: ['read', 'publish'],
    curator: ['read', 'publish', 'review'],
    administrator: ['read', 'publish', 'review', 'admin'],
  };
  await expectOk(call(registry.url, '/v1/users', { token: registry.adminToken, json: { user, role } }));
  const scopes = options.scopes ?? all[role];
  const made = await expectOk(call(registry.url, '/v1/tokens', { token: registry.adminToken, json: { user, scopes } }));
  return made.body.token;
};

const expectOk = async (answer: Promise<Answer>): Promise<Answer> => {
  const done = await answer;
  if (done.status >= 300) throw new Error(`unexpected answer ${done.status}: ${JSON.stringify(done.body)}`);
  return done;
};

/** Waits for the answer and fails unless it has this status. */
export const expectStatus = async (answer: Promise<Answer>, status: number): Promise<Answer> => {
  const done = await answer;
  if (done.status !== status) throw new Error(`expected ${status}, got ${done.status}: ${JSON.stringify(done.body)}`);
  return done;
};

export type PackageSketch = {
  readonly name?: string;
  readonly version?: string;
  readonly description?: string;
  readonly keywords?: string[];
  readonly readme?: string;
  /** name -> description */
  readonly tools?: Readonly<Record<string, string>>;
  /** More of package.json. */
  readonly packageJson?: Readonly<Record<string, unknown>>;
  readonly files?: Readonly<Record<string, string>>;
};

/** The archive of a pi package with small working tools. */
export const sketchArchive = (sketch: PackageSketch = {}): Buffer => {
  const { name = 'weather', version = '1.0.0', tools = { [defaultTool(name)]: `What ${name} does` } } = sketch;
  const packageJson = {
    name,
    version,
    description: sketch.description ?? `The ${name} package`,
    license: 'MIT',
    keywords: sketch.keywords ?? [],
    pi: { extensions: ['./index.ts'] },
    ...sketch.packageJson,
  };
  const files: Record<string, string> = {
    'package.json': JSON.stringify(packageJson),
    'index.ts': extensionSource(tools),
    'README.md': sketch.readme ?? `# ${name}\n`,
    ...sketch.files,
  };
  return makeArchive(Object.entries(files).map(([path, text]) => ({ path, bytes: Buffer.from(text) })));
};

const defaultTool = (name: string): string => name.replace(/^@.*\//, '').replaceAll('-', '_');

const extensionSource = (tools: Readonly<Record<string, string>>): string => {
  const registrations = Object.entries(tools).map(
    ([tool, description]) => `  pi.registerTool({
    name: ${JSON.stringify(tool)},
    label: ${JSON.stringify(tool)},
    description: ${JSON.stringify(description)},
    parameters: Type.Object({ what: Type.String({ description: 'what to look at' }) }),
    async execute() { return { content: [{ type: 'text', text: 'done' }], details: {} }; },
  });`,
  );
  return `import { Type } from 'typebox';\nexport default function (pi) {\n${registrations.join('\n')}\n}\n`;
};

/** Everything that a registry keeps: all rows of all tables, all blobs, all uploads that lie about. */
export type World = {
  readonly rows: Readonly<Record<string, readonly unknown[]>>;
  readonly blobs: readonly string[];
  readonly incoming: readonly string[];
};

const TABLES = ['users', 'tokens', 'packages', 'owners', 'versions', 'waivers', 'tags', 'events'];

export const snapshot = async (dataFolder: string): Promise<World> => {
  const database = new Sqlite(join(dataFolder, 'registry.db'), { readonly: true });
  try {
    const rows = Object.fromEntries(TABLES.map((table) => [table, database.prepare(`select * from ${table}`).all()]));
    return { rows, blobs: await listBlobs(dataFolder), incoming: await readdir(join(dataFolder, 'incoming')) };
  } finally {
    database.close();
  }
};

/** The names of all blobs; fails for one whose bytes are not what its name says. */
export const listBlobs = async (dataFolder: string): Promise<string[]> => {
  const root = join(dataFolder, 'blobs');
  const entries = await readdir(root, { recursive: true, withFileTypes: true });
  const names: string[] = [];
  for (const entry of entries.filter((found) => found.isFile())) {
    const bytes = await readFile(join(entry.parentPath, entry.name));
    if (createHash('sha512').update(bytes).digest('hex') !== entry.name)
      throw new Error(`blob ${entry.name} is damaged`);
    names.push(entry.name);
  }
  return names.sort();
};
