/** Everything that keeps an installed tool from working here, with the command or edit that mends it. Changes nothing. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { Problem } from '../../schemas/problem.ts';
import { viewSettings } from '../agents/allowed-tools.ts';
import { findHiding, listConfigFiles, showingText } from '../agents/deny.ts';
import { OPENCODE } from '../agents/opencode.ts';
import { hiddenBy, piSettingsFile } from '../agents/pi.ts';
import { readSteady } from '../agents/settings-file.ts';
import { SLOPCODE } from '../agents/slopcode.ts';
import type { Place } from '../state/paths.ts';
import { survey } from './conflicts.ts';
import { stateOf } from './drift.ts';
import { wishOf } from './goal-update.ts';
import { listInstalled, lockOf, type World } from './world.ts';

export type Ailment = {
  id: string;
  level: 'error' | 'warn' | 'info';
  target: string | null;
  message: string;
  fix: string | null;
};

const ailment = (
  level: Ailment['level'],
  id: string,
  target: string | null,
  message: string,
  fix: string | null,
): Ailment => ({ id, level, target, message, fix });

const piPlaces = (world: World): Place[] => world.places.filter(({ agent }) => agent === 'pi');

const checkFiles = (world: World): Ailment[] =>
  listInstalled(world).flatMap((installed) => {
    const state = stateOf(installed);
    if (state === 'ok') return [];
    const { name, place } = installed;
    const fix = `pi-tools verify ${name} names the files; pi-tools install --scope ${place.scope} puts them back`;
    return [
      ailment(
        state === 'missing' ? 'error' : 'warn',
        `files-${state}`,
        place.target,
        `files of ${name} are ${state}`,
        fix,
      ),
    ];
  });

/** One name twice, and pi does not start. */
async function checkNames(world: World): Promise<Ailment[]> {
  const { tools, warnings } = await survey(world, 'pi', new Set());
  const owners = new Map<string, Set<string>>();
  for (const { name, path } of tools) owners.set(name, (owners.get(name) ?? new Set()).add(path));
  const twice = [...owners].filter(([, paths]) => paths.size > 1);
  return [
    ...twice.map(([name, paths]) =>
      ailment(
        'error',
        'tool-name-conflict',
        'pi',
        `the tool ${name} is registered twice: ${[...paths].join(', ')}; pi does not start`,
        'remove or rename one of them',
      ),
    ),
    ...warnings
      .filter((text) => !/can hide/.test(text))
      .map((text) => ailment('warn', 'extension-unreadable', 'pi', text, null)),
  ];
}

const checkHidden = (world: World): Ailment[] =>
  piPlaces(world).flatMap((place) => {
    const file = hiddenBy(join(place.base, 'extensions'));
    return file === undefined
      ? []
      : [
          ailment(
            'error',
            'extensions-hidden',
            place.target,
            `${file} hides the other extensions in its folder from pi`,
            'move it into a folder of its own',
          ),
        ];
  });

async function checkSettings(world: World, place: Place): Promise<Ailment[]> {
  const file = piSettingsFile(place.base);
  try {
    const names = await readSteady(file, (text) => (text === null ? undefined : viewSettings(text, file).names));
    if (names === undefined) return [];
    const missing = listInstalled(world, piPlaces(world))
      .flatMap(({ target, place: at }) => (place.scope === 'user' || at.scope === 'project' ? target.tools : []))
      .filter((name) => !names.includes(name));
    const fix = `pi-tools allow ${missing.join(' ')} --scope ${place.scope}`;
    const lacking =
      missing.length === 0
        ? []
        : [ailment('warn', 'not-allowed', place.target, `allowedTools in ${file} lacks ${missing.join(', ')}`, fix)];
    return [...lacking, ...checkEnforcer(world, place)];
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    return [ailment('error', 'settings-invalid', place.target, error.message, error.hint)];
  }
}

const checkEnforcer = (world: World, place: Place): Ailment[] => {
  const there = listInstalled(world, piPlaces(world)).some(({ name }) => name === 'allowed-tools');
  return there || place.scope === 'project'
    ? []
    : [
        ailment(
          'info',
          'not-enforced',
          place.target,
          'there is an allowedTools list, and pi itself does not act on it',
          "pi-tools' docs/allowed-tools.md says what does",
        ),
      ];
};

const checkConfig = (world: World): Ailment[] =>
  [SLOPCODE, OPENCODE].flatMap((host) => {
    const { environment } = world;
    const installed = listInstalled(world).filter(({ place }) => place.agent === host.agent);
    const files = installed.length === 0 ? [] : listConfigFiles(host, environment, environment.cwd);
    return installed.flatMap(({ target, place }) =>
      target.tools.flatMap((tool) => {
        const hiding = findHiding(files, tool);
        return hiding === undefined
          ? []
          : [ailment('warn', 'tool-hidden', place.target, `${hiding.file} hides ${tool}`, showingText(hiding, tool))];
      }),
    );
  });

/** Wishes of the project that are not installed, or not at a version that fits. */
const checkProject = (world: World): Ailment[] => {
  const { project } = world;
  if (project === null) return [];
  const missing = Object.keys(project.file.tools ?? {}).filter(
    (name) => lockOf(world, project.root).packages[name] === undefined,
  );
  return missing.map((name) =>
    ailment(
      'warn',
      'not-installed',
      'project',
      `pi-tools.json wants ${name} (${wishOf(world, project.root, name)}), which is not installed`,
      'pi-tools install',
    ),
  );
};

const checkLocks = (world: World): Ailment[] =>
  piPlaces(world).flatMap((place) => {
    const lock = `${piSettingsFile(place.base)}.lock`;
    return existsSync(lock)
      ? [
          ailment(
            'info',
            'settings-locked',
            place.target,
            `${lock} is there: pi is writing, or was killed`,
            'it is taken over ten seconds after its last touch',
          ),
        ]
      : [];
  });

/** All problems of what the current folder can see; the worst first. */
export async function diagnose(world: World): Promise<Ailment[]> {
  const settings = await Promise.all(piPlaces(world).map((place) => checkSettings(world, place)));
  const names = settings.flat().some(({ id }) => id === 'settings-invalid') ? [] : await checkNames(world);
  const all = [
    ...checkFiles(world),
    ...names,
    ...checkHidden(world),
    ...settings.flat(),
    ...checkConfig(world),
    ...checkProject(world),
    ...checkLocks(world),
  ];
  const rank = { error: 0, warn: 1, info: 2 };
  return all.sort((left, right) => rank[left.level] - rank[right.level]);
}
