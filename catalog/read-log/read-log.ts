import { type FileHandle, open } from 'node:fs/promises';
import { StringEnum } from '@earendil-works/pi-ai';
import {
  DEFAULT_MAX_BYTES,
  DEFAULT_MAX_LINES,
  type ExtensionAPI,
  formatSize,
  truncateHead,
  truncateTail,
} from '@earendil-works/pi-coding-agent';
import { type Static, Type } from 'typebox';
import { locate } from './locate.ts';
import { readHead, readTail, type Slice } from './slice.ts';

const DEFAULT_LINES = 200;
type End = 'head' | 'tail';

const Parameters = Type.Object({
  path: Type.String({
    description: 'Log file in the working folder, /var/log or /tmp; relative paths start at the working folder',
    minLength: 1,
  }),
  from: Type.Optional(
    StringEnum(['tail', 'head'] as const, {
      description: 'tail: the last lines (default); head: the first lines',
      default: 'tail',
    }),
  ),
  lines: Type.Optional(
    Type.Integer({
      description: `How many lines (default: ${DEFAULT_LINES})`,
      minimum: 1,
      maximum: DEFAULT_MAX_LINES,
      default: DEFAULT_LINES,
    }),
  ),
});
type Parameters = Static<typeof Parameters>;

export default function readLog(pi: ExtensionAPI) {
  pi.registerTool({
    name: 'read_log',
    label: 'Read a log',
    description: `Read the beginning or the end of a log file. Files of any size: only the part that is shown is read. At most ${DEFAULT_MAX_LINES} lines or ${formatSize(DEFAULT_MAX_BYTES)}; a last line says what was left out.`,
    promptSnippet: 'Read the first or last lines of a log file of any size',
    promptGuidelines: [
      'Use read_log for log files: it starts at the end, where the newest lines are. Call read_log again with more lines only when they are needed.',
    ],
    parameters: Parameters,
    prepareArguments: withPath,
    async execute(_toolCallId, params, signal, _onUpdate, ctx) {
      const from = (params.from ?? 'tail') as End;
      const lines = params.lines ?? DEFAULT_LINES;
      const { slice, size } = await readSlice(await locate(ctx.cwd, params.path), from, lines, signal);
      const shown = shorten(slice, from);
      const details = {
        path: params.path,
        from,
        lines: shown.lines,
        fileBytes: size,
        shownBytes: shown.bytes,
        cut: shown.cut,
      };
      return { content: [{ type: 'text', text: withNotice(shown, from, size) }], details };
    },
  });
}

async function readSlice(path: string, from: End, lines: number, signal: AbortSignal | undefined) {
  const file = await openFile(path);
  try {
    const info = await file.stat();
    if (info.isDirectory()) throw new Error(`${path} is a folder, not a log file.`);
    if (!info.isFile()) throw new Error(`${path} is not a regular file.`);
    const limits = { lines, bytes: 2 * DEFAULT_MAX_BYTES, signal };
    const slice = await (from === 'tail' ? readTail(file, info.size, limits) : readHead(file, info.size, limits));
    return { slice, size: info.size };
  } finally {
    await file.close();
  }
}

async function openFile(path: string): Promise<FileHandle> {
  try {
    return await open(path, 'r');
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === 'EACCES') throw new Error(`${path} may not be read by this user.`);
    throw new Error(`${path} could not be opened: ${message}`);
  }
}

/** Models that know pi's documentation call the parameter `file`. */
function withPath(args: unknown): Parameters {
  if (typeof args !== 'object' || args === null || Array.isArray(args)) return args as Parameters;
  const { file, ...rest } = args as Record<string, unknown>;
  return { ...(file === undefined ? {} : { path: file }), ...rest } as Parameters;
}

interface Shown {
  text: string;
  lines: number;
  bytes: number;
  cut: boolean;
}

/** The lines were counted already; this is pi's limit on bytes. */
function shorten(slice: Slice, from: End): Shown {
  const result = from === 'tail' ? truncateTail(slice.text) : truncateHead(slice.text);
  // truncateHead gives nothing when the first line alone is too long: show its beginning instead.
  const text = result.firstLineExceedsLimit ? firstBytes(slice.text, DEFAULT_MAX_BYTES) : result.content;
  const lines = result.firstLineExceedsLimit ? 1 : result.outputLines;
  return { text, lines, bytes: Buffer.byteLength(text, 'utf8'), cut: slice.cut || result.truncated };
}

function firstBytes(text: string, bytes: number): string {
  return new TextDecoder().decode(Buffer.from(text, 'utf8').subarray(0, bytes), { stream: true });
}

function withNotice(shown: Shown, from: End, size: number): string {
  if (size === 0) return '[The file is empty.]';
  if (!shown.cut) return shown.text;
  const which = from === 'tail' ? 'last' : 'first';
  const rest = from === 'tail' ? 'earlier' : 'later';
  const count = `${shown.lines} ${shown.lines === 1 ? 'line' : 'lines'}`;
  const notice = `[Shown: the ${which} ${count}, ${formatSize(shown.bytes)} of ${formatSize(size)}. The ${rest} part of the file was left out.]`;
  return `${shown.text.replace(/\n$/, '')}\n\n${notice}`;
}
