/** What `remove` means: which targets, what else nobody needs then, and what forbids it. */

import { Problem } from '../../schemas/problem.ts';
import { checkPackageName } from '../../tool-package/name.ts';
import type { GlobalOptions } from '../command.ts';
import type { Removal } from './build-change.ts';
import type { Consent } from './consent.ts';
import { listChanged } from './drift.ts';
import type { Goal } from './plan.ts';
import { type Installed, listInstalled, lockOf, type World } from './world.ts';

/** What --agent and --scope leave. */
export type Choice = Pick<GlobalOptions, 'agents' | 'scope'>;

const targetsOf = (found: readonly Installed[]): string => found.map(({ place }) => place.target).join(', ');

const notInstalled = (name: string, choice: Choice, elsewhere: readonly Installed[]): Problem => {
  const where = [choice.agents.join(', '), choice.scope ?? ''].filter(Boolean).join(' ');
  const here = where === '' ? '' : ` for ${where}`;
  const hint =
    elsewhere.length > 0 ? `it is installed in ${targetsOf(elsewhere)}` : '`pi-tools list` shows what is installed';
  return new Problem('not_installed', `\`${name}\` is not installed${here}`, {
    hint,
    details: { package: name, installedIn: elsewhere.map(({ place }) => place.target) },
  });
};

/** The targets where a package is, as far as --agent and --scope choose them. Problem `not_installed` (names where it is), `usage` when it is in both scopes for one agent. */
export function getInstalled(world: World, choice: Choice, name: string): Installed[] {
  checkPackageName(name);
  const all = listInstalled(world).filter((one) => one.name === name);
  const chosen = all.filter(
    ({ place }) =>
      (choice.agents.length === 0 || choice.agents.includes(place.agent)) &&
      (choice.scope === null || choice.scope === place.scope),
  );
  if (chosen.length === 0) throw notInstalled(name, choice, all);
  // One install may have gone to the user's pi and the project's SlopCode: only twice for one agent is a question.
  if (new Set(chosen.map(({ place }) => place.agent)).size < chosen.length) {
    throw new Problem('usage', `\`${name}\` is installed in both scopes (${targetsOf(chosen)})`, {
      hint: 'say which with --scope user or --scope project',
      details: { package: name, installedIn: chosen.map(({ place }) => place.target) },
    });
  }
  return chosen;
}

const isWished = (world: World, installed: Installed): boolean =>
  installed.place.scope === 'user'
    ? installed.locked.wanted !== undefined
    : Object.hasOwn(world.project?.file.tools ?? {}, installed.name);

/** Packages in the same targets that nobody asked for and, without the leaving ones, nobody needs. */
function findOrphans(world: World, leaving: readonly Installed[]): Installed[] {
  const key = ({ name, place }: Installed): string => `${name} ${place.target}`;
  const gone = new Map(leaving.map((one) => [key(one), one]));
  const targets = new Set(leaving.map(({ place }) => place.target));
  const candidates = listInstalled(world).filter(({ place }) => targets.has(place.target));
  for (let grown = true; grown; ) {
    grown = false;
    for (const one of candidates) {
      if (gone.has(key(one)) || isWished(world, one)) continue;
      const needed = candidates.some(
        (other) =>
          !gone.has(key(other)) &&
          other.place.target === one.place.target &&
          Object.hasOwn(other.locked.dependencies, one.name),
      );
      const wasNeeded = [...gone.values()].some((other) => Object.hasOwn(other.locked.dependencies, one.name));
      if (needed || !wasNeeded) continue;
      gone.set(key(one), one);
      grown = true;
    }
  }
  return [...gone.values()];
}

function refuseNeeded(world: World, leaving: readonly Installed[]): void {
  const names = new Set(leaving.map(({ name, place }) => `${name} ${place.target}`));
  for (const { name, place } of leaving) {
    const needing = Object.entries(lockOf(world, place.root).packages).find(
      ([other, { targets, dependencies }]) =>
        targets[place.target] !== undefined &&
        !names.has(`${other} ${place.target}`) &&
        Object.hasOwn(dependencies, name),
    );
    if (needing === undefined) continue;
    throw new Problem('state_conflict', `\`${needing[0]}\` needs \`${name}\` (${place.target})`, {
      hint: `remove \`${needing[0]}\` first, or both in one command`,
      details: { package: name, neededBy: needing[0], target: place.target },
    });
  }
}

const asRemovals = (leaving: readonly Installed[]): Removal[] =>
  [...new Set(leaving.map(({ name }) => name))].map((name) => ({
    name,
    places: leaving.filter((one) => one.name === name).map(({ place }) => place),
  }));

/** The goal of `remove`. Problem `not_installed`, `usage`, `state_conflict`. */
export function removeGoal(world: World, choice: Choice, names: readonly string[]): Goal {
  const asked = [...new Set(names)].flatMap((name) => getInstalled(world, choice, name));
  refuseNeeded(world, asked);
  const leaving = findOrphans(world, asked);
  const notes = leaving
    .filter((one) => !asked.includes(one))
    .map(({ name }) => `${name} goes too: nothing needs it any more`);
  const consents = leaving.flatMap((one): Consent[] => {
    const files = listChanged(one);
    return files.length === 0 ? [] : [{ kind: 'modified', package: one.name, files }];
  });
  return { picks: [], removals: asRemovals(leaving), notes: [...new Set(notes)], consents };
}
