/** What pi's own tools do, as far as a tool that wraps one needs it: plain files and the local shell. */
import { spawn } from 'node:child_process';
import { mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { withFileMutationQueue } from './mutation-queue.ts';
import { truncateHead, truncateTail } from './truncate.ts';

export type ToolText = { content: { type: 'text'; text: string }[]; details: unknown };
type Args = Record<string, unknown>;
export type Operation = (cwd: string, args: Args, signal: AbortSignal | undefined) => Promise<ToolText>;

const MAX_FOUND = 1000;

const text = (value: string, details: unknown = undefined): ToolText => ({
  content: [{ type: 'text', text: value }],
  details,
});
const str = (value: unknown, fallback = ''): string => (typeof value === 'string' ? value : fallback);

async function read(cwd: string, args: Args, signal: AbortSignal | undefined): Promise<ToolText> {
  if (signal?.aborted) throw new Error('Operation aborted');
  const lines = (await readFile(path.resolve(cwd, str(args.path)), 'utf8')).split('\n');
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

async function write(cwd: string, args: Args): Promise<ToolText> {
  const file = path.resolve(cwd, str(args.path));
  return withFileMutationQueue(file, async () => {
    await mkdir(path.dirname(file), { recursive: true });
    await writeFile(file, str(args.content));
    return text(`Successfully wrote ${Buffer.byteLength(str(args.content))} bytes to ${str(args.path)}`);
  });
}

async function edit(cwd: string, args: Args): Promise<ToolText> {
  const file = path.resolve(cwd, str(args.path));
  const edits = (Array.isArray(args.edits) ? args.edits : []) as Args[];
  return withFileMutationQueue(file, async () => {
    const before = await readFile(file, 'utf8');
    const after = edits.reduce(
      (content, each) => replaceOnce(content, str(each.oldText), str(each.newText), str(args.path)),
      before,
    );
    await writeFile(file, after);
    return text(`Successfully replaced ${edits.length} block(s) in ${str(args.path)}.`, { diff: '' });
  });
}

function replaceOnce(content: string, from: string, to: string, file: string): string {
  const at = content.indexOf(from);
  if (from === '' || at < 0) throw new Error(`Could not find the exact text in ${file}.`);
  if (content.indexOf(from, at + 1) >= 0) throw new Error(`Found more than one occurrence of the text in ${file}.`);
  return content.slice(0, at) + to + content.slice(at + from.length);
}

function bash(cwd: string, args: Args, signal: AbortSignal | undefined): Promise<ToolText> {
  const timeoutMs = typeof args.timeout === 'number' ? args.timeout * 1000 : undefined;
  return new Promise((resolve, reject) => {
    const child = spawn('bash', ['-c', str(args.command)], {
      cwd,
      stdio: ['ignore', 'pipe', 'pipe'],
      ...(signal ? { signal } : {}),
      ...(timeoutMs ? { timeout: timeoutMs } : {}),
    });
    let output = '';
    const collect = (chunk: Buffer) => {
      output += chunk.toString('utf8');
    };
    child.stdout.on('data', collect);
    child.stderr.on('data', collect);
    child.on('error', reject);
    child.on('close', (code) => {
      const cut = truncateTail(output);
      if (code === 0) resolve(text(cut.content || '(no output)', cut.truncated ? { truncation: cut } : undefined));
      else reject(new Error(`${cut.content}\n\nCommand exited with code ${String(code)}`.trim()));
    });
  });
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
