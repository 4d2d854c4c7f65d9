/** How rules and changes of `check` look on a terminal. */
import type { FixPlan } from '../check/fix.ts';
import { groupsOf, groupTitle, type RuleRow } from '../check/rules.ts';
import { escapeProse, escapeText } from './escape.ts';
import type { ViewOptions } from './package-view.ts';
import { plural } from './units.ts';
import { wrapText } from './width.ts';

/** Every rule: what it finds, why, how to fix it. */
export const rulesText = (rules: readonly RuleRow[], { style, columns }: ViewOptions): string => {
  const paint = { error: style.red, review: style.yellow, warn: style.yellow, info: style.dim };
  const wrap = (text: string) => wrapText(text, columns - 7, '       ');
  const ruleText = ({ id, level, what, why, fix }: RuleRow): string =>
    [
      `${paint[level](level.padEnd(6))} ${style.bold(id)}`,
      wrap(what),
      wrap(`why: ${why}`),
      style.dim(wrap(`→ ${fix}`)),
    ].join('\n');
  const groups = groupsOf(rules).map(([group, rows]) =>
    [style.bold(groupTitle(group)), ...rows.map(ruleText)].join('\n'),
  );
  return [...groups, plural(rules.length, 'rule')].join('\n\n');
};

/** What `--fix` changes, as lines that go and come, and what it leaves alone, with the reason. */
export const fixText = (
  { changes, notFixed }: Pick<FixPlan, 'changes' | 'notFixed'>,
  { style }: ViewOptions,
): string => {
  const changed = changes.flatMap(({ file, line, before, after }) => [
    style.bold(placeOf(file, line)),
    ...(before === null ? [] : [style.red(indented('-', before))]),
    style.green(indented('+', after)),
  ]);
  const left = notFixed.map(({ file, line, reason }) => `${placeOf(file, line)}: ${escapeProse(reason)}`);
  return [changed.join('\n'), left.length === 0 ? '' : `Left to you:\n${left.map((one) => `  ${one}`).join('\n')}`]
    .filter(Boolean)
    .join('\n\n');
};

const placeOf = (file: string, line: number | null): string => `${escapeText(file)}${line === null ? '' : `:${line}`}`;

const indented = (sign: string, text: string): string =>
  text
    .split(/\r?\n/)
    .map((line) => `  ${sign} ${escapeText(line.replaceAll('\t', '  '))}`)
    .join('\n');
