/** Checks the sources; where all of them were too much for a child, fewer of them, and the rest is a finding. */
import type { Finding } from '../../schemas/finding.ts';
import { type CheckInput, type CheckResult, checkAndObserve } from '../check/index.ts';
import { showText } from '../show-text.ts';
import { isSourcePath } from '../source/parse.ts';
import { MAX_FILE_BYTES } from '../source/scan.ts';
import type { CheckDepth } from './types.ts';

const MAX_SMALL_FILE_BYTES = 128 * 1024;
const MAX_SMALL_TOTAL_BYTES = 512 * 1024;
const MAX_NAMED = 20;

/** `all` sources, only `small` ones (512 KiB of them), or `none`. What is left out is never clean. */
export function checkSources(input: CheckInput, depth: CheckDepth): CheckResult {
  // A file that is too large by itself is said by `code/not-analysed`: once is enough.
  const notKept = input.files.filter(
    ({ path, size }) => isSourcePath(path) && size <= MAX_FILE_BYTES && !input.sources.has(path),
  );
  const unseen = notKept.map(({ path }) => notAnalysed(path, 'the package has more text than is looked at'));
  if (depth === 'all') {
    const result = checkAndObserve(input);
    return { ...result, findings: [...unseen.slice(0, MAX_NAMED), ...result.findings] };
  }
  const { sources, leftOut } = smallSources(input.sources, depth);
  const { findings } = checkAndObserve({ ...input, sources });
  unseen.push(...leftOut.map((path) => notAnalysed(path, 'the sources together are too large or too complex')));
  return { findings: [...unseen.slice(0, MAX_NAMED), ...findings], observed: null };
}

function smallSources(all: ReadonlyMap<string, Uint8Array>, depth: CheckDepth) {
  const sources = new Map<string, Uint8Array>();
  const leftOut: string[] = [];
  let total = 0;
  for (const [path, bytes] of all) {
    const isSource = isSourcePath(path);
    const fits = bytes.length <= MAX_SMALL_FILE_BYTES && total + bytes.length <= MAX_SMALL_TOTAL_BYTES;
    if (isSource && !(depth === 'small' && fits)) {
      leftOut.push(path);
      continue;
    }
    if (isSource) total += bytes.length;
    sources.set(path, bytes);
  }
  return { sources, leftOut };
}

const notAnalysed = (file: string, why: string): Finding => ({
  rule: 'inspect/unread',
  level: 'review',
  agent: null,
  tool: null,
  field: null,
  file,
  line: null,
  message: `\`${showText(file)}\` was not analysed: ${why}`,
  hint: 'what was not looked at is never clean: a curator has to read it',
});
