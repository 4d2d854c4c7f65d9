/** Rules `perm/*`: what the code does, next to what its author declares. Helper H's, with `tool-package/source/` behind it. */
import type { Permissions } from '../../schemas/package-json.ts';
import { showText } from '../show-text.ts';
import { covers } from '../source/coverage.ts';
import { USE_KINDS, undeclaredUses } from '../source/permissions.ts';
import type { Use, UseKind } from '../source/types.ts';
import { analysisOf } from './code-facts.ts';
import { reachedFiles } from './reached-files.ts';
import type { Facts, Rule } from './types.ts';

const declaredBy = (facts: Facts): Permissions => facts.packageJson.piTools?.permissions ?? {};

const WHAT: Readonly<Record<UseKind, string>> = {
  network: 'talks to',
  read: 'reads',
  write: 'writes',
  run: 'runs',
  env: 'reads the environment variable',
};
const UNDECIDED: Readonly<Record<UseKind, string>> = {
  network: 'talks to a host that cannot be decided from the code',
  read: 'reads a file that cannot be decided from the code',
  write: 'writes a file that cannot be decided from the code',
  run: 'runs a program that cannot be decided from the code',
  env: 'reads environment variables that cannot be decided from the code, or all of them',
};

const message = (use: Use, all: readonly Use[]): string => {
  const values = all.slice(0, MAX_SHOWN).map((one) => `\`${showText(one.value ?? '*')}\``);
  const more = all.length > MAX_SHOWN ? ` and ${all.length - MAX_SHOWN} more` : '';
  const what = use.value === null ? UNDECIDED[use.kind] : `${WHAT[use.kind]} ${values.join(', ')}${more}`;
  return `${what}, and \`piTools.permissions.${use.kind}\` does not say so: \`${showText(use.text, 100)}\``;
};

/** What to write for a use that cannot be decided. */
const hintFor = (use: Use, all: readonly Use[]): string => {
  const list = all.slice(0, MAX_SHOWN).map((one) => `"${showText(one.value ?? '*')}"`);
  if (use.value !== null) return `add \`"${use.kind}": [${list.join(', ')}]\`, or run \`pi-tools check --fix\``;
  if (use.kind === 'read' || use.kind === 'write')
    return `add \`"${use.kind}": ["."]\` where it stays in the working folder, else \`["*"]\``;
  return `check the value against a constant list of what you declare, or add \`"${use.kind}": ["*"]\``;
};

const MAX_SHOWN = 5;

/** One call that can be of several files, or programs, is one thing to look at; one that cannot be decided is another. */
function byCall(uses: readonly Use[]): readonly (readonly Use[])[] {
  const calls = new Map<string, Use[]>();
  for (const use of uses) {
    const key = `${use.kind} ${use.file}:${use.line} ${use.value === null}`;
    calls.set(key, [...(calls.get(key) ?? []), use].slice(0, 100));
  }
  return [...calls.values()].map(withoutNarrower);
}

/** What another pattern of the same call covers says nothing new. */
const withoutNarrower = (uses: readonly Use[]): readonly Use[] =>
  uses.filter(
    (use, index) =>
      !uses.some(
        (other, at) =>
          at !== index &&
          other.value !== null &&
          covers(use.kind, other.value, use.value) &&
          (!covers(use.kind, use.value ?? '', other.value) || at < index),
      ),
  );

const undeclared: Rule = {
  id: 'perm/undeclared',
  level: 'review',
  what: 'a network host, file, program or environment variable that the code uses and `piTools.permissions` does not declare',
  why: 'the user is asked about what is declared; what is not declared happens behind their back',
  fix: 'declare it in `piTools.permissions`; `pi-tools check --fix` writes what is missing',
  *find(facts) {
    const analysis = analysisOf(facts);
    const { uses, allowLists } = analysis;
    const reached = reachedFiles(facts, analysis);
    for (const all of byCall(undeclaredUses(declaredBy(facts), uses, allowLists))) {
      const [use] = all;
      if (use === undefined) continue;
      yield {
        // A build script, a test: no entry loads it, and nothing that is loaded names it.
        ...(reached?.has(use.file) === false ? { level: 'warn' as const } : {}),
        file: use.file,
        line: use.line,
        field: `piTools.permissions.${use.kind}`,
        message: message(use, all),
        hint: hintFor(use, all),
      };
    }
  },
};

const wildcard: Rule = {
  id: 'perm/wildcard',
  level: 'review',
  what: 'a permission for everything: `*`, `/`, `**`',
  why: 'it says nothing: whatever the code does later is within it',
  fix: 'name the hosts, folders, programs and variables; `*.example.com` and a folder are fine',
  *find(facts) {
    for (const kind of USE_KINDS) {
      for (const value of declaredBy(facts)[kind] ?? []) {
        if (!isEverything(kind, value)) continue;
        yield {
          file: 'package.json',
          field: `piTools.permissions.${kind}`,
          message: `\`${kind}\` is declared for everything: \`${showText(value)}\``,
        };
      }
    }
  },
};

const isEverything = (kind: UseKind, value: string): boolean => {
  const text = value.trim();
  if (/^\*+(?:[./]\*+)*$/.test(text)) return true;
  if (kind === 'network') return /^(?:https?:\/\/)?\*(?:\.\w+)?$|^0\.0\.0\.0\/0$/.test(text);
  return (kind === 'read' || kind === 'write') && /^(?:\/|\/\*+|[A-Za-z]:[\\/]?|~\/?|~\/\*+|\$HOME\/?)$/.test(text);
};

const unused: Rule = {
  id: 'perm/unused',
  level: 'warn',
  what: 'a declared permission that nothing in the code uses',
  why: 'users are asked for more than is needed, and a later release could use it without a question',
  fix: 'remove it from `piTools.permissions`',
  *find(facts) {
    const { uses, notAnalysed } = analysisOf(facts);
    // What was not looked at may use it.
    if (notAnalysed.length > 0) return;
    for (const kind of USE_KINDS) {
      for (const value of declaredBy(facts)[kind] ?? []) {
        if (!isUsed(kind, value, uses))
          yield {
            file: 'package.json',
            field: `piTools.permissions.${kind}`,
            message: `\`${kind}\`: nothing in the code uses \`${showText(value)}\``,
          };
      }
    }
  },
};

/** An undecided use may be of anything declared; a program that is started may read, write and fetch. */
const isUsed = (kind: UseKind, value: string, uses: readonly Use[]): boolean =>
  uses.some((use) => {
    if (use.kind === 'run' && kind !== 'env' && kind !== 'run') return true;
    if (use.kind === 'read' && kind === 'write') return false;
    const ofKind = use.kind === kind;
    return ofKind && (use.value === null || use.value.startsWith('$') || covers(kind, value, use.value));
  });

export const PERMISSION_RULES: readonly Rule[] = [undeclared, wildcard, unused];
