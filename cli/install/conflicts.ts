/** What would break an agent, found before anything is written: names that are taken, files in the way. */
import { existsSync, readdirSync, realpathSync } from 'node:fs';
import { dirname, join, sep } from 'node:path';
import type { Agent } from '../../schemas/agents.ts';
import { Problem } from '../../schemas/problem.ts';
import { inspectCached } from '../agents/inspect-cache.ts';
import { packageFolder, toolsFolder } from '../agents/layout.ts';
import { OPENCODE } from '../agents/opencode.ts';
import { SLOPCODE } from '../agents/slopcode.ts';
import type { FoundTool, OwnPackage, Survey } from '../agents/survey.ts';
import { surveyPi } from '../agents/survey-pi.ts';
import { listToolFiles, surveyToolFiles } from '../agents/tool-files.ts';
import { cacheFolder, type Place } from '../state/paths.ts';
import type { Pick } from './build-change.ts';
import { toolsFor } from './source.ts';
import { type Installed, listInstalled, type World } from './world.ts';

const ownPackage = ({ name, target, place }: Installed): OwnPackage => ({
  name,
  target: place.target,
  folder: packageFolder(place, name),
  tools: target.tools,
  files: Object.keys(target.generated)
    .filter((path) => /(?:^|\/)tools\/[^/]+$/.test(path))
    .map((path) => join(place.root.folder, ...path.split('/'))),
});

/** Surveys one agent: everything in reach in all scopes. */
export async function survey(world: World, agent: Agent, wanted: ReadonlySet<string>): Promise<Survey> {
  const { environment } = world;
  const cache = { folder: cacheFolder(environment), mode: world.cache };
  const inspect = (path: string, by: Agent) => inspectCached(path, by, cache);
  const own = listInstalled(world).map(ownPackage);
  if (agent === 'pi') {
    const places = world.places.filter((place) => place.agent === 'pi');
    return surveyPi(
      places,
      own.filter(({ target }) => target.startsWith('pi/')),
      environment.home,
      inspect,
    );
  }
  const host = agent === 'slopcode' ? SLOPCODE : OPENCODE;
  const files = listToolFiles(host, environment, environment.cwd);
  const shared = own.filter(({ target }) => !target.startsWith('pi/'));
  return surveyToolFiles(host, files, shared, wanted, inspect);
}

const describeOwner = (found: FoundTool): string =>
  found.package === null ? `\`${found.path}\`` : `\`${found.package}\` (${found.target})`;

function conflict(pick: Pick, place: Place, found: FoundTool): Problem {
  const { name, version } = pick.source;
  const hint =
    found.package === null
      ? `remove or rename it, then try again; nothing was changed`
      : `remove it first (\`pi-tools remove ${found.package} --scope ${found.target?.split('/')[1]}\`); nothing was changed`;
  return new Problem(
    'tool_name_conflict',
    `the tool \`${found.name}\` of \`${name}@${version}\` is already registered by ${describeOwner(found)}: ${place.agent} cannot have two`,
    {
      hint,
      details: {
        tool: found.name,
        package: name,
        version,
        target: place.target,
        owner: { package: found.package, target: found.target, path: found.path },
      },
    },
  );
}

/** Whether a found tool is the package's own earlier self. For pi the other scope counts as another; SlopCode and opencode load one of them. */
const isItself = (pick: Pick, place: Place, found: FoundTool): boolean =>
  found.package === pick.source.name && (place.agent !== 'pi' || found.target === place.target);

function checkNames(pick: Pick, place: Place, found: readonly FoundTool[], leaving: ReadonlySet<string>): void {
  const names = new Set(toolsFor(pick.source, place.agent).map(({ name }) => name));
  const taken = found.find(
    (tool) => names.has(tool.name) && !isItself(pick, place, tool) && !leaving.has(`${tool.package} ${tool.target}`),
  );
  if (taken !== undefined) throw conflict(pick, place, taken);
}

