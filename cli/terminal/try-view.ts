/** What a tried tool gave, as the model would read it, and what was checked. All of it is somebody else's text. */
import type { TriedCall, TryAnswer } from '../try/index.ts';
import { escapeLines, escapeProse } from './escape.ts';
import type { ViewOptions } from './package-view.ts';
import { plural } from './units.ts';
import { shorten, wrapText } from './width.ts';

const MAX_LINES = 60;
const MAX_CHARACTERS = 5000;

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
    `${style.bold(`${escapeProse(call.tool)} (${call.agent})`.trim())}${time}\n  ${args}`,
    receivedText(call, options),
    call.printed === '' ? '' : `${style.dim('The code printed')}\n${indented(call.printed)}`,
    call.checks.map((check) => checkText(check, options)).join('\n'),
  ]
    .filter(Boolean)
    .join('\n');
};

const receivedText = (call: TriedCall, { style }: ViewOptions): string => {
  const { received, updates } = call;
  if (received === null) return style.red('The model receives nothing');
  const heading = call.threw === null ? 'The model receives' : style.red(threwText(call));
  const more = [
    ...(received.images === 0 ? [] : [plural(received.images, 'image')]),
    ...(updates === 0 ? [] : [`${plural(updates, 'update')} while it ran, for the user`]),
  ].map((one) => style.dim(`  (${one})`));
  const text = received.text === '' ? style.dim('  (no text)') : indented(received.text);
  return [heading, text, ...more].join('\n');
};

const threwText = ({ threw_kind: kind, threw_at: at }: TriedCall): string =>
  kind === 'arguments'
    ? 'It was not called with these arguments; the model receives the error'
    : `It threw${at === null ? '' : ` at ${escapeProse(at)}`}; the model receives the error`;

/** A part of it that fits a terminal: the whole is in `--json`. */
const indented = (text: string): string => {
  const all = escapeLines(text).split('\n');
  const lines = all.slice(0, MAX_LINES);
  const shown = lines.join('\n').slice(0, MAX_CHARACTERS).split('\n');
  const isCut = shown.length < all.length || shown.join('\n').length < lines.join('\n').length;
  const rest = isCut ? [`… ${plural(all.length, 'line')}, ${plural(text.length, 'character')} in all: see --json`] : [];
  return [...shown, ...rest].map((line) => `  ${line}`).join('\n');
};

const checkText = ({ id, ok, message }: TriedCall['checks'][number], { style, columns }: ViewOptions): string => {
  const mark = ok === null ? style.dim('-   ') : ok ? style.green('ok  ') : style.red('FAIL');
  return `${mark} ${wrapText(`${id}: ${escapeProse(message)}`, columns - 5, '     ').trimStart()}`;
};
