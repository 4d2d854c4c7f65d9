import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { z } from 'zod';

const TIMEOUT_MS = 20_000;

export default {
  description: 'Add two numbers in Python',
  args: {
    a: z.number().describe('First number'),
    b: z.number().describe('Second number'),
  },
  async execute(args: { a: number; b: number }, context: { abort?: AbortSignal }): Promise<string> {
    // Beside this file, wherever the package is installed: the working folder and the worktree are the project's.
    const script = join(import.meta.dirname, 'add.py');
    return runPython([script, String(args.a), String(args.b)], context.abort);
  },
};

function runPython(words: string[], signal: AbortSignal | undefined): Promise<string> {
  return new Promise((resolve, reject) => {
    execFile('python3', words, { timeout: TIMEOUT_MS, ...(signal ? { signal } : {}) }, (error, stdout, stderr) => {
      if (!error) return resolve(stdout.trim());
      if (error.code === 'ENOENT') return reject(new Error('python-add needs python3, and it is not on the PATH.'));
      reject(new Error(`python3 failed: ${stderr.trim().split('\n').at(-1) || error.message}`));
    });
  });
}