/** Two packages of one plan. */
function checkAmongThemselves(picks: readonly Pick[]): void {
  const seen = new Map<string, { pick: Pick; place: Place }>();
  for (const pick of picks) {
    for (const place of pick.places) {
      for (const { name } of toolsFor(pick.source, place.agent)) {
        const key = `${place.agent} ${name}`;
        const other = seen.get(key);
        if (
          other !== undefined &&
          (other.pick.source.name !== pick.source.name || (place.agent === 'pi' && other.place.target !== place.target))
        ) {
          throw conflict(pick, place, { name, path: '', package: other.pick.source.name, target: other.place.target });
        }
        seen.set(key, { pick, place });
      }
    }
  }
}

const inTheWay = (pick: Pick, path: string): Problem =>
  new Problem(
    'path_conflict',
    `\`${path}\` is in the way of \`${pick.source.name}@${pick.source.version}\`, and pi-tools did not put it there`,
    {
      hint: 'move it away, then try again; nothing was changed',
      details: { path, package: pick.source.name, version: pick.source.version },
    },
  );

const isEmptyFolder = (path: string): boolean => {
  try {
    return readdirSync(path).length === 0;
  } catch {
    return false;
  }
};

function checkPaths(world: World, pick: Pick, place: Place): void {
  const installed = listInstalled(world, [place]);
  const folder = packageFolder(place, pick.source.name);
  const isOurs = installed.some(({ name }) => name === pick.source.name);
  if (!isOurs && existsSync(folder) && !isEmptyFolder(folder)) throw inTheWay(pick, folder);
  if (place.agent === 'pi') return;
  const ours = new Set(installed.flatMap((one) => ownPackage(one).files));
  for (const { name } of toolsFor(pick.source, place.agent)) {
    const spellings = ['tools', 'tool'].flatMap((dir) =>
      ['ts', 'js'].map((end) => join(place.base, dir, `${name}.${end}`)),
    );
    const taken = spellings.find((file) => existsSync(file) && !ours.has(file));
    if (taken !== undefined) throw inTheWay(pick, taken);
  }
}

const realOf = (path: string): string => {
  for (let current = path; ; current = dirname(current)) {
    try {
      return realpathSync(current) + path.slice(current.length);
    } catch {
      if (dirname(current) === current) return path;
    }
  }
};

/** A cloned project must not lead an install out of itself through a link. */
function checkInside(pick: Pick, place: Place): void {
  if (place.scope !== 'project') return;
  const root = realpathSync(place.root.folder);
  const folders = [packageFolder(place, pick.source.name), ...(place.agent === 'pi' ? [] : [toolsFolder(place)])];
  const outside = folders.find((folder) => !realOf(folder).startsWith(root + sep));
  if (outside === undefined) return;
  throw new Problem(
    'path_conflict',
    `\`${outside}\` leads out of the project through a link (to \`${realOf(outside)}\`)`,
    {
      hint: 'replace the link by a folder, or use --scope user; nothing was changed',
      details: { path: outside, target: realOf(outside) },
    },
  );
}

/** Surveys each agent of the plan once and throws Problem `tool_name_conflict` or `path_conflict` for the first thing that would break it. */
export async function checkConflicts(
  world: World,
  picks: readonly Pick[],
  leaving: ReadonlySet<string>,
): Promise<Map<Agent, Survey>> {
  checkAmongThemselves(picks);
  const surveys = new Map<Agent, Survey>();
  const agents = new Set(picks.flatMap(({ places }) => places.map(({ agent }) => agent)));
  for (const agent of agents) {
    const wanted = new Set(picks.flatMap(({ source }) => toolsFor(source, agent).map(({ name }) => name)));
    surveys.set(agent, await survey(world, agent, wanted));
  }
  for (const pick of picks) {
    for (const place of pick.places) {
      checkInside(pick, place);
      checkNames(pick, place, surveys.get(place.agent)?.tools ?? [], leaving);
      checkPaths(world, pick, place);
    }
  }
  return surveys;
}
