/** What of Node's modules has one neutral answer: a small machine on which every program that is run ends well. */
import { inert, inertLabel } from './inert.ts';

type Exports = Readonly<Record<string, unknown>>;

const PROCESSORS = 4;
const MEMORY_BYTES = 8 * 1024 ** 3;

export const OPERATING_SYSTEM: Exports = {
  tmpdir: () => '/tmp',
  arch: () => 'x64',
  release: () => '6.0.0',
  version: () => 'Linux',
  machine: () => 'x86_64',
  endianness: () => 'LE',
  EOL: '\n',
  hostname: () => 'localhost',
  cpus: () => Array.from({ length: PROCESSORS }, () => ({ model: 'cpu', speed: 1000, times: {} })),
  availableParallelism: () => PROCESSORS,
  totalmem: () => MEMORY_BYTES,
  freemem: () => MEMORY_BYTES / 2,
  loadavg: () => [0, 0, 0],
  uptime: () => 0,
  networkInterfaces: () => ({}),
};

/** `spawnSync(…).status !== 0` asks whether a program is there. */
const spawnSync = () => {
  const output = inert('node:child_process spawnSync');
  return { status: 0, signal: null, error: undefined, pid: 1, stdout: output, stderr: output, output: [output] };
};

export const PROCESSES: Exports = { spawnSync };

type Callable = (...args: unknown[]) => unknown;

function format(first: unknown, ...rest: unknown[]): string {
  if (typeof first !== 'string') return [first, ...rest].map(shown).join(' ');
  const values = [...rest];
  const text = first.replace(/%[sdifjoO%]/g, (code) => {
    if (code === '%%') return '%';
    if (values.length === 0) return code;
    const value = values.shift();
    if (code === '%s') return `${value as string}`;
    return code === '%d' || code === '%i' || code === '%f' ? String(Number(value)) : JSON.stringify(value);
  });
  return [text, ...values.map(shown)].join(' ');
}

const shown = (value: unknown): string =>
  typeof value === 'string' ? value : (JSON.stringify(value) ?? String(value));

/** What is not here can be awaited as it is. */
const promisify = (work: Callable) => {
  if (inertLabel(work) !== undefined) return work;
  return (...args: unknown[]) =>
    new Promise((resolve, reject) => {
      const settle = (error: unknown, value: unknown) => (error ? reject(error) : resolve(value));
      work(...args, settle);
    });
};

const inherits = (child: { prototype: object }, parent: { prototype: object }): void => {
  Object.setPrototypeOf(child.prototype, parent.prototype);
};

const ESCAPE = String.fromCharCode(0x1b);
const ANSI = new RegExp(`${ESCAPE}\\[[0-9;]*m`, 'g');

export const UTILITIES: Exports = {
  format,
  promisify,
  inherits,
  deprecate: (work: unknown) => work,
  stripVTControlCharacters: (text: unknown) => `${text as string}`.replace(ANSI, ''),
};
