/** What calls of the host's functions give, as far as a permission or a rule depends on it. */
import { joinPath, pathText, resolvePath, urlOf } from './locations.ts';
import type { Machine } from './machine.ts';
import { itemsOf } from './methods.ts';
import {
  type Abstract,
  api,
  arrayOf,
  concat,
  deepTaints,
  hole,
  knownTexts,
  NOTHING,
  one,
  onlyText,
  piecesOf,
  textOf,
  textValue,
  UNKNOWN,
  union,
  unionTaints,
  unknown,
  type Value,
} from './value.ts';

type ApiValue = Extract<Value, { kind: 'api' }>;
type Model = (args: readonly Abstract[], machine: Machine) => Abstract;

/** The value of a call of something of the host, or null where there is no model for it. */
export function apiCall(machine: Machine, value: ApiValue, args: readonly Abstract[]): Abstract | null {
  const model = MODELS.get(value.path);
  if (model) return model(args, machine);
  const client = clientOf(value, args);
  if (client) return client;
  if (READS.test(value.path)) return fileContent(value.path, args);
  if (DOWNLOADS.test(value.path))
    return unknown(unionTaints(['download'], ...args.slice(0, 1).map((arg) => arg.taints)));
  if (RUNS.test(value.path)) {
    // The environment in the options is what every child gets; it is not what the child prints.
    const words = args.filter((arg) => !arg.values.some((option) => option.kind === 'object'));
    return unknown(unionTaints(printedSecrets(args), allTaints(words)));
  }
  return DECODES.test(value.path) ? unknown(unionTaints(['decoded'], allTaints(args))) : null;
}

