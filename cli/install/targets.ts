/** Which targets a package goes to when the command line does not say. */
import { existsSync } from 'node:fs';
import type { Agent, Scope } from '../../schemas/agents.ts';
import { Problem } from '../../schemas/problem.ts';
import type { GlobalOptions } from '../command.ts';
import { getPlace, type Place, projectAgentFolder, userFolder } from '../state/paths.ts';
import type { World } from './world.ts';

type Choice = Pick<GlobalOptions, 'agents' | 'scope'>;

const folderOf = (world: World, agent: Agent, scope: Scope): string | undefined => {
  if (scope === 'user') return userFolder(world.environment, world.environment.cwd, agent);
  return world.project === null ? undefined : projectAgentFolder(world.project.root.folder, agent);
};

const isThere = (world: World, agent: Agent, scope: Scope): boolean => {
  const folder = folderOf(world, agent, scope);
  return folder !== undefined && existsSync(folder);
};

/** An agent is found here when its folder exists; PATH is not asked. */
const isFoundHere = (world: World, agent: Agent): boolean =>
  isThere(world, agent, 'user') || isThere(world, agent, 'project');

const unsupported = (name: string, wanted: readonly Agent[], supported: readonly Agent[]): Problem =>
  new Problem('agent_unsupported', `\`${name}\` is not for ${wanted.join(', ')}`, {
    hint: `it is for ${supported.join(', ') || 'no agent'}: use --agent`,
    details: { package: name, wanted, supported },
  });

function chooseAgents(world: World, choice: Choice, name: string, supported: readonly Agent[]): Agent[] {
  if (choice.agents.length > 0) {
    const missing = choice.agents.filter((agent) => !supported.includes(agent));
    if (missing.length > 0) throw unsupported(name, missing, supported);
    return [...choice.agents];
  }
  const wanted = world.project?.file.agents;
  if (wanted !== undefined && wanted.length > 0) {
    const both = wanted.filter((agent) => supported.includes(agent));
    if (both.length === 0) throw unsupported(name, wanted, supported);
    return both;
  }
  const found = supported.filter((agent) => isFoundHere(world, agent));
  if (found.length > 0) return found;
  if (supported.includes('pi')) return ['pi'];
  return supported.slice(0, 1);
}

/** pi: user. SlopCode and opencode: project, or user where only the user folder exists (or there is no project). */
function defaultScope(world: World, agent: Agent): Scope {
  if (agent === 'pi' || world.project === null) return 'user';
  return isThere(world, agent, 'user') && !isThere(world, agent, 'project') ? 'user' : 'project';
}

/** The places of a package that supports the given agents. Problem `agent_unsupported`, `usage` (project scope in the home folder). */
export function choosePlaces(world: World, choice: Choice, name: string, supported: readonly Agent[]): Place[] {
  const { environment } = world;
  return chooseAgents(world, choice, name, supported).map((agent) =>
    getPlace(environment, environment.cwd, agent, choice.scope ?? defaultScope(world, agent)),
  );
}
