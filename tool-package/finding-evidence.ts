/** The hash that a waiver is bound to; apart from how it is found out what a finding is about, which is heavy. */
import type { Finding } from '../schemas/finding.ts';
import { canonicalJson } from './canonical.ts';
import { sha256Hex } from './integrity.ts';

/**
 * The hash over what a finding says and what it is about. The line is left out: where the file is the same it is the
 * same, and where the file changed its hash says so. So is the agent: what is the same for two of them is one decision.
 */
export function evidenceOf(finding: Finding, about: unknown): string {
  const { rule, level, tool, field, file, message } = finding;
  const text = JSON.stringify({ rule, level, tool, field, file, message, about }, (_key, value: unknown) =>
    // Half a character, which a message can quote, has no canonical form.
    typeof value === 'string' ? value.replace(/\p{Cs}/gu, '?') : value,
  );
  return sha256Hex(canonicalJson(JSON.parse(text)));
}