const allTaints = (args: readonly Abstract[]): readonly string[] => unionTaints(...args.map((arg) => deepTaints(arg)));
const FS = '^node:fs(?:/promises)?\\.';
const READS = new RegExp(
  `${FS}(?:readFile|readFileSync|createReadStream|open|openSync|openAsBlob)$|^global\\.Bun\\.file$`,
);
const DOWNLOADS =
  /^(?:global\.fetch|npm:undici\.(?:fetch|request|stream)|npm:(?:axios|got|ky|node-fetch|needle|superagent|phin|wretch)(?:\.\w+)?|npm:undici\.(?:Client|Pool|Agent)#\.request|node:https?\.(?:get|request)|node:(?:net|tls|http2)\.(?:connect|createConnection))$/;
const DECODES = /^(?:node:zlib\.\w*(?:unzip|inflate|gunzip|brotliDecompress)\w*|node:crypto\.createDecipher\w*)$/i;

function fileContent(path: string, args: readonly Abstract[]): Abstract {
  const files = (args[0]?.values ?? []).map((value) => `file:${pathText(piecesOf(value)) ?? '*'}`);
  const taints = unionTaints(files, args[0]?.taints ?? []);
  return path.endsWith('.file') ? one({ kind: 'api', path: 'global.Bun.file#' }, taints) : unknown(taints);
}

const RUNS = /^(?:node:child_process\.\w+|pi\.exec|npm:execa\b.*|global\.Bun\.(?:spawn|spawnSync|\$``))$/;
const PRINTS_SECRET =
  /(?:^|[\s"'])(?:cat|type|more|less|head|tail|base64|Get-Content|xxd|tar|zip)\s[^|;&]{0,200}?([~\w./\\$-]*(?:\.ssh|\.aws|id_rsa|id_ed25519|auth\.json|\.env\b|\.netrc|\.npmrc|\.git-credentials|Login Data|Cookies)[\w./\\-]*)/;

/** Commands that print a key or a password; the first group names the program. */
const PRINTS_KEY =
  /(?:^|[\s;&|/])(gh|glab|gcloud|aws|az|git|security|secret-tool|op|pass|bw|npm|kubectl|doctl|heroku)\s(?:auth\stoken|auth\sprint-\S{3,30}token|configure\sget|account\sget-access-token|credential\s(?:fill|approve)|find-(?:generic|internet)-password|lookup|read|show|get|token|config\sview\s\S{0,20}--raw|auth:token)/;

/** What a command prints where it is a credential file or the environment. */
function printedSecrets(args: readonly Abstract[]): string[] {
  const words = args.flatMap((arg) => (arg.values[0]?.kind === 'array' ? arg.values[0].items : [arg]));
  const line = words
    .flatMap((word) => knownTexts(word).slice(0, 1))
    .join(' ')
    .slice(0, 2000);
  const file = PRINTS_SECRET.exec(line)?.[1];
  const command = PRINTS_KEY.exec(line);
  const screen =
    /(?:^|[\s;&|/])(pbpaste|wl-paste|xclip\b[^;|]{0,60}\s-o\b|xsel\b[^;|]{0,60}(?:-o|--output)\b|Get-Clipboard|screencapture|scrot|gnome-screenshot)(?:\s|$)/.exec(
      line,
    )?.[1];
  const environment = /(?:^|[\s;&|])(?:printenv|env|set)(?:\s*$|\s*[|>;])/.test(line);
  return [
    ...(file === undefined ? [] : [`file:${file}`]),
    ...(environment ? ['env:*'] : []),
    ...(command ? [`secret:${command[1] ?? ''}`] : []),
    ...(screen === undefined ? [] : [`secret:${screen.split(' ', 1)[0] ?? ''}`]),
  ];
}

const CLIENTS = /^npm:(axios\.create|got\.extend|ky\.(?:create|extend)|node-fetch)$/;

/** `axios.create({ baseURL })`: a client that remembers where its requests go. */
function clientOf(value: ApiValue, args: readonly Abstract[]): Abstract | null {
  if (!CLIENTS.test(value.path) || value.path === 'npm:node-fetch') return null;
  const path = value.path.slice(0, value.path.lastIndexOf('.'));
  const bases = (args[0]?.values ?? []).flatMap((option) => {
    if (option.kind !== 'object') return [];
    const base = option.entries.get('baseURL') ?? option.entries.get('prefixUrl');
    return base ? [base] : [];
  });
  return bases.length > 0
    ? one({ kind: 'api', path, base: union(bases) }, allTaints(args))
    : api(path, allTaints(args));
}

const first: Model = (args) => args[0] ?? NOTHING;
const number: Model = () => hole('number');
const asText: Model = (args) => concat(args.slice(0, 1));
const promises: Model = (args) => args[0] ?? NOTHING;

const MODELS = new Map<string, Model>([
  ['node:path.join', joinPath],
  ['node:path.resolve', resolvePath],
  ['node:path.normalize', joinPath],
  ['node:path.dirname', (args) => dirname(args[0])],
  ['node:path.basename', (args) => basename(args[0])],
  ['node:path.relative', (args) => unknown(allTaints(args))],
  ['node:os.homedir', () => hole('home')],
  ['node:os.tmpdir', () => hole('temp')],
  ['node:os.userInfo', () => unknown()],
  ['global.process.cwd', () => hole('cwd')],
  ['global.process.uptime', number],
  ['global.process.hrtime', number],
  ['node:url.fileURLToPath', first],
  ['node:url.pathToFileURL', first],
  ['global.Bun.fileURLToPath', first],
  ['global.String', asText],
  ['global.Number', number],
  ['global.parseInt', number],
  ['global.parseFloat', number],
  ['global.Date.now', number],
  ['global.Boolean', number],
  ['global.String.fromCharCode', fromCodes],
  ['global.String.fromCodePoint', fromCodes],
  ['global.atob', (args) => decode(args[0], 'base64')],
  ['global.unescape', uriDecoded],
  ['global.decodeURIComponent', uriDecoded],
  ['global.decodeURI', uriDecoded],
  ['global.encodeURIComponent', encoded],
  ['global.encodeURI', asText],
  ['global.Buffer.from', (args) => bufferFrom(args)],
  ['global.Buffer.concat', (args) => concatBuffers(args[0])],
  ['global.JSON.stringify', (args) => unknown(allTaints(args))],
  ['global.JSON.parse', (args) => unknown(args[0]?.taints ?? [])],
  ['global.Object.freeze', first],
  ['global.Object.seal', first],
  ['global.Object.assign', merged],
  ['global.Object.values', (args) => valuesOf(args[0])],
  ['global.Object.entries', (args) => entriesOf(args[0])],
  ['global.Object.keys', (args) => unknown(args[0] ? deepTaints(args[0]) : [])],
  ['global.Object.getPrototypeOf', (args) => prototypeOf(args[0])],
  ['global.Reflect.getPrototypeOf', (args) => prototypeOf(args[0])],
  ['global.Array.from', arrayFrom],
  ['global.Array.of', (args) => arrayOf(args)],
  ['global.structuredClone', first],
  ['global.Promise.resolve', promises],
  ['global.Promise.all', promises],
  ['global.Promise.race', (args) => union(itemsOf(args[0]))],
  ['global.Promise.any', (args) => union(itemsOf(args[0]))],
  ['global.Reflect.get', (args, machine) => machine.member(args[0] ?? UNKNOWN, args[1] ?? UNKNOWN, null)],
  ['global.Reflect.apply', (args, machine) => machine.invoke(args[0] ?? UNKNOWN, itemsOf(args[2]), args[1] ?? null)],
  ['node:util.promisify', first],
  ['node:util.callbackify', first],
  ['node:util.format', (args) => unknown(allTaints(args))],
  ['node:module.createRequire', () => api('global.require')],
  ['node:os.platform', () => unknown()],
  ['node:dgram.createSocket', () => api('node:dgram.Socket#')],
  ['node:fs.mkdtempSync', (args) => concat([args[0] ?? UNKNOWN, unknown()])],
  ['node:fs/promises.mkdtemp', (args) => concat([args[0] ?? UNKNOWN, unknown()])],
  ['node:fs/promises.realpath', first],
  ['node:fs.realpathSync', first],
  ['npm:@earendil-works/pi-coding-agent.getAgentDir', () => hole('agent')],
  ['npm:@mariozechner/pi-coding-agent.getAgentDir', () => hole('agent')],
]);

function dirname(path: Abstract | undefined): Abstract {
  return perValue(path, (value) => {
    const pieces = piecesOf(value);
    const last = pieces.at(-1);
    // What is not known at the end may have folders in it: the folder is below what is known, as the file is.
    if (typeof last !== 'string') return value;
    const at = last.lastIndexOf('/');
    return textOf(...pieces.slice(0, -1), at === -1 ? '' : last.slice(0, at));
  });
}

function basename(path: Abstract | undefined): Abstract {
  return perValue(path, (value) => {
    const last = piecesOf(value).at(-1);
    const at = typeof last === 'string' ? last.lastIndexOf('/') : -1;
    return typeof last === 'string' && at !== -1 ? textOf(last.slice(at + 1)) : { kind: 'unknown', hole: 'unknown' };
  });
}

const perValue = (abstract: Abstract | undefined, change: (value: Value) => Value): Abstract =>
  abstract ? { values: abstract.values.map(change), taints: abstract.taints } : UNKNOWN;

function fromCodes(args: readonly Abstract[]): Abstract {
  const codes = args.map((arg) => {
    const [only] = arg.values;
    return arg.values.length === 1 && only?.kind === 'literal' && typeof only.value === 'number' ? only.value : null;
  });
  if (codes.some((value) => value === null || value < 0 || value > 0x10ffff)) return unknown(['decoded']);
  return textValue(String.fromCodePoint(...codes.filter((value) => value !== null).slice(0, 5000)), ['decoded']);
}

const MAX_DECODED = 200_000;

/** Base64 or hex made text; the result is marked as decoded. */
function decode(value: Abstract | undefined, encoding: 'base64' | 'hex'): Abstract {
  const texts = knownTexts(value).filter((text) => text.length <= MAX_DECODED);
  const taints = unionTaints(['decoded'], value?.taints ?? []);
  if (texts.length === 0) return unknown(taints);
  return union(texts.map((text) => textValue(Buffer.from(text, encoding).toString('utf8'), taints)));
}

function bufferFrom(args: readonly Abstract[]): Abstract {
  const [value, encoding] = args;
  const name = onlyText(encoding)?.toLowerCase();
  if (name === 'base64' || name === 'base64url') return decode(value, 'base64');
  if (name === 'hex') return decode(value, 'hex');
  const [only] = value?.values ?? [];
  if (only?.kind === 'array') return fromCodes(only.items);
  return value && only?.kind === 'text' ? value : unknown(value ? deepTaints(value) : []);
}

const concatBuffers = (list: Abstract | undefined): Abstract => concat(itemsOf(list));

function uriDecoded(args: readonly Abstract[]): Abstract {
  const texts = knownTexts(args[0]);
  const taints = args[0]?.taints ?? [];
  if (texts.length === 0) return unknown(taints);
  return union(texts.map((text) => (text.includes('%') ? percentDecoded(text, taints) : textValue(text, taints))));
}

function percentDecoded(text: string, taints: readonly string[]): Abstract {
  try {
    return textValue(decodeURIComponent(text), unionTaints(['decoded'], taints));
  } catch {
    return unknown(taints);
  }
}

function encoded(args: readonly Abstract[]): Abstract {
  const text = onlyText(args[0]);
  const taints = args[0] ? deepTaints(args[0]) : [];
  if (text === null) return hole('quoted', taints);
  try {
    return textValue(encodeURIComponent(text), taints);
  } catch {
    // A lone surrogate.
    return unknown(taints);
  }
}

function merged(args: readonly Abstract[]): Abstract {
  const entries = new Map<string, Abstract>();
  let open = false;
  for (const value of args.flatMap((arg) => arg.values)) {
    if (value.kind === 'object') for (const [key, item] of value.entries) entries.set(key, item);
    open ||= value.kind !== 'object' || value.open;
  }
  return one({ kind: 'object', entries, open }, allTaints(args));
}

const prototypeOf = (value: Abstract | undefined): Abstract =>
  value?.values.some((item) => item.kind === 'function') ? api('global.Function.prototype') : UNKNOWN;

function valuesOf(object: Abstract | undefined): Abstract {
  const [only] = object?.values ?? [];
  if (only?.kind !== 'object') return unknown(object ? deepTaints(object) : []);
  return one({ kind: 'array', items: [...only.entries.values()], open: only.open }, object?.taints ?? []);
}

function entriesOf(object: Abstract | undefined): Abstract {
  const [only] = object?.values ?? [];
  if (only?.kind !== 'object') return unknown(object ? deepTaints(object) : []);
  const items = [...only.entries].map(([key, value]) => arrayOf([textValue(key), value]));
  return one({ kind: 'array', items, open: only.open }, object?.taints ?? []);
}

function arrayFrom(args: readonly Abstract[], machine: Machine): Abstract {
  const [source, callback] = args;
  const [only] = source?.values ?? [];
  const text = onlyText(source);
  if (text !== null) return arrayOf([...text].slice(0, 5000).map((character) => textValue(character)));
  if (only?.kind !== 'array') return unknown(source ? deepTaints(source) : []);
  return callback
    ? arrayOf(only.items.slice(0, 2000).map((item) => machine.invoke(callback, [item], null)))
    : one(only);
}

/** What `new` gives for something of the host. */
export function constructApi(machine: Machine, path: string, args: readonly Abstract[]): Abstract {
  const construct = CONSTRUCTORS.get(path);
  return construct ? construct(args, machine) : api(`${path}#`, allTaints(args));
}

const listLike: Model = ([source]) =>
  source?.values.some((value) => value.kind === 'array') ? source : unknown(source ? deepTaints(source) : []);

const CONSTRUCTORS = new Map<string, Model>([
  ['global.URL', urlOf],
  ['global.Set', listLike],
  ['global.Array', listLike],
  ['global.Uint8Array', listLike],
  ['global.Map', (args) => mapOf(args[0])],
  ['global.Proxy', first],
  ['global.Request', first],
  ['global.Error', (args) => unknown(allTaints(args))],
  ['global.String', asText],
  // What its function passes to `resolve` is not followed.
  ['global.Promise', () => UNKNOWN],
]);

function mapOf(source: Abstract | undefined): Abstract {
  const items = itemsOf(source).map((pair) => {
    const [only] = pair.values;
    return only?.kind === 'array' ? (only.items[1] ?? UNKNOWN) : UNKNOWN;
  });
  const grown = source === undefined || source.values.every((value) => value.kind === 'array' && !value.open);
  return one({ kind: 'array', items, open: true, grown }, source ? deepTaints(source) : []);
}
