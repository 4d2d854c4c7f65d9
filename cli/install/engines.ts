/** Whether the agents that are installed here are new enough for a package. A warning only: which agent will run is the user's business. */
import { readFileSync, realpathSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import semver from 'semver';
import type { Agent } from '../../schemas/agents.ts';
import type { Environment } from '../environment.ts';
import { escapeText } from '../terminal/escape.ts';
import type { Pick } from './build-change.ts';
import type { World } from './world.ts';

const PROGRAMS: Readonly<Record<Agent, { program: string; packages: readonly string[] }>> = {
  pi: { program: 'pi', packages: ['@earendil-works/pi-coding-agent', '@mariozechner/pi-coding-agent'] },
  slopcode: { program: 'slopcode', packages: ['slopcode'] },
  opencode: { program: 'opencode', packages: ['opencode-ai'] },
};

function versionAbove(file: string, packages: readonly string[]): string | undefined {
  for (let folder = dirname(file); folder !== dirname(folder); folder = dirname(folder)) {
    try {
      const { name, version } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
      if (packages.includes(name) && typeof version === 'string') return version;
    } catch {
      // No package.json on this level.
    }
  }
  return undefined;
}

/** The version of an agent on PATH, read from its package.json (no program is started); undefined where that cannot be told. */
function findAgentVersion(environment: Environment, agent: Agent): string | undefined {
  const { program, packages } = PROGRAMS[agent];
  for (const folder of (environment.env.PATH ?? '').split(delimiter).filter(Boolean)) {
    try {
      return versionAbove(realpathSync(join(folder, program)), packages);
    } catch {
      // Not in this folder.
    }
  }
  return undefined;
}

/** What does not fit: `engines` of the package against the agents and the Node that are here. */
export function engineWarnings(world: World, pick: Pick): string[] {
  const { source } = pick;
  const name = `${source.name}@${source.version}`;
  const agents = [...new Set(pick.places.map(({ agent }) => agent))];
  return agents.flatMap((agent) => {
    const range = source.record.engines[agent];
    const version = range === undefined ? undefined : findAgentVersion(world.environment, agent);
    if (range === undefined || version === undefined) return [];
    if (semver.satisfies(version, range, { includePrerelease: true })) return [];
    return [`${name} wants ${agent} ${escapeText(range)}, and ${agent} ${version} is installed`];
  });
}
