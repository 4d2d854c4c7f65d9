/** How packages, tools and findings look on a terminal. Everything here is remote text: all of it is escaped. */

import { AGENTS, type Agent } from '../../schemas/agents.ts';
import type { Finding } from '../../schemas/finding.ts';
import type { AgentRecord, Manifest, ManifestRecord } from '../../schemas/manifest.ts';
import { escapeProse } from './escape.ts';
import type { Style } from './style.ts';
import { formatAge, formatBytes, plural } from './units.ts';
import { shorten, table, textWidth, wrapText } from './width.ts';

export type ViewOptions = { style: Style; columns: number; now: Date };

/** `a, b, c`, escaped. */
export const joinNames = (names: readonly string[]): string => names.map(escapeProse).join(', ');

const LEVELS = ['error', 'review', 'warn', 'info'] as const;

/** Findings, worst first: `error  pi/no-factory  file:line  message`, and the hint below. */
export const findingsText = (findings: readonly Finding[], options: ViewOptions): string =>
  mergeAgents(worstFirst(findings))
    .flatMap(({ finding, agents }) => findingLines(finding, finding.level, options, agents))
    .join('\n');

/** What is said of the same tool for two agents is said once. */
export const mergeAgents = (findings: readonly Finding[]): { finding: Finding; agents: Agent[] }[] => {
  const merged = new Map<string, { finding: Finding; agents: Agent[] }>();
  for (const finding of findings) {
    const { agent, evidence: _evidence, ...rest } = finding;
    const key = JSON.stringify(rest);
    const one = merged.get(key) ?? { finding, agents: [] };
    if (agent !== null && !one.agents.includes(agent)) one.agents.push(agent);
    merged.set(key, one);
  }
  return [...merged.values()];
};

export const worstFirst = (findings: readonly Finding[]): Finding[] =>
  LEVELS.flatMap((level) => findings.filter((one) => one.level === level));

/** One finding under a word of six letters at most: its level, or what became of it. */
export const findingLines = (
  finding: Finding,
  word: Finding['level'] | 'waived',
  { style, columns }: ViewOptions,
  agents: readonly Agent[] = finding.agent === null ? [] : [finding.agent],
): string[] => {
  const paint = { error: style.red, review: style.yellow, warn: style.yellow, info: style.dim, waived: style.dim };
  const place = placeOf(finding, agents);
  const wrap = (text: string) => wrapText(text, columns - 7, '       ');
  const head = `${paint[word](word.padEnd(6))} ${style.bold(escapeProse(finding.rule))}`;
  const fits = textWidth(`${word.padEnd(6)} ${finding.rule}  ${place}`) <= columns;
  const heading = place === '' ? [head] : fits ? [`${head}  ${place}`] : [head, wrap(place)];
  return [
    ...heading,
    wrap(escapeProse(finding.message)),
    ...(finding.hint === null ? [] : [style.dim(wrap(`→ ${escapeProse(finding.hint)}`))]),
  ];
};

const placeOf = (finding: Finding, agents: readonly Agent[]): string => {
  const file =
    finding.file === null ? '' : escapeProse(finding.file) + (finding.line === null ? '' : `:${finding.line}`);
  const tool = finding.tool === null ? '' : `tool ${escapeProse(finding.tool)}`;
  const loader = agents.length === 0 ? '' : `(${agents.join(', ')})`;
  return [file, [tool, loader].filter(Boolean).join(' ')].filter(Boolean).join('  ');
};

/** `1 error, 2 warnings`; `no findings`. */
export const countFindings = (findings: readonly Finding[]): string => {
  const told = mergeAgents(findings);
  const count = (level: Finding['level']) => told.filter(({ finding }) => finding.level === level).length;
  const parts = [
    count('error') && plural(count('error'), 'error'),
    count('review') && `${count('review')} to review`,
    count('warn') && plural(count('warn'), 'warning'),
    count('info') && plural(count('info'), 'note'),
  ].filter(Boolean);
  return parts.length === 0 ? 'no findings' : parts.join(', ');
};

