/** Checks the sources; where all of them were too much for a child, fewer of them, and the rest is a finding. */
import type { Finding } from '../../schemas/finding.ts';
import { type CheckInput, type CheckResult, checkAndObserve } from '../check/index.ts';
import { isSourcePath } from '../source/parse.ts';
import type { CheckDepth } from './types.ts';

const MAX_SMALL_FILE_BYTES = 128 * 1024;
const MAX_SMALL_TOTAL_BYTES = 512 * 1024;

/** `all` sources, only `small` ones (512 KiB of them), or `none`. What is left out is never clean. */
export function checkSources(input: CheckInput, depth: CheckDepth): CheckResult {
  if (depth === 'all') return checkAndObserve(input);
  const sources = new Map<string, Uint8Array>();
  const leftOut: string[] = [];
  let total = 0;
  for (const [path, bytes] of input.sources) {
    const isSmall =
      depth === 'small' && bytes.length <= MAX_SMALL_FILE_BYTES && total + bytes.length <= MAX_SMALL_TOTAL_BYTES;
    if (isSourcePath(path) && !isSmall) {
      leftOut.push(path);
      continue;
    }
    if (isSourcePath(path)) total += bytes.length;
    sources.set(path, bytes);
  }
  const { findings } = checkAndObserve({ ...input, sources });
  return { findings: [...leftOut.slice(0, 20).map(notAnalysed), ...findings], observed: null };
}

const notAnalysed = (file: string): Finding => ({
  rule: 'inspect/unread',
  level: 'review',
  agent: null,
  tool: null,
  field: null,
  file,
  line: null,
  message: `\`${file}\` was not analysed: the sources together are too large or too complex`,
  hint: 'what was not looked at is never clean: a curator has to read it',
});
