/** `rollback`: the version that the last update replaced, from the copy that was kept. Needs no registry. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { Problem } from '../../schemas/problem.ts';
import { readState } from '../state/state-file.ts';
import type { Return } from './build-change.ts';
import type { Consent } from './consent.ts';
import { listChanged } from './drift.ts';
import { type Choice, getInstalled } from './goal-remove.ts';
import type { Goal } from './plan.ts';
import { type Installed, listInstalled, type World } from './world.ts';

function keptFor(installed: Installed): Return | undefined {
  const { name, place } = installed;
  const kept = readState(place.root.workFolder).kept[place.target]?.[name];
  const there = kept !== undefined && existsSync(join(place.root.folder, ...kept.folder.split('/')));
  return there ? { installed, kept } : undefined;
}

/** A name that the kept version registers may have been taken since. */
function checkNames(world: World, { installed, kept }: Return): void {
  const { name, place } = installed;
  const names = kept.package.targets[place.target]?.tools ?? [];
  const taken = listInstalled(world).find(
    (other) =>
      other.name !== name &&
      other.place.agent === place.agent &&
      other.target.tools.some((tool) => names.includes(tool)),
  );
  if (taken === undefined) return;
  throw new Problem(
    'tool_name_conflict',
    `\`${name}@${kept.package.version}\` has a tool that \`${taken.name}\` (${taken.place.target}) has by now`,
    {
      hint: `remove \`${taken.name}\` first; nothing was changed`,
      details: { package: name, owner: { package: taken.name, target: taken.place.target } },
    },
  );
}

/** The goal of `rollback`. Problem `not_installed`, `version_not_found` where nothing is kept, `tool_name_conflict`. */
export function rollbackGoal(world: World, choice: Choice, name: string): Goal {
  const installed = getInstalled(world, choice, name);
  const returns = installed.flatMap((one) => keptFor(one) ?? []);
  if (returns.length === 0) {
    throw new Problem('version_not_found', `no earlier version of \`${name}\` is kept here`, {
      hint: `install one: \`pi-tools install ${name}@<version>\``,
      details: { package: name },
    });
  }
  for (const one of returns) checkNames(world, one);
  const consents = returns.flatMap(({ installed: one }): Consent[] => {
    const files = listChanged(one);
    return files.length === 0 ? [] : [{ kind: 'modified', package: name, files }];
  });
  const note = `the next \`pi-tools update\` may bring ${name} ${installed[0]?.locked.version} again; \`pi-tools install ${name}@${returns[0]?.kept.package.version}\` pins it`;
  return { picks: [], removals: [], returns, notes: [note], consents };
}
