/** How commands talk: results on stdout, talk on stderr, questions only to a person. */
import { PassThrough } from 'node:stream';
import { type Style, styleFor } from './style.ts';

export type Progress = { update(text: string): void; done(): void };

export type Terminal = {
  /** A person is there to answer: stdin and stderr are terminals, and neither --json nor CI is in the way. */
  readonly interactive: boolean;
  /** Columns of the terminal, 80 where there is none. */
  readonly columns: number;
  /** Colours for what goes to stdout. */
  readonly style: Style;
  /** A line on stdout. */
  print(text: string): void;
  /** A line of talk on stderr; silent with --quiet. */
  say(text: string): void;
  /** `warning: …` on stderr, also with --quiet. */
  warn(text: string): void;
  /** Yes or no; Ctrl-C is no. False where nobody can answer. */
  confirm(question: string): Promise<boolean>;
  /** A line that is not shown while it is typed; '' where nobody can answer. */
  secret(question: string): Promise<string>;
  /** A line that changes while work goes on; nothing where stderr is no terminal. Shown only after 150 ms. */
  progress(label: string): Progress;
  /** All of stdin as text, up to 64 KiB (tokens). */
  readInput(): Promise<string>;
};

export type TerminalOptions = {
  json: boolean;
  quiet: boolean;
  color: boolean;
  env: Readonly<Record<string, string | undefined>>;
};

const INPUT_LIMIT_BYTES = 64 * 1024;
const PROGRESS_DELAY_MS = 150;

/** The terminal of this process. */
export const createTerminal = (options: TerminalOptions): Terminal => {
  const interactive = !options.json && process.stdin.isTTY === true && process.stderr.isTTY === true && !options.env.CI;
  const talk = styleFor(options.color && process.stderr.isTTY === true ? 'on' : 'off');
  return {
    interactive,
    columns: Math.min(process.stdout.columns || 80, 120),
    style: styleFor(options.color && process.stdout.isTTY === true && !options.json ? 'on' : 'off'),
    print: (text) => void process.stdout.write(`${text}\n`),
    say: (text) => void (options.quiet || process.stderr.write(`${text}\n`)),
    warn: (text) => void process.stderr.write(`${talk.yellow('warning:')} ${text}\n`),
    confirm: async (question) => (interactive ? (await import('./prompt.ts')).askConfirm(question) : false),
    secret: async (question) => (interactive ? (await import('./prompt.ts')).askSecret(question) : ''),
    progress: (label) =>
      options.quiet || options.json || process.stderr.isTTY !== true ? SILENT : showProgress(label),
    readInput,
  };
};

const SILENT: Progress = { update: () => {}, done: () => {} };

/** One line on stderr, rewritten in place; what is quicker than a blink shows nothing. */
const showProgress = (label: string): Progress => {
  const columns = (process.stderr.columns || 80) - 1;
  let text = label;
  let shown = false;
  const draw = () => {
    shown = true;
    process.stderr.write(`\r\u001b[2K${text.slice(0, columns)}`);
  };
  const timer = setTimeout(draw, PROGRESS_DELAY_MS);
  timer.unref();
  return {
    update: (next) => {
      text = `${label} ${next}`;
      if (shown) draw();
    },
    done: () => {
      clearTimeout(timer);
      if (shown) process.stderr.write('\r\u001b[2K');
    },
  };
};

const readInput = async (): Promise<string> => {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of process.stdin.pipe(new PassThrough())) {
    chunks.push(chunk as Buffer);
    size += (chunk as Buffer).length;
    if (size > INPUT_LIMIT_BYTES) break;
  }
  return Buffer.concat(chunks).subarray(0, INPUT_LIMIT_BYTES).toString('utf8');
};
