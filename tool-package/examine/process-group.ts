/** A child process with everything it starts, ended as a whole: V8's flags see neither WebAssembly nor esbuild. */
import { type ChildProcess, spawn } from 'node:child_process';
import { readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const live = new Set<ChildProcess>();

/** Under test this module is TypeScript, which Node 20 cannot run: the build is used. */
const built = import.meta.url.endsWith('.ts') ? '../../dist/tool-package/' : '../';
const builtFile = (name: string): string => fileURLToPath(new URL(built + name, import.meta.url));

/** The child in one file, made by build-child.ts; in `inspect/`, since its modules look for files beside them there. */
export const BUNDLED_CHILD = builtFile('inspect/examining-child.js');
/** The modules that went into it. */
export const BUNDLED_INPUTS = builtFile('inspect/examining-child.json');

/** The bundled child, unless a module is newer than it. All files of an installed package have one date. */
function findChildFile(): string {
  const modules = builtFile('examine/child.js');
  try {
    const made = statSync(BUNDLED_CHILD).mtimeMs;
    const inputs = JSON.parse(readFileSync(BUNDLED_INPUTS, 'utf8')) as string[];
    const folder = path.dirname(BUNDLED_INPUTS);
    return inputs.every((input) => statSync(path.join(folder, input)).mtimeMs <= made) ? BUNDLED_CHILD : modules;
  } catch {
    return modules;
  }
}

let childFile: string | undefined;

/** Starts the child in a group of its own, with no variable of ours. */
export function startChild(): ChildProcess {
  childFile ??= findChildFile();
  const child = spawn(process.execPath, ['--expose-gc', '--max-old-space-size=384', childFile], {
    cwd: path.dirname(childFile),
    detached: process.platform !== 'win32',
    env: process.platform === 'win32' ? { SystemRoot: 'C:\\Windows' } : {},
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  });
  if (live.size === 0) process.on('exit', killAll);
  live.add(child);
  child.once('exit', () => forget(child));
  child.once('error', () => forget(child));
  return child;
}

function forget(child: ChildProcess): void {
  live.delete(child);
  if (live.size === 0) process.off('exit', killAll);
}

function killAll(): void {
  for (const child of live) killGroup(child);
}

/** Ends the child and all that it started. */
export function killGroup(child: ChildProcess): void {
  if (child.pid === undefined) return;
  try {
    process.kill(-child.pid, 'SIGKILL');
  } catch {
    // Gone already, or a platform without groups.
    child.kill('SIGKILL');
  }
}
