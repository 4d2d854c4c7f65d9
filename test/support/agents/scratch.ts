/** Fresh folders below the system's temporary folder, removed after the test file. */
import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll } from 'vitest';

/** Call it at the top of a test file; the function that it gives makes one folder per call. */
export function scratchFolders(): () => string {
  const made: string[] = [];
  afterAll(() => {
    for (const folder of made) rmSync(folder, { recursive: true, force: true });
  });
  return () => {
    const folder = realpathSync(mkdtempSync(join(tmpdir(), 'pi-tools-test-')));
    made.push(folder);
    return folder;
  };
}
