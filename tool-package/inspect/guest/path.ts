/** `node:path` for POSIX paths, with a fixed working folder: no path of the machine can come out of it. */

export const WORKING_FOLDER = '/home/user/project';

const text = (value: unknown): string => `${value as string}`;

export function normalize(value: unknown): string {
  const input = text(value);
  const isAbsolute = input.startsWith('/');
  const parts: string[] = [];
  for (const part of input.split('/')) {
    if (part === '' || part === '.') continue;
    if (part !== '..') parts.push(part);
    else if (parts.length > 0 && parts.at(-1) !== '..') parts.pop();
    else if (!isAbsolute) parts.push('..');
  }
  const body = parts.join('/') + (input.endsWith('/') && parts.length > 0 ? '/' : '');
  return isAbsolute ? `/${body}` : body || '.';
}

const join = (...parts: unknown[]): string =>
  normalize(
    parts
      .map(text)
      .filter((part) => part !== '')
      .join('/'),
  );

export function resolve(...parts: unknown[]): string {
  const whole = parts
    .map(text)
    .reduce((base, part) => (part.startsWith('/') ? part : part === '' ? base : `${base}/${part}`), WORKING_FOLDER);
  const clean = normalize(whole);
  return clean.length > 1 && clean.endsWith('/') ? clean.slice(0, -1) : clean;
}

const trimmed = (value: unknown): string => {
  const input = text(value);
  return input.length > 1 ? input.replace(/\/+$/, '') || '/' : input;
};

function dirname(value: unknown): string {
  const input = trimmed(value);
  const at = input.lastIndexOf('/');
  if (at < 0) return '.';
  return at === 0 ? '/' : input.slice(0, at);
}

function basename(value: unknown, suffix?: unknown): string {
  const input = trimmed(value);
  const base = input.slice(input.lastIndexOf('/') + 1);
  const ending = suffix === undefined ? '' : text(suffix);
  return ending !== '' && base !== ending && base.endsWith(ending) ? base.slice(0, -ending.length) : base;
}

function extname(value: unknown): string {
  const base = basename(value);
  const at = base.lastIndexOf('.');
  return at <= 0 ? '' : base.slice(at);
}

function relative(from: unknown, to: unknown): string {
  const start = resolve(from).split('/').filter(Boolean);
  const end = resolve(to).split('/').filter(Boolean);
  let shared = 0;
  while (shared < start.length && start[shared] === end[shared]) shared++;
  return [...start.slice(shared).map(() => '..'), ...end.slice(shared)].join('/');
}

const isAbsolute = (value: unknown): boolean => text(value).startsWith('/');

function parse(value: unknown) {
  const base = basename(value);
  const ext = extname(value);
  const root = isAbsolute(value) ? '/' : '';
  const dir = dirname(value);
  return {
    root,
    dir: dir === '.' && !text(value).startsWith('.') ? '' : dir,
    base,
    ext,
    name: ext ? base.slice(0, -ext.length) : base,
  };
}

const format = (value: { dir?: string; root?: string; base?: string; name?: string; ext?: string }): string => {
  const base = value.base ?? `${value.name ?? ''}${value.ext ?? ''}`;
  return value.dir ? `${value.dir}/${base}` : `${value.root ?? ''}${base}`;
};

const sep = '/';
const delimiter = ':';

const members = {
  normalize,
  join,
  resolve,
  dirname,
  basename,
  extname,
  relative,
  isAbsolute,
  parse,
  format,
  sep,
  delimiter,
};

/** The module's exports. */
export const POSIX_PATH: Readonly<Record<string, unknown>> = { ...members, posix: members };
