/** What the calls of a program mean in terms of permissions. */
import type { ApiCall } from './api-calls.ts';
import { fileUses } from './file-uses.ts';
import { networkUses } from './network-uses.ts';
import { runUses } from './run-uses.ts';

export type UseKind = 'network' | 'read' | 'write' | 'run' | 'env';
/** One value of one use. `value` null: it cannot be decided from the source. */
export type UseValue = {
  kind: UseKind;
  value: string | null;
  /** Only asks about a file (`stat`, `exists`): covered by permission to read or to write it. */
  light?: boolean;
  /** The path is not known, but joined to the working folder. */
  near?: boolean;
};

/** What one call uses; empty where it needs no permission. */
export function usesOfCall(call: ApiCall): UseValue[] {
  const found = [...networkUses(call), ...fileUses(call), ...runUses(call)];
  const seen = new Set<string>();
  return found.filter((use) => {
    const key = `${use.kind} ${use.value ?? '\u0000'}`;
    return !seen.has(key) && seen.add(key);
  });
}
