/** Runs the rules about code and permissions over a few files. */
import type { Permissions } from '../../../schemas/package-json.ts';
import { CODE_RULES } from '../../../tool-package/check/code.ts';
import { gatherFacts } from '../../../tool-package/check/facts.ts';
import { PERMISSION_RULES } from '../../../tool-package/check/permissions.ts';
import { SECRET_RULES } from '../../../tool-package/check/secret.ts';

export type CodeFinding = { rule: string; level: string; file: string | null; line: number | null; message: string };
export type Files = Readonly<Record<string, string | Uint8Array>>;

/** All findings of the code and permission rules; a text alone is `tool.ts`. */
export function checkCode(sources: string | Files, permissions: Permissions = {}): CodeFinding[] {
  const files = new Map(
    Object.entries(typeof sources === 'string' ? { 'tool.ts': sources } : sources).map(
      ([path, content]) => [path, typeof content === 'string' ? Buffer.from(content) : content] as const,
    ),
  );
  const facts = gatherFacts({
    packageJson: { name: 'sample', version: '1.0.0', piTools: { permissions } },
    files: [...files].map(([path, bytes]) => ({ path, size: bytes.length })),
    sources: files,
    inspections: [],
  });
  return [...CODE_RULES, ...PERMISSION_RULES, ...SECRET_RULES].flatMap((rule) =>
    [...rule.find(facts)].map((found) => ({
      rule: rule.id,
      level: found.level ?? rule.level,
      file: found.file ?? null,
      line: found.line ?? null,
      message: found.message,
    })),
  );
}

/** The ids of the rules that found something, once each, sorted. */
export const rulesOf = (sources: string | Files, permissions: Permissions = {}): string[] =>
  [...new Set(checkCode(sources, permissions).map((finding) => finding.rule))].sort();

/** The ids without those about declarations. */
export const codeRulesOf = (sources: string | Files, permissions: Permissions = {}): string[] =>
  rulesOf(sources, permissions).filter((rule) => rule.startsWith('code/'));
