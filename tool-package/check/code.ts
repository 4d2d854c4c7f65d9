/**
 * Rules `code/*` (`code/secret` is in secret.ts): what the sources do, found by evaluating them without running them.
 * Helper H's, with `tool-package/source/` behind it.
 */
import { showText } from '../show-text.ts';
import { isSourcePath } from '../source/parse.ts';
import { TOO_MUCH } from '../source/program.ts';
import { MAX_FILE_BYTES } from '../source/scan.ts';
import { binary } from './code-binary.ts';
import { dynamic } from './code-dynamic.ts';
import { exfiltration } from './code-exfiltration.ts';
import { analysisOf } from './code-facts.ts';
import { fetchAndRun } from './code-fetch-and-run.ts';
import { hostPatch } from './code-host-patch.ts';
import { insecure } from './code-insecure.ts';
import { obfuscated } from './code-obfuscated.ts';
import { shell } from './code-shell.ts';
import type { Rule } from './types.ts';

const notAnalysed: Rule = {
  id: 'code/not-analysed',
  level: 'review',
  what: 'a source that was not looked into: too large, nested too deeply, binary, not parsable, or more than is analysed',
  why: 'what was not looked into is not known to be clean; padding is a known way past scanners',
  fix: 'split it, leave out what is not needed, and publish source that parses',
  *find(facts) {
    const { notAnalysed: all } = analysisOf(facts);
    for (const { file, line, reason } of all) {
      if (reason !== TOO_MUCH) yield { file, line, message: `\`${showText(file)}\` ${reason}` };
    }
    const [first, ...others] = all.filter(({ reason }) => reason === TOO_MUCH);
    const more = others.length > 0 ? `, with ${others.length} more files,` : '';
    if (first) yield { file: first.file, line: null, message: `\`${showText(first.file)}\`${more} ${TOO_MUCH}` };
    // What is too large was never read.
    for (const { path, size } of facts.files) {
      if (isSourcePath(path) && size > MAX_FILE_BYTES && !facts.sources.has(path))
        yield {
          file: path,
          line: null,
          message: `\`${showText(path)}\` is larger than ${MAX_FILE_BYTES / 1024 / 1024} MiB`,
        };
    }
  },
};

export const CODE_RULES: readonly Rule[] = [
  dynamic,
  shell,
  exfiltration,
  fetchAndRun,
  obfuscated,
  hostPatch,
  insecure,
  binary,
  notAnalysed,
];
