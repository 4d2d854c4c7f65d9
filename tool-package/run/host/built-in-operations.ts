/** What pi's own tools do, as far as a tool that wraps one needs it: plain files and the local shell. */
import { spawn } from 'node:child_process';
import { mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { withFileMutationQueue } from './mutation-queue.ts';
import { truncateHead, truncateTail } from './truncate.ts';

export type ToolText = { content: { type: 'text'; text: string }[]; details: unknown };
type Args = Record<string, unknown>;
/** What an extension puts in the place of this machine: another disk, another shell (pi's `operations`, `spawnHook`). */
export type Elsewhere = {
  operations?: Partial<FileOperations> & { exec?: Exec };
  commandPrefix?: string;
  spawnHook?: (context: SpawnContext) => SpawnContext;
};
type SpawnContext = { command: string; cwd: string; env: NodeJS.ProcessEnv };
type FileOperations = {
  access(path: string): Promise<unknown>;
  readFile(path: string): Promise<Buffer>;
  writeFile(path: string, content: string): Promise<unknown>;
  mkdir(path: string): Promise<unknown>;
};
type ExecOptions = { onData(data: Buffer): void; signal?: AbortSignal; timeout?: number; env?: NodeJS.ProcessEnv };
type Exec = (command: string, cwd: string, options: ExecOptions) => Promise<{ exitCode: number | null }>;

export type Operation = (
  cwd: string,
  args: Args,
  signal: AbortSignal | undefined,
  elsewhere: Elsewhere,
) => Promise<ToolText>;

const LOCAL: FileOperations = {
  access: () => Promise.resolve(),
  readFile: (path) => readFile(path),
  writeFile: (path, content) => writeFile(path, content),
  mkdir: (path) => mkdir(path, { recursive: true }),
};

/** With operations of its own, a tool touches no file of this machine. */
const filesOf = ({ operations }: Elsewhere): FileOperations => ({ ...LOCAL, ...operations });

const MAX_FOUND = 1000;

const text = (value: string, details: unknown = undefined): ToolText => ({
  content: [{ type: 'text', text: value }],
  details,
});
const str = (value: unknown, fallback = ''): string => (typeof value === 'string' ? value : fallback);

async function read(cwd: string, args: Args, signal: AbortSignal | undefined, elsewhere: Elsewhere): Promise<ToolText> {
  if (signal?.aborted) throw new Error('Operation aborted');
  const file = path.resolve(cwd, str(args.path));
  const files = filesOf(elsewhere);
  await files.access(file);
  const lines = (await files.readFile(file)).toString('utf8').split('\n');
  const start = typeof args.offset === 'number' ? Math.max(0, args.offset - 1) : 0;
  if (start >= lines.length)
    throw new Error(`Offset ${String(args.offset)} is beyond end of file (${lines.length} lines total)`);
  const end = typeof args.limit === 'number' ? start + args.limit : lines.length;
  const cut = truncateHead(lines.slice(start, end).join('\n'));
  if (!cut.truncated) return text(cut.content);
  const last = start + cut.outputLines;
  return text(
    `${cut.content}\n\n[Showing lines ${start + 1}-${last} of ${lines.length}. Use offset=${last + 1} to continue.]`,
    { truncation: cut },
  );
}

async function write(cwd: string, args: Args, _signal: unknown, elsewhere: Elsewhere): Promise<ToolText> {
  const files = filesOf(elsewhere);
  const file = path.resolve(cwd, str(args.path));
  return withFileMutationQueue(file, async () => {
    await files.mkdir(path.dirname(file));
    await files.writeFile(file, str(args.content));
    return text(`Successfully wrote ${Buffer.byteLength(str(args.content))} bytes to ${str(args.path)}`);
  });
}

async function edit(cwd: string, args: Args, _signal: unknown, elsewhere: Elsewhere): Promise<ToolText> {
  const files = filesOf(elsewhere);
  const file = path.resolve(cwd, str(args.path));
  const edits = (Array.isArray(args.edits) ? args.edits : []) as Args[];
  return withFileMutationQueue(file, async () => {
    const before = (await files.readFile(file)).toString('utf8');
    const after = edits.reduce(
      (content, each) => replaceOnce(content, str(each.oldText), str(each.newText), str(args.path)),
      before,
    );
    await files.writeFile(file, after);
    return text(`Successfully replaced ${edits.length} block(s) in ${str(args.path)}.`, { diff: '' });
  });
}

function replaceOnce(content: string, from: string, to: string, file: string): string {
  const at = content.indexOf(from);
  if (from === '' || at < 0) throw new Error(`Could not find the exact text in ${file}.`);
  if (content.indexOf(from, at + 1) >= 0) throw new Error(`Found more than one occurrence of the text in ${file}.`);
  return content.slice(0, at) + to + content.slice(at + from.length);
}

const localExec: Exec = (command, cwd, { onData, signal, timeout, env }) =>
  new Promise((resolve, reject) => {
    const child = spawn('bash', ['-c', command], {
      cwd,
      env,
      stdio: ['ignore', 'pipe', 'pipe'],
      ...(signal ? { signal } : {}),
      ...(timeout ? { timeout: timeout * 1000 } : {}),
    });
    child.stdout.on('data', onData);
    child.stderr.on('data', onData);
    child.on('error', reject);
    child.on('close', (exitCode) => resolve({ exitCode }));
  });

async function bash(
  cwd: string,
  args: Args,
  signal: AbortSignal | undefined,
  { operations, commandPrefix, spawnHook }: Elsewhere,
): Promise<ToolText> {
  const command = [...(commandPrefix === undefined ? [] : [commandPrefix]), str(args.command)].join('\n');
  const context = { command, cwd, env: { ...process.env } };
  const { command: line, cwd: folder, env } = spawnHook?.(context) ?? context;
  const chunks: Buffer[] = [];
  const { exitCode } = await (operations?.exec ?? localExec)(line, folder, {
    onData: (data) => chunks.push(data),
    env,
    ...(signal ? { signal } : {}),
    ...(typeof args.timeout === 'number' ? { timeout: args.timeout } : {}),
  });
  const cut = truncateTail(Buffer.concat(chunks).toString('utf8'));
  if (exitCode !== 0) throw new Error(`${cut.content}\n\nCommand exited with code ${String(exitCode)}`.trim());
  return text(cut.content || '(no output)', cut.truncated ? { truncation: cut } : undefined);
}

async function ls(cwd: string, args: Args): Promise<ToolText> {
  const names = await readdir(path.resolve(cwd, str(args.path, '.')), { withFileTypes: true });
  const lines = names.map((entry) => (entry.isDirectory() ? `${entry.name}/` : entry.name)).sort();
  return text(lines.join('\n') || '(empty directory)');
}

async function filesBelow(folder: string): Promise<string[]> {
  if ((await stat(folder)).isFile()) return [folder];
  const entries = await readdir(folder, { withFileTypes: true, recursive: true });
  return entries
    .filter(
      (entry) =>
        entry.isFile() && !entry.parentPath.includes(`${path.sep}.git`) && !entry.parentPath.includes('node_modules'),
    )
    .map((entry) => path.join(entry.parentPath, entry.name))
    .sort();
}

function globPattern(glob: string): RegExp {
  const body = glob
    .replace(/[.+^${}()|[\]\\]/g, '\\$&')
    .replace(/\*\*\/?|\*|\?/g, (part) => (part === '?' ? '[^/]' : part === '*' ? '[^/]*' : '.*'));
  return new RegExp(`^${body}$`);
}

async function find(cwd: string, args: Args): Promise<ToolText> {
  const root = path.resolve(cwd, str(args.path, '.'));
  const pattern = globPattern(str(args.pattern, '*'));
  const byName = !str(args.pattern).includes('/');
  const found = (await filesBelow(root))
    .map((file) => path.relative(root, file))
    .filter((file) => pattern.test(byName ? path.basename(file) : file));
  return text(found.slice(0, MAX_FOUND).join('\n') || 'No files found matching pattern');
}

async function grep(cwd: string, args: Args): Promise<ToolText> {
  const root = path.resolve(cwd, str(args.path, '.'));
  const source = args.literal === true ? str(args.pattern).replace(/[.*+?^${}()|[\]\\]/g, '\\$&') : str(args.pattern);
  const pattern = new RegExp(source, args.ignoreCase === true ? 'i' : '');
  const found: string[] = [];
  for (const file of await filesBelow(root)) {
    const lines = (await readFile(file, 'utf8')).split('\n');
    lines.forEach((line, index) => {
      if (pattern.test(line)) found.push(`${path.relative(root, file) || path.basename(file)}:${index + 1}: ${line}`);
    });
  }
  const limit = typeof args.limit === 'number' ? args.limit : 100;
  return text(found.slice(0, limit).join('\n') || 'No matches found');
}

const powershell: Operation = () => Promise.reject(new Error('PowerShell is not part of this host.'));

export const BUILT_IN_OPERATIONS: ReadonlyMap<string, Operation> = new Map<string, Operation>([
  ['read', read],
  ['write', write],
  ['edit', edit],
  ['bash', bash],
  ['powershell', powershell],
  ['ls', ls],
  ['find', find],
  ['grep', grep],
]);