/** In our order, whatever the order of the keys: a stored record is canonical, and so alphabetical. */
const agentsOf = ({ agents }: ManifestRecord): [string, AgentRecord][] =>
  AGENTS.flatMap((agent) => (agents[agent] === undefined ? [] : [[agent, agents[agent]] as [string, AgentRecord]]));

/** One line per tool and agent: `pi  weather  what it does`. */
export const toolRows = (record: ManifestRecord, { style, columns }: ViewOptions): string => {
  const rows = agentsOf(record).flatMap(([agent, { tools }]) =>
    tools.length === 0
      ? [[agent, style.dim('no tools'), '']]
      : tools.map((tool, at) => [
          at === 0 ? agent : '',
          style.bold(escapeProse(tool.name)),
          shorten(escapeProse(tool.description), Math.max(20, columns - 36)),
        ]),
  );
  return table(rows, '  ');
};

/** What the code may do, one line per kind; says so when nothing is declared. */
const permissionRows = (record: ManifestRecord): string[][] => {
  const rows = Object.entries(record.permissions.declared)
    .filter(([, names]) => (names?.length ?? 0) > 0)
    .map(([kind, names]) => [kind, joinNames(names ?? [])]);
  return rows.length === 0 ? [['none declared', '']] : rows;
};

/** All that a manifest says, for `info` and `pack`. */
export const manifestText = (manifest: Manifest, options: ViewOptions): string => {
  const { record, status } = manifest;
  const { style } = options;
  const head = [
    style.bold(`${record.name} ${record.version}`),
    escapeProse(record.license ?? 'no license'),
    publishedText(record, options.now),
  ];
  const sections = [
    head.filter(Boolean).join(style.dim(' · ')),
    wrapText(escapeProse(record.description), options.columns),
    ...statusLines(manifest, style),
    `${style.bold('Tools')}\n${toolRows(record, options)}`,
    `${style.bold('May use')}\n${table(permissionRows(record), '  ')}`,
    overridesText(record, style),
    dependenciesText(record, style),
    table([
      ['Size', `${formatBytes(record.archiveSize)}, ${plural(record.files.length, 'file')}`],
      ['Costs', `about ${plural(status.tokens, 'token')} in every request to the model`],
      ['Integrity', record.integrity],
    ]),
  ];
  return sections.filter(Boolean).join('\n\n');
};

const publishedText = (record: ManifestRecord, now: Date): string =>
  record.publishedAt === null
    ? ''
    : `published ${formatAge(record.publishedAt, now)}${record.publisher === null ? '' : ` by ${escapeProse(record.publisher)}`}`;

const statusLines = ({ status }: Manifest, style: Style): string[] => {
  const lines: string[] = [];
  if (status.state === 'quarantined' || status.state === 'rejected') {
    lines.push(style.red(`${status.state}: ${escapeProse(status.stateReason ?? 'no reason given')}`));
  }
  if (status.yanked !== null) lines.push(style.yellow(`yanked: ${escapeProse(status.yanked)}`));
  if (status.deprecated !== null) lines.push(style.yellow(`deprecated: ${escapeProse(status.deprecated)}`));
  return lines;
};

const overridesText = (record: ManifestRecord, style: Style): string =>
  record.overrides.length === 0
    ? ''
    : `${style.bold('Replaces built-in tools')}\n${table(
        record.overrides.map((one) => [escapeProse(one.tool), escapeProse(one.reason)]),
        '  ',
      )}`;

const dependenciesText = (record: ManifestRecord, style: Style): string => {
  const rows = [
    ...Object.entries(record.dependencies.tools).map(([name, range]) => [
      escapeProse(name),
      escapeProse(range),
      'tool package',
    ]),
    ...Object.entries(record.dependencies.npm).map(([name, range]) => [escapeProse(name), escapeProse(range), 'npm']),
  ];
  return rows.length === 0 ? '' : `${style.bold('Needs')}\n${table(rows, '  ')}`;
};
