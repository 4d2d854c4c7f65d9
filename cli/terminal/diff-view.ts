/** The changes between two versions as people read them: one section per class, texts as old and new lines. No colours. */
import type { Change, ChangeClass } from '../../schemas/api/diff.ts';
import { escapeProse, escapeText } from './escape.ts';
import { formatBytes } from './units.ts';
import { shorten, wrapText } from './width.ts';

const HEADINGS: Readonly<Record<ChangeClass, string>> = {
  'new-permission': 'May use, and did not before',
  'removed-permission': 'No longer uses',
  'new-override': 'Replaces a built-in tool, and did not before',
  'removed-override': 'No longer replaces',
  'new-tool': 'New tools',
  'removed-tool': 'Removed tools',
  'schema-narrower': 'Accepts less than before',
  'schema-wider': 'Accepts more than before',
  wording: 'Reads differently',
  'new-dependency': 'New dependencies',
  'removed-dependency': 'Dependencies gone',
  files: 'Files',
};

/** `changes` in their order; '' for none. Everything in them is remote text and is escaped. */
export const diffText = (changes: readonly Change[], columns: number): string => {
  const classes = [...new Set(changes.map((change) => change.class))];
  return classes
    .map((one) => {
      const lines = changes.filter((change) => change.class === one).map((change) => changeText(change, columns));
      return `${HEADINGS[one]}\n${lines.join('\n')}`;
    })
    .join('\n\n');
};

const changeText = (change: Change, columns: number): string => {
  const note = change.note === null ? '' : `\n${wrapText(escapeProse(change.note), columns - 4, '    ')}`;
  return bodyOf(change, columns) + note;
};

const bodyOf = (change: Change, columns: number): string => {
  const { class: one, field, from, to } = change;
  if (one === 'wording') return `  ${subjectOf(change)}\n${textLines(from, to, columns).join('\n')}`;
  if (one === 'files') return `  ${escapeProse(field ?? '')}  ${fileText(from, to)}`;
  if (one === 'new-tool' || one === 'removed-tool') return toolText(change, columns);
  if (one.endsWith('-override')) return `  ${subjectOf(change)}: ${valueText(to ?? from, columns)}`;
  const values = from !== null && to !== null ? `${valueText(from, columns)} -> ${valueText(to, columns)}` : '';
  const value = values || `${one.startsWith('schema') ? sign(from) : ''}${valueText(to ?? from, columns)}`;
  return `  ${subjectOf(change)}: ${value}`;
};

/** Of a schema, whether the keyword came or went. */
const sign = (from: unknown): string => (from === null ? '+ ' : '- ');

/** `weather (pi, slopcode)  parameters.properties.city`; the agents where it is not all of one. */
const subjectOf = ({ tool, agents, field }: Change): string => {
  const who = tool === null ? '' : escapeProse(tool) + (agents.length === 0 ? '' : ` (${agents.join(', ')})`);
  const what =
    field === null || field === 'overrides' ? '' : escapeProse(field.replace(/^(?:permissions|dependencies)\./, ''));
  return [who, what].filter(Boolean).join('  ');
};

const toolText = (change: Change, columns: number): string => {
  const definition = (change.to ?? change.from) as { description?: unknown } | null;
  const description = typeof definition?.description === 'string' ? definition.description : '';
  return `  ${subjectOf(change)}\n${wrapText(escapeProse(description), columns - 4, '    ')}`;
};

const valueText = (value: unknown, columns: number): string => {
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
  return shorten(escapeProse(text), Math.max(20, columns - 10));
};

type FileFacts = { size?: unknown; executable?: unknown };

const fileText = (from: unknown, to: unknown): string => {
  const size = (file: FileFacts | null): string => (typeof file?.size === 'number' ? formatBytes(file.size) : '?');
  const [before, after] = [from as FileFacts | null, to as FileFacts | null];
  if (before === null) return `new, ${size(after)}`;
  if (after === null) return 'gone';
  const mode =
    before.executable === after.executable ? '' : after.executable ? ', now executable' : ', not executable now';
  return `changed, ${size(before)} -> ${size(after)}${mode}`;
};

/** The lines that differ, the old ones first; what both begin or end with is left out. */
const textLines = (from: unknown, to: unknown, columns: number): string[] => {
  const [before, after] = [linesOf(from), linesOf(to)];
  const end = Math.min(before.length, after.length);
  let head = 0;
  while (head < end && before[head] === after[head]) head += 1;
  let tail = 0;
  while (tail < end - head && before.at(-1 - tail) === after.at(-1 - tail)) tail += 1;
  const marked = (lines: readonly string[], mark: string): string[] =>
    lines.slice(head, lines.length - tail).flatMap((line) => wrapLine(line, mark, columns));
  return [
    ...(head > 0 ? ['      …'] : []),
    ...marked(before, '-'),
    ...marked(after, '+'),
    ...(tail > 0 ? ['      …'] : []),
  ];
};

const linesOf = (value: unknown): string[] => {
  if (value === null || value === undefined) return [];
  if (typeof value === 'string') return value.split(/\r?\n/);
  if (Array.isArray(value) && value.every((item) => typeof item === 'string')) return value;
  return [JSON.stringify(value)];
};

const wrapLine = (line: string, mark: string, columns: number): string[] =>
  wrapText(escapeText(line), columns - 6)
    .split('\n')
    .map((part, at) => `    ${at === 0 ? mark : ' '} ${part}`);
