/** What a tried tool gave, as the model would read it, and what was checked. All of it is somebody else's text. */
import type { TriedCall, TryAnswer } from '../try/index.ts';
import { escapeLines, escapeProse } from './escape.ts';
import type { ViewOptions } from './package-view.ts';
import { plural } from './units.ts';
import { shorten, wrapText } from './width.ts';

const MAX_LINES = 60;

export const tryText = ({ calls, enforced, not_limited: notLimited }: TryAnswer, options: ViewOptions): string =>
  [
    ...calls.map((call) => callText(call, options)),
    listText('Limited to what is declared', enforced, options),
    listText('Not limited', notLimited, options),
  ]
    .filter(Boolean)
    .join('\n\n');

const listText = (heading: string, lines: readonly string[], { columns, style }: ViewOptions): string =>
  lines.length === 0
    ? ''
    : `${style.bold(heading)}\n${lines.map((line) => wrapText(escapeProse(line), columns - 2, '  ')).join('\n')}`;

const callText = (call: TriedCall, options: ViewOptions): string => {
  const { style, columns } = options;
  const args = shorten(escapeProse(JSON.stringify(call.args) ?? ''), columns - 4);
  const time = call.elapsed_ms === null ? '' : style.dim(`  ${call.elapsed_ms} ms`);
  return [
    `${style.bold(`${escapeProse(call.tool)} (${call.agent})`)}${time}\n  ${args}`,
    receivedText(call, options),
    call.printed === '' ? '' : `${style.dim('The code printed')}\n${indented(call.printed)}`,
    call.checks.map((check) => checkText(check, options)).join('\n'),
  ]
    .filter(Boolean)
    .join('\n');
};

const receivedText = ({ received, threw }: TriedCall, { style }: ViewOptions): string => {
  if (received === null) return style.red('The model receives nothing');
  const heading = threw === null ? 'The model receives' : style.red('It threw; the model receives the error');
  const images = received.images === 0 ? '' : `\n  (${plural(received.images, 'image')})`;
  return `${heading}\n${indented(received.text)}${images}`;
};

const indented = (text: string): string => {
  const lines = escapeLines(text).split('\n');
  const more = lines.length > MAX_LINES ? [`… ${plural(lines.length - MAX_LINES, 'more line')} (all with --json)`] : [];
  return [...lines.slice(0, MAX_LINES), ...more].map((line) => `  ${line}`).join('\n');
};

const checkText = ({ id, ok, message }: TriedCall['checks'][number], { style }: ViewOptions): string => {
  const mark = ok === null ? style.dim('-   ') : ok ? style.green('ok  ') : style.red('FAIL');
  return `${mark} ${id}: ${escapeProse(message)}`;
};
