/** What a package may do, or is seen to do, that it did not before. */
import type { Change } from '../../schemas/api/diff.ts';
import type { ManifestRecord } from '../../schemas/manifest.ts';
import { covers } from '../source/coverage.ts';

const KINDS = ['network', 'read', 'write', 'run', 'env'] as const;
type Kind = (typeof KINDS)[number];
type Allowed = ManifestRecord['permissions'];

/**
 * Declared values are compared as they are written, as consent and `change/permission` do; what the code was seen to use
 * counts where no declaration of its own version covers it.
 */
export function comparePermissions(from: Allowed, to: Allowed): Change[] {
  return KINDS.flatMap((kind) => [
    ...compareLists(`permissions.${kind}`, from.declared[kind] ?? [], to.declared[kind] ?? []),
    ...compareLists(`permissions.observed.${kind}`, undeclared(from, kind), undeclared(to, kind)),
  ]);
}

/** `*` among the observed is a value that could not be decided. */
const undeclared = ({ declared, observed }: Allowed, kind: Kind): string[] =>
  (observed?.[kind] ?? []).filter(
    (value) => !(declared[kind] ?? []).some((pattern) => covers(kind, pattern, value === '*' ? null : value)),
  );

const compareLists = (field: string, from: readonly string[], to: readonly string[]): Change[] => {
  const [before, after] = [new Set(from), new Set(to)];
  const base = { tool: null, agents: [], field, note: null };
  return [
    ...[...after]
      .filter((value) => !before.has(value))
      .map((value) => ({ ...base, class: 'new-permission' as const, from: null, to: value })),
    ...[...before]
      .filter((value) => !after.has(value))
      .map((value) => ({ ...base, class: 'removed-permission' as const, from: value, to: null })),
  ];
};
