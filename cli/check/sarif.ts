/**
 * Findings as SARIF 2.1.0 for CI. The same findings give the same bytes: no times, and no path but those inside the package.
 * Messages quote what others wrote: escaped, and without what a viewer would take for a link or a placeholder.
 */
import type { Finding } from '../../schemas/finding.ts';
import type { ManifestRecord } from '../../schemas/manifest.ts';
import { escapeInJson, escapeText } from '../terminal/escape.ts';
import type { RuleRow } from './rules.ts';

const LEVELS = { error: 'error', review: 'warning', warn: 'warning', info: 'note' } as const;
const SCHEMA = 'https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json';
const ROOT = 'PACKAGE';

export type SarifInput = {
  record: Pick<ManifestRecord, 'name' | 'version'>;
  findings: readonly Finding[];
  rules: readonly RuleRow[];
  /** Of pi-tools. */
  toolVersion: string;
  ruleSet: string;
};

/** `[text](url)` would be a link, `{0}` an argument (SARIF 3.11.5, 3.11.6): a package must not put either into a report. */
const messageText = (text: string): string =>
  escapeText(text)
    .replaceAll('](', '] (')
    .replace(/\{(\d+)\}/g, '{{$1}}');

/** A path in the package as a relative URI; a colon in the first part would make it a scheme. */
const uriOf = (file: string): string =>
  file
    .split('/')
    .map((part) => encodeURIComponent(part))
    .join('/');

const descriptor = ({ id, level, what, why, fix }: RuleRow): object => ({
  id,
  shortDescription: { text: messageText(what) },
  fullDescription: { text: messageText(`${what}: ${why}`) },
  help: { text: messageText(`Why: ${why}. Fix: ${fix}.`) },
  defaultConfiguration: { level: LEVELS[level] },
  properties: { level, tags: [id.split('/', 1)[0] ?? id] },
});

/** What names no file is about the package: its package.json. */
const locationOf = ({ agent, file, line, tool }: Finding): object => ({
  physicalLocation: {
    artifactLocation: { uri: uriOf(file ?? 'package.json'), uriBaseId: ROOT },
    ...(file === null || line === null ? {} : { region: { startLine: line } }),
  },
  ...(tool === null
    ? {}
    : {
        logicalLocations: [
          { name: escapeText(tool), fullyQualifiedName: escapeText(`${agent ?? 'any'}/${tool}`), kind: 'function' },
        ],
      }),
});

const resultOf = (finding: Finding, ruleIndex: number): object => ({
  ruleId: finding.rule,
  ruleIndex,
  level: LEVELS[finding.level],
  message: { text: [finding.message, ...(finding.hint === null ? [] : [finding.hint])].map(messageText).join('\n') },
  locations: [locationOf(finding)],
  properties: {
    level: finding.level,
    agent: finding.agent,
    field: finding.field === null ? null : escapeText(finding.field),
  },
});

/** A finding of a rule that is not in the list (a newer registry's) still has a descriptor: viewers ask for one. */
const withUnknown = (rules: readonly RuleRow[], findings: readonly Finding[]): RuleRow[] => {
  const known = new Set(rules.map(({ id }) => id));
  const unknown = findings.filter(({ rule }) => !known.has(rule));
  const rows = new Map(
    unknown.map(({ rule, level }) => [
      rule,
      { id: rule, level, what: rule, why: 'not known here', fix: 'see the message' },
    ]),
  );
  return [...rules, ...rows.values()];
};

/** The text of a SARIF file. */
export const sarifText = ({ record, findings, rules, toolVersion, ruleSet }: SarifInput): string => {
  const all = withUnknown(rules, findings);
  const indexes = new Map(all.map(({ id }, index) => [id, index]));
  const run = {
    tool: {
      driver: {
        name: 'pi-tools',
        version: toolVersion,
        semanticVersion: toolVersion,
        rules: all.map(descriptor),
        properties: { ruleSet },
      },
    },
    automationDetails: { id: `pi-tools/${record.name}/` },
    originalUriBaseIds: { [ROOT]: { description: { text: 'the folder of the package' } } },
    columnKind: 'utf16CodeUnits',
    results: findings.map((finding) => resultOf(finding, indexes.get(finding.rule) ?? -1)),
    properties: { package: record.name, packageVersion: record.version },
  };
  return `${escapeInJson(JSON.stringify({ $schema: SCHEMA, version: '2.1.0', runs: [run] }, null, 2))}\n`;
};
