/** Findings of a package that is one file: it has no package.json that its author could change. */
import type { Finding } from '../../schemas/finding.ts';

const INSTEAD = '`pi-tools init` makes a folder that can';

const MESSAGES: ReadonlyMap<string, string> = new Map([
  ['supply/no-source', 'no repository is named'],
  ['supply/no-readme', 'there is no README'],
  ['supply/no-license', 'no license is named'],
]);

/** `name`: the file, as in the archive. */
export const findingInFile = (finding: Finding, name: string): Finding => {
  const placed = finding.file === 'package.json' ? { ...finding, file: name, line: null } : finding;
  const message = MESSAGES.get(finding.rule);
  if (message !== undefined) return { ...placed, message, hint: `a single file cannot say this: ${INSTEAD}` };
  if (finding.rule === 'perm/undeclared') return { ...placed, hint: `a single file cannot declare it: ${INSTEAD}` };
  return placed;
};
