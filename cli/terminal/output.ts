/** Writing to stdout: one JSON document, or text; a reader that went away (`| head`) is no error. */
import { escapeInJson } from './escape.ts';

/** The document of `--json`. Bidi and zero-width characters inside strings are written as `\u` escapes: the same value, harmless on a terminal. */
export const jsonDocument = (data: unknown): string => escapeInJson(JSON.stringify(data, null, 2));

export const printLine = (text: string): void => {
  process.stdout.write(`${text}\n`);
};

/** Broken pipes are quiet; any other error of the two streams is thrown. */
export const ignoreBrokenPipes = (): void => {
  for (const stream of [process.stdout, process.stderr]) {
    stream.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EPIPE') throw error;
    });
  }
};

/** Resolves when what was written has left this process (pipes are asynchronous on some systems), or the reader is gone. */
export const waitForOutput = async (): Promise<void> => {
  await Promise.all([drained(process.stdout), drained(process.stderr)]);
};

const drained = (stream: NodeJS.WriteStream): Promise<void> =>
  new Promise((done) => {
    if (stream.destroyed || stream.writableLength === 0) return done();
    stream.write('', () => done());
    stream.once('error', () => done());
  });
