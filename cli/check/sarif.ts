/**
 * Findings as SARIF 2.1.0 for CI. The same findings give the same bytes: no times, and no path but those inside the package.
 * Messages quote what others wrote: escaped, and without what a viewer would take for a link or a placeholder.
 */
import type { Finding } from '../../schemas/finding.ts';
import type { ManifestRecord } from '../../schemas/manifest.ts';
import { sha256Hex } from '../../tool-package/integrity.ts';
import { escapeInJson, escapeText } from '../terminal/escape.ts';
import type { RuleRow } from './rules.ts';

const LEVELS = { error: 'error', review: 'warning', warn: 'warning', info: 'note' } as const;
const SCHEMA = 'https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json';
const ROOT = 'PACKAGE';
/** What CI services resolve by themselves: the checkout, in which pi-tools runs. */
const CHECKOUT = '%SRCROOT%';

export type SarifInput = {
  /** Null: it could not be read. */
  record: Pick<ManifestRecord, 'name' | 'version'> | null;
  findings: readonly Finding[];
  rules: readonly RuleRow[];
  /** Of pi-tools. */
  toolVersion: string;
  ruleSet: string;
  /** Where the package lies, as a URI relative to the working folder that ends in `/`; null where it does not lie there. */
  folder: string | null;
  /** Why nothing was examined. */
  failure: string | null;
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

const resultOf = (finding: Finding, ruleIndex: number, fingerprint: string): object => ({
  ruleId: finding.rule,
  ruleIndex,
  level: LEVELS[finding.level],
  message: { text: [finding.message, ...(finding.hint === null ? [] : [finding.hint])].map(messageText).join('\n') },
  locations: [locationOf(finding)],
  partialFingerprints: { 'piToolsFinding/v1': fingerprint },
  properties: {
    level: finding.level,
    agent: finding.agent,
    field: finding.field === null ? null : escapeText(finding.field),
  },
});

/** What a finding says, without its line: it is the same finding when code above it moves. Equal ones are numbered. */
const fingerprintsOf = (findings: readonly Finding[]): string[] => {
  const seen = new Map<string, number>();
  return findings.map(({ rule, agent, tool, field, file, message }) => {
    const hash = sha256Hex(JSON.stringify([rule, agent, tool, field, file, message]));
    const count = (seen.get(hash) ?? 0) + 1;
    seen.set(hash, count);
    return `${hash}:${count}`;
  });
};

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

const invocationOf = (failure: string | null): object =>
  failure === null
    ? { executionSuccessful: true }
    : {
        executionSuccessful: false,
        toolExecutionNotifications: [{ level: 'error', message: { text: messageText(failure) } }],
      };

const baseIdsOf = (folder: string | null): object => {
  const description = { text: 'the folder of the package' };
  if (folder === null) return { [ROOT]: { description } };
  return {
    [ROOT]: { uri: folder, uriBaseId: CHECKOUT, description },
    [CHECKOUT]: { description: { text: 'the folder that pi-tools ran in' } },
  };
};

/** The text of a SARIF file. */
export const sarifText = ({ record, findings, rules, toolVersion, ruleSet, folder, failure }: SarifInput): string => {
  const all = withUnknown(rules, findings);
  const indexes = new Map(all.map(({ id }, index) => [id, index]));
  const fingerprints = fingerprintsOf(findings);
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
    invocations: [invocationOf(failure)],
    automationDetails: { id: record === null ? 'pi-tools/' : `pi-tools/${record.name}/` },
    originalUriBaseIds: baseIdsOf(folder),
    columnKind: 'utf16CodeUnits',
    results: findings.map((one, at) => resultOf(one, indexes.get(one.rule) ?? -1, fingerprints[at] ?? '')),
    ...(record === null ? {} : { properties: { package: record.name, packageVersion: record.version } }),
  };
  return `${escapeInJson(JSON.stringify({ $schema: SCHEMA, version: '2.1.0', runs: [run] }, null, 2))}\n`;
};
