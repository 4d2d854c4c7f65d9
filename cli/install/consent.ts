/** What the user has to agree to before anything is written, and how it is asked, or refused where nobody can answer. */
import { Problem } from '../../schemas/problem.ts';
import { builtInsOf } from '../agents/tool-names.ts';
import { escapeText } from '../terminal/escape.ts';
import { type Pick, permissionsOf } from './build-change.ts';
import type { Session } from './session.ts';
import { toolsFor } from './source.ts';
import type { Installed } from './world.ts';

export type Consent =
  | { kind: 'override'; package: string; tool: string; agent: string; reason: string | null }
  | { kind: 'permissions'; package: string; lines: string[] }
  | { kind: 'widened'; package: string; lines: string[] }
  | { kind: 'unlisted'; package: string; version: string; state: string }
  | { kind: 'modified'; package: string; files: string[] };

const linesOf = (permissions: Readonly<Record<string, readonly string[]>>): string[] =>
  Object.entries(permissions).flatMap(([kind, values]) => values.map((value) => `${kind} ${escapeText(value)}`));

/** Built-ins that the picked version replaces, by agent. */
export function overridesOf(pick: Pick): { tool: string; agent: string }[] {
  const agents = [...new Set(pick.places.map(({ agent }) => agent))];
  return agents.flatMap((agent) =>
    toolsFor(pick.source, agent)
      .filter(({ name }) => builtInsOf(agent).has(name))
      .map(({ name }) => ({ tool: name, agent })),
  );
}

/** What one pick needs, given what is installed of it now. */
export function consentFor(pick: Pick, before: Installed | undefined): Consent[] {
  const { source } = pick;
  const name = `${source.name}@${source.version}`;
  const known = new Set(before?.locked.overrides ?? []);
  const overrides = overridesOf(pick)
    .filter(({ tool }) => !known.has(tool))
    .map(({ tool, agent }): Consent => {
      const reason = source.record.overrides.find((declared) => declared.tool === tool)?.reason ?? null;
      return { kind: 'override', package: name, tool, agent, reason };
    });
  const unlisted: Consent[] =
    source.status === null || source.status.state === 'listed'
      ? []
      : [{ kind: 'unlisted', package: name, version: source.version, state: source.status.state }];
  return [...overrides, ...permissionConsent(pick, before), ...unlisted];
}

function permissionConsent(pick: Pick, before: Installed | undefined): Consent[] {
  const name = `${pick.source.name}@${pick.source.version}`;
  const lines = linesOf(permissionsOf(pick.source));
  if (before === undefined) return lines.length === 0 ? [] : [{ kind: 'permissions', package: name, lines }];
  const old = new Set(linesOf(before.locked.permissions));
  const wider = lines.filter((line) => !old.has(line));
  return wider.length === 0 ? [] : [{ kind: 'widened', package: name, lines: wider }];
}

const question = (consent: Consent): string => {
  const what = `\`${consent.package}\``;
  if (consent.kind === 'override') {
    const why =
      consent.reason === null
        ? 'without declaring it'
        : `because: "${escapeText(consent.reason).replace(/[.。]$/u, '')}"`;
    return `${what} replaces ${consent.agent}'s own tool \`${consent.tool}\`, ${why}. Allow it?`;
  }
  if (consent.kind === 'permissions') return `${what} wants: ${consent.lines.join(', ')}. Allow it?`;
  if (consent.kind === 'widened')
    return `${what} wants more than the installed version: ${consent.lines.join(', ')}. Allow it?`;
  if (consent.kind === 'modified')
    return `files of ${what} were changed here: ${consent.files.join(', ')}. Overwrite or remove them?`;
  return `${what} is not listed (${consent.state}). Use it all the same?`;
};

function refusal(consent: Consent): Problem {
  const details = { ...consent };
  const what = `\`${consent.package}\``;
  if (consent.kind === 'override') {
    const how = consent.reason === null ? ', without declaring it' : '';
    return new Problem('override_refused', `${what} replaces ${consent.agent}'s own tool \`${consent.tool}\`${how}`, {
      hint: `if you want that: --allow-override ${consent.tool}`,
      details,
    });
  }
  if (consent.kind === 'unlisted') {
    return new Problem('version_not_listed', `${what} is not listed (it is ${consent.state})`, {
      hint: 'wait for a curator, or use --yes if you know what it is',
      details,
    });
  }
  if (consent.kind === 'modified') {
    return new Problem('locally_modified', `files of ${what} were changed here: ${consent.files.join(', ')}`, {
      hint: 'keep a copy of what you want, then use --yes',
      details,
    });
  }
  return new Problem('consent_required', `${what} wants more than the installed version: ${consent.lines.join(', ')}`, {
    hint: 'look at it with `pi-tools diff`, then use --yes',
    details,
  });
}

/** Whether the flags already say yes; `--yes` never says yes to an override. */
function isGranted(consent: Consent, session: Session, allowedOverrides: readonly string[]): boolean {
  if (consent.kind === 'override') return allowedOverrides.includes(consent.tool);
  if (session.options.yes) return true;
  return consent.kind === 'permissions' && !session.interactive;
}

/** Asks for everything that is not granted yet. Problem `override_refused`, `consent_required`, `version_not_listed`, `locally_modified`. */
export async function obtainConsent(
  consents: readonly Consent[],
  session: Session,
  allowedOverrides: readonly string[],
): Promise<void> {
  for (const consent of consents) {
    if (isGranted(consent, session, allowedOverrides)) {
      if (consent.kind === 'permissions') session.say(`${consent.package} may use: ${consent.lines.join(', ')}`);
      continue;
    }
    // --yes answers what it may answer; an override is still a question to a person who is there.
    if (session.interactive && (await session.confirm(question(consent)))) continue;
    if (consent.kind === 'permissions') throw declined(consent.package);
    throw refusal(consent);
  }
}

const declined = (name: string): Problem =>
  new Problem('consent_required', `the permissions of \`${name}\` were declined`, { hint: 'nothing was changed' });
