/** Files that are read and written. */
import type { ApiCall } from './api-calls.ts';
import { pathText } from './locations.ts';
import type { UseValue } from './uses.ts';
import { type Abstract, isLeftOut, knownTexts, piecesOf } from './value.ts';

type Access = { kind: 'read' | 'write'; argument: number; light?: boolean };
const read = (argument = 0): Access => ({ kind: 'read', argument });
const write = (argument = 0): Access => ({ kind: 'write', argument });
const look = (argument = 0): Access => ({ kind: 'read', argument, light: true });

/** Functions of `fs`, without `Sync`. */
const FUNCTIONS = new Map<string, Access[]>([
  ['readFile', [read()]],
  ['createReadStream', [read()]],
  ['readdir', [read()]],
  ['opendir', [read()]],
  ['readlink', [look()]],
  ['realpath', [look()]],
  ['stat', [look()]],
  ['lstat', [look()]],
  ['statfs', [look()]],
  ['access', [look()]],
  ['exists', [look()]],
  ['watch', [read()]],
  ['watchFile', [read()]],
  ['openAsBlob', [read()]],
  ['glob', [read()]],
  ['writeFile', [write()]],
  ['appendFile', [write()]],
  ['createWriteStream', [write()]],
  ['mkdir', [write()]],
  ['mkdtemp', [write()]],
  ['rm', [write()]],
  ['rmdir', [write()]],
  ['unlink', [write()]],
  ['truncate', [write()]],
  ['chmod', [write()]],
  ['chown', [write()]],
  ['lchown', [write()]],
  ['utimes', [write()]],
  ['rename', [write(0), write(1)]],
  ['copyFile', [read(0), write(1)]],
  ['cp', [read(0), write(1)]],
  ['link', [read(0), write(1)]],
  ['symlink', [write(1)]],
  // fs-extra
  ['readJson', [read()]],
  ['writeJson', [write()]],
  ['outputFile', [write()]],
  ['outputJson', [write()]],
  ['ensureDir', [write()]],
  ['ensureFile', [write()]],
  ['mkdirp', [write()]],
  ['mkdirs', [write()]],
  ['remove', [write()]],
  ['emptyDir', [write()]],
  ['copy', [read(0), write(1)]],
  ['move', [write(0), write(1)]],
  ['pathExists', [look()]],
]);

const FS = /^(?:node:fs(?:\/promises)?|npm:(?:fs-extra|graceful-fs|mz\/fs))\.([A-Za-z]+)$/;

const OTHERS = new Map<string, Access[]>([
  ['global.Bun.write', [write()]],
  ['global.Bun.file', [read()]],
  ['global.Bun.mmap', [read()]],
  ['npm:globby', [read(9)]],
  ['npm:fast-glob', [read(9)]],
  ['npm:dotenv.config', [{ kind: 'read', argument: 9 }]],
  ['global.Deno.readTextFile', [read()]],
  ['global.Deno.readFile', [read()]],
  ['global.Deno.writeTextFile', [write()]],
  ['global.Deno.writeFile', [write()]],
]);

/** Constructors that open a database file. */
const DATABASES = /^(?:bun:sqlite\.Database|node:sqlite\.DatabaseSync|npm:better-sqlite3|npm:sqlite3\.Database)$/;

/** The agents' own tools for files, used inside another tool. */
const BUILT_IN =
  /^npm:@(?:earendil-works|mariozechner)\/pi-coding-agent\.create(Read|Write|Edit|Grep|Find|Ls)Tool(?:Definition)?$/;

export function fileUses(call: ApiCall): UseValue[] {
  const builtIn = call.isNew ? null : BUILT_IN.exec(call.path);
  if (builtIn) return hasOwnOperations(call) ? [] : builtInUses(builtIn[1] ?? '');
  if (call.isNew && DATABASES.test(call.path)) return databaseUses(call);
  const name = FS.exec(call.path)?.[1]?.replace(/Sync$/, '');
  if (name === 'open') return openUses(call);
  const accesses = (name === undefined ? undefined : FUNCTIONS.get(name)) ?? OTHERS.get(call.path);
  if (!accesses) return [];
  return accesses.flatMap((access) => accessUses(call, access));
}

/** `createReadTool(cwd, { operations })` reads with the author's functions, which are looked at where they are. */
export const hasOwnOperations = (call: ApiCall): boolean =>
  call.args.some((arg) => arg.values.some((value) => value.kind === 'object' && value.entries.has('operations')));

function builtInUses(tool: string): UseValue[] {
  if (tool === 'Write') return [{ kind: 'write', value: null }];
  if (tool !== 'Edit') return [{ kind: 'read', value: null }];
  return [
    { kind: 'read', value: null },
    { kind: 'write', value: null },
  ];
}

function accessUses(call: ApiCall, { kind, argument, light }: Access): UseValue[] {
  if (call.escaped) return [{ kind, value: null }];
  return pathsOf(call.args[argument]).flatMap(({ path, near }) => {
    // What a package brings along is not the user's.
    if (kind === 'read' && path?.startsWith('<package>')) return [];
    return [{ kind, value: path, ...(light ? { light } : {}), ...(near && path === null ? { near } : {}) }];
  });
}

/** A path in its one spelling; `near`: it begins with the working folder. */
type Place = { path: string | null; near: boolean };

/** The paths that an argument can be. */
function pathsOf(argument: Abstract | undefined): Place[] {
  if (!argument) return [{ path: null, near: false }];
  const places = argument.values.flatMap((value): Place[] => {
    // Descriptors and missing values are no paths; an empty one is no file.
    if (value.kind === 'literal' || isLeftOut(value)) return [];
    if (value.kind !== 'text' && value.kind !== 'unknown') return [{ path: null, near: false }];
    const pieces = piecesOf(value);
    const [start] = pieces;
    const near =
      (typeof start === 'object' && start.hole === 'cwd') || (typeof start === 'string' && start.startsWith('.'));
    return [{ path: shortened(pathText(pieces)), near }];
  });
  return places.filter(
    (place, index) => places.findIndex((other) => other.path === place.path && other.near === place.near) === index,
  );
}

/** Temporary files have names of their own: the folder is what counts. */
const shortened = (path: string | null): string | null =>
  path !== null && /^(?:<temp>|\/tmp|\/var\/tmp)(?:\/|$)/.test(path) ? '<temp>' : path;

function openUses(call: ApiCall): UseValue[] {
  const flags = call.args[1];
  const known = flags ? knownTexts(flags) : ['r'];
  const writes =
    known.length === 0
      ? flags?.values.some((value) => value.kind === 'unknown')
      : known.some((flag) => /[wa+]/.test(flag));
  const reads = known.length === 0 || known.some((flag) => /r|\+/.test(flag));
  return [...(reads ? accessUses(call, read()) : []), ...(writes ? accessUses(call, write()) : [])];
}

function databaseUses(call: ApiCall): UseValue[] {
  const memory = knownTexts(call.args[0]).some((name) => name === ':memory:' || name === '');
  if (call.args.length === 0 || memory) return [];
  const readOnly = call.args[1]?.values.some(
    (value) =>
      value.kind === 'object' &&
      ['readonly', 'readOnly'].some((key) =>
        value.entries.get(key)?.values.some((item) => item.kind === 'literal' && item.value === true),
      ),
  );
  return [...accessUses(call, read()), ...(readOnly ? [] : accessUses(call, write()))];
}
