import { type ExecFileException, execFile } from 'node:child_process';
import { resolve } from 'node:path';
import { tool } from '@slopcode-ai/plugin';
import { checkAllowed, PROGRAMS, withSafeOptions } from '../allow-list.ts';
import { splitCommandLine } from '../command-line.ts';

const DEFAULT_TIMEOUT_MS = 60_000;
const MAX_BUFFER_BYTES = 4 * 1024 * 1024;
const MAX_OUTPUT_BYTES = 30 * 1024;

export default tool({
  description: `Run one reading command in the working folder: ${PROGRAMS.join(', ')}. There is no shell: no pipes, no redirection, no variables, no wildcards.`,
  args: {
    command: tool.schema.string().min(1).describe('The command with its arguments; quote arguments that hold blanks'),
    timeout: tool.schema
      .number()
      .int()
      .min(1)
      .max(600_000)
      .optional()
      .describe('Time limit in milliseconds (default: 60000)'),
    workdir: tool.schema.string().optional().describe('Folder to run it in (default: the working folder)'),
    description: tool.schema.string().optional().describe('What the command is for, in a few words'),
  },
  async execute(args, context) {
    const words = splitCommandLine(args.command);
    checkAllowed(words);
    const cwd = resolve(context.directory, args.workdir ?? '.');
    return run(withSafeOptions(words), { cwd, timeoutMs: args.timeout ?? DEFAULT_TIMEOUT_MS, signal: context.abort });
  },
});

interface RunOptions {
  cwd: string;
  timeoutMs: number;
  signal: AbortSignal | undefined;
}

/** What the command prints, with its exit status when that is not 0: like bash, a failed command is an answer. */
function run([program = '', ...rest]: string[], { cwd, timeoutMs, signal }: RunOptions): Promise<string> {
  const limits = { cwd, timeout: timeoutMs, maxBuffer: MAX_BUFFER_BYTES, ...(signal ? { signal } : {}) };
  return new Promise((done, reject) => {
    const child = execFile(program, rest, limits, (error, stdout, stderr) => {
      const output = shorten(stdout + stderr);
      if (!error) return done(output || '[no output]');
      if (typeof error.code === 'number') return done(`${output}\n[exit status ${error.code}]`.trimStart());
      if (error.code === 'ERR_CHILD_PROCESS_STDIO_MAXBUFFER') return done(output);
      reject(new Error(whyNot(error, { timeoutMs, signal })));
    });
    // cat, wc and git shortlog would otherwise wait for input that never comes.
    child.stdin?.end();
  });
}

function whyNot(error: ExecFileException, { timeoutMs, signal }: Omit<RunOptions, 'cwd'>): string {
  if (signal?.aborted) return 'The command was cancelled.';
  if (error.killed) return `The command took longer than ${timeoutMs / 1000} s and was stopped.`;
  return `The command could not be run: ${error.message}`;
}

function shorten(output: string): string {
  const bytes = Buffer.from(output, 'utf8');
  if (bytes.length <= MAX_OUTPUT_BYTES) return output;
  const kept = new TextDecoder().decode(bytes.subarray(0, MAX_OUTPUT_BYTES), { stream: true });
  return `${kept}\n[cut: ${MAX_OUTPUT_BYTES / 1024} of ${Math.ceil(bytes.length / 1024)} KB are shown]`;
}
