/** A plan and an answer in words. */
import type { Agent } from '../../schemas/agents.ts';
import { escapeText } from '../terminal/escape.ts';
import type { ChangeRow } from './change.ts';
import type { Plan } from './plan.ts';
import type { RunAnswer } from './run.ts';

const versions = ({ from, to }: ChangeRow): string => {
  if (from === null) return to ?? '';
  return to === null ? from : `${from} -> ${to}`;
};

/** `install weather 1.0.0 into pi/user: weather`. */
const rowText = (row: ChangeRow): string => {
  const tools = row.tools.length === 0 ? 'no tools' : row.tools.map(escapeText).join(', ');
  return `${row.action} ${row.package} ${versions(row)} (${row.target}): ${tools}`;
};

/** The lines that are shown before anything is written. */
export function planLines(plan: Plan): string[] {
  return [
    ...plan.changes.flatMap(({ rows }) => rows.map(rowText)),
    ...plan.changes.flatMap(({ settings }) =>
      settings.flatMap(({ file, add, remove, create }) => [
        ...(add.length > 0
          ? [`${create === null ? 'add to' : 'make'} allowedTools in ${file}: ${add.join(', ')}`]
          : []),
        ...(remove.length > 0 ? [`take out of allowedTools in ${file}: ${remove.join(', ')}`] : []),
      ]),
    ),
  ];
}

const DONE: Readonly<Record<ChangeRow['action'], string>> = {
  install: 'installed',
  update: 'updated',
  remove: 'removed',
  rollback: 'rolled back',
  repair: 'repaired',
};

const RELOAD: Readonly<Record<Agent, string>> = {
  pi: 'pi: /reload in a running session, or start it again',
  slopcode: 'SlopCode: restart it',
  opencode: 'opencode: restart it',
};

const agentsOf = (answer: RunAnswer): Agent[] => [
  ...new Set(answer.changes.map(({ target }) => target.split('/')[0] as Agent)),
];

/** Whether anything enforces allowedTools: pi does not; an extension can. */
const enforcement = (answer: RunAnswer): string[] => {
  const pi = answer.changes.some(({ target }) => target.startsWith('pi/'));
  const touched = answer.settings.some(({ added, removed }) => added.length + removed.length > 0);
  if (!pi || !touched) return [];
  if (answer.enforcedBy !== null) return [`allowedTools is enforced by the package ${answer.enforcedBy}`];
  return ["pi itself does not act on allowedTools (pi-tools' docs/allowed-tools.md says what does)"];
};

const trust = (answer: RunAnswer): string[] =>
  answer.changes.some(({ target, action }) => target === 'pi/project' && action !== 'remove')
    ? ['pi reads .pi of its working folder only, and only after you trust the project']
    : [];

/** The result for people; the last line says what has to be reloaded. */
export function answerText(answer: RunAnswer, tense: 'done' | 'would'): string {
  const rows = answer.changes.map((row) => {
    const text = rowText(row);
    return tense === 'would' ? `would ${text}` : text.replace(row.action, DONE[row.action]);
  });
  const settings = answer.settings.flatMap(({ file, added, removed, created }) => [
    ...(added.length > 0 ? [`allowedTools${created ? ' (new list)' : ''} in ${file}: added ${added.join(', ')}`] : []),
    ...(removed.length > 0 ? [`allowedTools in ${file}: removed ${removed.join(', ')}`] : []),
  ]);
  const notes = answer.notes.map(escapeText);
  if (answer.changes.length === 0) return [...settings, ...notes].join('\n') || 'nothing to do';
  const after = tense === 'would' ? [] : agentsOf(answer).map((agent) => RELOAD[agent]);
  return [...rows, ...settings, ...notes, ...enforcement(answer), ...trust(answer), ...after].join('\n');
}
