/** Permissions that the code uses, next to those that its author declares. The rules of matching: docs/permissions.md. */
import type { Permissions } from '../../schemas/package-json.ts';
import { analyseSources } from './analyse.ts';
import { covers, wildcardMatch } from './coverage.ts';
import type { Analysis, Use, UseKind } from './types.ts';

export const USE_KINDS: readonly UseKind[] = ['network', 'read', 'write', 'run', 'env'];

/** What the code uses; `undecided`: the kinds of which some value could not be decided (they have `*` in `permissions` too). */
export type ObservedPermissions = Required<Permissions> & { undecided: UseKind[] };
export type Observation = {
  permissions: ObservedPermissions;
  uses: readonly Use[];
  /** The constant lists that the code checks programs and hosts against. */
  allowLists: readonly string[][];
};

/** What all sources of an archive use (path -> bytes of the kept files). Never throws. */
export const observePermissions = (sources: ReadonlyMap<string, Uint8Array>): Observation =>
  summarize(analyseSources(sources));

/** The same from an analysis that was made already. */
export function summarize(analysis: Analysis): Observation {
  const { uses } = analysis;
  const permissions: ObservedPermissions = { network: [], read: [], write: [], run: [], env: [], undecided: [] };
  for (const kind of USE_KINDS) {
    const values = uses.filter((use) => use.kind === kind && !use.light).map((use) => use.value ?? '*');
    permissions[kind] = withoutCombinations(kind, [...new Set(values)]).sort();
    // Asking whether a file is there counts as reading where nothing else covers it.
    if (kind === 'read') permissions.read = withLooks(permissions, uses);
    if (uses.some((use) => use.kind === kind && use.value === null)) permissions.undecided.push(kind);
  }
  return { permissions, uses, allowLists: analysis.allowLists };
}

function withLooks({ read }: ObservedPermissions, uses: readonly Use[]): string[] {
  const writes = uses.filter((use) => use.kind === 'write' && use.value !== null);
  const looks = uses.filter((use) => use.light && use.value !== null).map((use) => use.value ?? '');
  const covered = (value: string): boolean =>
    read.some((known) => covers('read', known, value)) || writes.some((use) => covers('write', use.value ?? '', value));
  return [...new Set([...read, ...looks.filter((value) => !covered(value))])].sort();
}

/** A text of several alternatives gives all combinations: what a pattern among them covers need not be said. */
function withoutCombinations(kind: UseKind, values: readonly string[]): string[] {
  if (kind !== 'read' && kind !== 'write') return [...values];
  const patterns = values.filter((value) => value !== '*' && value.includes('*')).slice(0, 200);
  return values.filter((value) => !patterns.some((pattern) => pattern !== value && wildcardMatch(pattern, value)));
}

/** Uses that no declaration covers, the first of each kind and value. */
export function undeclaredUses(
  declared: Permissions,
  uses: readonly Use[],
  allowLists: readonly string[][] = [],
): Use[] {
  const found = new Map<string, Use>();
  for (const use of uses) {
    const key = `${use.kind} ${use.value ?? '\u0000'}`;
    if (!found.has(key) && !isCovered(declared, use, allowLists)) found.set(key, use);
  }
  return [...found.values()];
}

/**
 * Whether a declaration covers a use. A value that cannot be decided is covered where the code itself checks it against
 * a list (`allowLists`: the constant lists that it looks values up in) all of whose members are declared.
 */
function isCovered(declared: Permissions, use: Use, allowLists: readonly string[][]): boolean {
  const own = declared[use.kind] ?? [];
  if (own.some((pattern) => covers(use.kind, pattern, use.value))) return true;
  if (use.light && (declared.write ?? []).some((pattern) => covers('write', pattern, use.value))) return true;
  if (use.value !== null || (use.kind !== 'run' && use.kind !== 'network' && use.kind !== 'env')) return false;
  return allowLists.some((names) => names.every((name) => own.some((pattern) => covers(use.kind, pattern, name))));
}

/**
 * The declarations to add so that everything observed is declared; `{}` where nothing is missing.
 * `observed`: the uses, or the summary of them.
 */
export function missingDeclarations(declared: Permissions, observed: Observation | ObservedPermissions): Permissions {
  const uses = 'uses' in observed ? observed.uses : usesOfSummary(observed);
  const missing: Permissions = {};
  const lists = 'uses' in observed ? observed.allowLists : [];
  for (const use of undeclaredUses(declared, uses, lists)) {
    const value = declarationFor(use);
    const values = missing[use.kind] ?? [];
    if (!values.includes(value)) missing[use.kind] = [...values, value].sort();
  }
  for (const kind of USE_KINDS) {
    const values = missing[kind];
    if (values) missing[kind] = withoutCovered(kind, values);
  }
  return missing;
}

/** What another declaration covers need not be said. */
function withoutCovered(kind: UseKind, values: readonly string[]): string[] {
  if (values.includes('*')) return ['*'];
  const kept: string[] = [];
  for (const value of [...values].sort((left, right) => left.length - right.length)) {
    if (!kept.some((other) => covers(kind, other, value))) kept.push(value);
  }
  return kept.sort();
}

const usesOfSummary = (observed: ObservedPermissions): Use[] =>
  USE_KINDS.flatMap((kind) =>
    observed[kind].map((value) => ({
      kind,
      value: value === '*' ? null : value,
      light: false,
      file: '',
      line: 1,
      text: '',
    })),
  );

/** What an author would write for a use. */
const declarationFor = (use: Pick<Use, 'kind' | 'value' | 'near'>): string => use.value ?? (use.near ? '.' : '*');
