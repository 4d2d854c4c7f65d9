/** Paths and URLs with unknown parts: joining them, and their one spelling in findings and declarations. */
import {
  type Abstract,
  concat,
  hole,
  knownText,
  type Piece,
  piecesOf,
  textOf,
  textValue,
  UNKNOWN,
  unionTaints,
  type Value,
} from './value.ts';

/** `path.join`. */
export function joinPath(all: readonly Abstract[]): Abstract {
  const args = all.map(withoutNothing);
  if (args.length === 0) return textValue('.');
  return concat(args.flatMap((arg, index) => (index === 0 ? [arg] : [textValue('/'), arg])));
}

/** A missing value would throw: it never becomes part of a path. */
function withoutNothing(part: Abstract): Abstract {
  const values = part.values.filter((value) => !(value.kind === 'literal' && (value.value ?? null) === null));
  return values.length === 0 || values.length === part.values.length ? part : { values, taints: part.taints };
}

/** `path.resolve`: from the last absolute part on; else below the working folder. */
export function resolvePath(args: readonly Abstract[]): Abstract {
  const absolute = args.findLastIndex((arg) => arg.values.every(isAbsolute));
  const parts = absolute === -1 ? [hole('cwd'), ...args] : args.slice(absolute);
  const joined = joinPath(parts);
  return { values: joined.values, taints: unionTaints(...args.map((arg) => arg.taints)) };
}

function isAbsolute(value: Value): boolean {
  const [start] = piecesOf(value);
  if (typeof start === 'string') return /^(?:\/|[A-Za-z]:[\\/]|~)/.test(start);
  return typeof start === 'object' && ['home', 'temp', 'package', 'cwd', 'agent'].includes(start.hole);
}

/** `new URL(address, base)` as text. */
export function urlOf(args: readonly Abstract[]): Abstract {
  const [address, base] = args;
  if (!address) return UNKNOWN;
  if (!base) return address;
  const taints = unionTaints(address.taints, base.taints);
  const values = address.values.flatMap((value) =>
    isUrl(value) ? [value] : base.values.map((option) => resolveUrl(value, option)),
  );
  return { values: values.slice(0, 16), taints };
}

const isUrl = (value: Value): boolean => {
  const [start] = piecesOf(value);
  return typeof start === 'string' && /^[a-z][a-z0-9+.-]*:/i.test(start);
};

function resolveUrl(value: Value, base: Value): Value {
  const pieces = piecesOf(value);
  const [start] = pieces;
  const root = knownText(base);
  if (typeof start === 'string' && start.startsWith('//')) return textOf('https:', ...pieces);
  if (typeof start === 'string' && root !== null)
    return textOf(originOf(root), start.startsWith('/') ? '' : '/', ...pieces);
  // An unknown address may be a whole URL and leave the base behind.
  if (typeof start === 'object') return { kind: 'unknown', hole: start.hole };
  return textOf(...piecesOf(base), '/', ...pieces);
}

const originOf = (url: string): string => /^[a-z][a-z0-9+.-]*:\/\/[^/?#]*/i.exec(url)?.[0] ?? url;

/** One spelling of the text of a path: `~/x`, `<temp>/x`, `<package>/x`, `<agent>/x`, `x` below the working folder, `/x`; `*` is what is not known; null: nothing is. */
export function pathText(pieces: readonly Piece[]): string | null {
  const shown = pieces
    .map((piece, index) => {
      // A text of several lines is a message that came along, no name.
      if (typeof piece === 'string') return /[\r\n]/.test(piece) ? '*' : piece;
      return index === 0 && startsPath(pieces[1]) ? startText(piece.hole) : holeText(piece.hole);
    })
    .join('');
  const text = shown.replace(/^file:\/\//, '').replaceAll('\\', '/');
  if (text === '') return '.';
  const path = tidy(text);
  return /^[*/.]*\*[*/.]*$/.test(path) ? null : path;
}

const PLACES = new Map<string, string>([
  ['home', '~'],
  ['$HOME', '~'],
  ['$USERPROFILE', '~'],
  ['temp', '<temp>'],
  ['$TMPDIR', '<temp>'],
  ['package', '<package>'],
  ['agent', '<agent>'],
  ['$PI_CODING_AGENT_DIR', '<agent>'],
  ['cwd', '.'],
  ['$PWD', '.'],
]);
const holeText = (name: string): string => PLACES.get(name) ?? '*';
/** At the beginning of a path a variable is a place. */
const startText = (name: string): string => PLACES.get(name) ?? (/^\$\w+$/.test(name) ? name : '*');

const startsPath = (next: Piece | undefined): boolean => typeof next === 'string' && /^[\\/]/.test(next);

/** Dots, double slashes and `..` resolved as far as that is possible without a file system. */
function tidy(path: string): string {
  const absolute = path.startsWith('/');
  const parts: string[] = [];
  for (const part of path.split('/')) {
    if (part === '' || part === '.') continue;
    if (part === '..' && parts.length > 0 && parts.at(-1) !== '..' && parts.at(-1) !== '*') parts.pop();
    else parts.push(part);
  }
  const joined = parts.join('/');
  if (absolute) return `/${joined}`;
  return joined === '' ? '.' : joined;
}

export type Host = { kind: 'known'; host: string } | { kind: 'variable'; name: string } | { kind: 'undecided' };

const HOST = /^(?:[a-z][a-z0-9+.-]*:)?\/\/(?:[^/?#@\\]*@)?(\[[0-9a-f:.]+\]|[^/?#:\\]*)/i;

/** The host of a URL; of one that begins with an environment variable, that variable. Null: no request to a host (`data:`, `file:`). */
export function hostOf(pieces: readonly Piece[]): Host | null {
  const [start, next] = pieces;
  if (typeof start === 'object') return hostOfHole(start.hole);
  if (start === undefined) return { kind: 'undecided' };
  const text = start.trim();
  if (/^(?:data|blob|file|node|about):/i.test(text)) return null;
  const found = HOST.exec(text);
  if (!found) return { kind: 'undecided' };
  const host = (found[1] ?? '').toLowerCase().replace(/\.$/, '');
  const ends = found[0].length < text.length || pieces.length === 1;
  if (ends && host !== '') return { kind: 'known', host };
  return partialHost(host, next, pieces[2]);
}

const hostOfHole = (name: string): Host =>
  name.startsWith('$') ? { kind: 'variable', name: name.slice(1) } : { kind: 'undecided' };

/** `https://${sub}.example.com/`: `*.example.com`; `https://${env}/`: the variable. */
function partialHost(before: string, next: Piece | undefined, after: Piece | undefined): Host {
  const name = typeof next === 'object' ? next.hole : '';
  const tail = typeof after === 'string' ? (/^[^/?#:@]*/.exec(after)?.[0] ?? '') : '';
  if (before === '' && name.startsWith('$') && !tail.startsWith('.')) return { kind: 'variable', name: name.slice(1) };
  // `${BASE}${path}`: the base is the host in all that people write; a constant continuation would have been joined.
  if (/^[a-z0-9-]+(?:\.[a-z0-9-]+)+$|^localhost$/.test(before) && !tail.startsWith('.'))
    return { kind: 'known', host: before };
  const domain =
    /^\.[a-z0-9-]+(?:\.[a-z0-9-]+)+$/i.test(tail) && !(typeof after === 'string' && after[tail.length] === '@');
  return domain ? { kind: 'known', host: `*${tail.toLowerCase()}` } : { kind: 'undecided' };
}
