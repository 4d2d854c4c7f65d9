/** What an update changes, short enough to be read before one says yes: the files are only counted. */
import type { Change } from '../../schemas/api/diff.ts';
import type { VersionDiff } from '../install/diffs.ts';
import { diffText } from './diff-view.ts';
import { escapeProse } from './escape.ts';

/** Takes what changed between two versions of one package, gives an indented block with a heading. */
export const updateText = (diff: VersionDiff, columns: number): string => {
  const { package: name, from, to, changes, unknown } = diff;
  const heading = `What changes in ${name} from ${from} to ${to}`;
  if (unknown !== null) return `${heading} is not known: ${escapeProse(unknown)}`;
  const seen = changes.filter((change) => change.class !== 'files');
  const files = filesText(changes.filter((change) => change.class === 'files'));
  const more = files === '' ? '' : `${files}; see them with: pi-tools diff ${name} ${from} ${to}`;
  const body = [diffText(seen, columns - 2) || 'No tool, permission or dependency', more].filter(Boolean).join('\n\n');
  return `${heading}:\n${body.replace(/^(?=.)/gm, '  ')}`;
};

const filesText = (files: readonly Change[]): string => {
  const added = files.filter(({ from }) => from === null).length;
  const gone = files.filter(({ to }) => to === null).length;
  const changed = files.length - added - gone;
  const counts = [
    [changed, 'changed'],
    [added, 'new'],
    [gone, 'gone'],
  ] as const;
  const parts = counts.flatMap(([count, what]) => (count === 0 ? [] : [`${count} ${what}`]));
  return parts.length === 0 ? '' : `Files: ${parts.join(', ')}`;
};
