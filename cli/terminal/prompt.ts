/** Questions to a person. Plain lines, no redrawing: they work on any terminal, of any width, and in a recorded session. */
import { createInterface } from 'node:readline';
import { Writable } from 'node:stream';

/** Yes or no; anything but y or yes, the end of input among it, is no. */
export const askConfirm = async (question: string): Promise<boolean> => {
  const answer = await ask(`${question} [y/N] `, process.stderr);
  return /^y(?:es)?$/i.test(answer.trim());
};

/** A line that is not shown while it is typed. */
export const askSecret = async (question: string): Promise<string> => {
  process.stderr.write(`${question} (not shown): `);
  const answer = await ask('', new Writable({ write: (_chunk, _encoding, done) => done() }));
  process.stderr.write('\n');
  return answer;
};

const ask = (prompt: string, output: NodeJS.WritableStream): Promise<string> =>
  new Promise((resolve) => {
    const lines = createInterface({ input: process.stdin, output, terminal: true, historySize: 0 });
    lines.on('close', () => resolve(''));
    // The terminal is in raw mode: Ctrl-C arrives as a key, and has to mean what it always means.
    lines.on('SIGINT', () => process.kill(process.pid, 'SIGINT'));
    lines.question(prompt, (answer) => {
      resolve(answer);
      lines.close();
    });
  });
