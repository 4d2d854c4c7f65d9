import { existsSync, readdirSync } from 'node:fs';
import { packageFolder } from '../agents/layout.ts';
import type { CommandModule, Context } from '../command.ts';
import { type Budget, budgetOf } from '../install/budget.ts';
import { type InstallState, stateOf } from '../install/drift.ts';
import { listInstalled, listRoots, readLocks } from '../install/installed.ts';
import { listPlaces, type Place } from '../state/paths.ts';

type Row = {
  package: string;
  version: string;
  target: string;
  tools: string[];
  /** Estimated cost in every request to the model. */
  tokens: number;
  location: string;
  state: InstallState;
};

export const command: CommandModule<{ installed: Row[]; budget: Budget[] }> = {
  define: {
    name: 'list',
    aliases: ['ls'],
    summary: 'List what is installed',
    examples: ['pi-tools list', 'pi-tools list --scope project --json'],
  },
  run: async (context) => {
    const places = listPlaces(context.environment, context.environment.cwd);
    await mendIfNeeded(context, places);
    const world = readLocks(places);
    const chosen = listInstalled(
      world,
      places.filter((place) => isChosen(context, place)),
    );
    const rows = chosen.map(
      (installed): Row => ({
        package: installed.name,
        version: installed.locked.version,
        target: installed.place.target,
        tools: installed.target.tools,
        tokens: installed.target.tokens,
        location: packageFolder(installed.place, installed.name),
        state: stateOf(installed),
      }),
    );
    return { data: { installed: rows, budget: budgetOf(chosen) } };
  },
  human: ({ installed, budget }) => {
    if (installed.length === 0) return 'nothing is installed here';
    return [...installed.map(rowText), ...budget.flatMap(budgetText)].join('\n');
  },
};

const isChosen = ({ options }: Context, { agent, scope }: Place): boolean =>
  (options.agents.length === 0 || options.agents.includes(agent)) && (options.scope ?? scope) === scope;

const rowText = ({ package: name, version, target, tools, state }: Row): string => {
  const mark = state === 'ok' ? '' : `  [${state}]`;
  return `${name} ${version}  ${target}  ${tools.join(', ')}${mark}`;
};

const budgetText = ({ agent, tokens }: Budget): string[] =>
  tokens === 0 ? [] : [`${agent}: about ${tokens} tokens in every request to the model`];

/** What lies in a work folder when nothing is going on. */
const KNOWN: ReadonlySet<string> = new Set(['.gitignore', 'state.json', 'kept']);

const namesIn = (folder: string): string[] => {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
};

/** The machinery of mending is loaded only where an interrupted command left something. */
const mendIfNeeded = async (context: Context, places: readonly Place[]): Promise<void> => {
  const left = listRoots(places).some(
    ({ workFolder, lockFile }) =>
      namesIn(workFolder).some((name) => !KNOWN.has(name)) || (existsSync(workFolder) && !existsSync(lockFile)),
  );
  if (!left) return;
  const { mendAll } = await import('../install/mend-all.ts');
  await mendAll(context, places);
};
