/** Which tool names an agent can live with. The registry checks them too; a registry that does not is no reason to break the agent. */
import type { Agent } from '../../schemas/agents.ts';
import { PI_BUILT_INS } from './allowed-tools.ts';

const words = (text: string): readonly string[] => text.trim().split(/\s+/);

/** Of these pi keeps its own switch: a tool of that name turns pi's own extension off. */
const PI_RESERVED: readonly string[] = ['codemode', 'tool_search'];

const SLOPCODE_RESERVED = words('invalid execute plan_enter plan_exit StructuredOutput external_directory doom_loop');

const SLOPCODE_BUILT_INS = words(
  `question bash read glob grep edit write task webfetch todowrite todoread websearch codesearch skill apply_patch lsp batch list patch multiedit`,
);

/** pi crashes at names that every object has, without saying which extension it was. */
const isObjectProperty = (name: string): boolean => name in {};

/** Names of the agent's own tools: a package that registers one replaces it. */
export const builtInsOf = (agent: Agent): ReadonlySet<string> =>
  new Set(agent === 'pi' ? PI_BUILT_INS.filter((name) => !PI_RESERVED.includes(name)) : SLOPCODE_BUILT_INS);

/** Why the agent cannot take a tool of that name; undefined when it can. */
export function faultOfName(agent: Agent, name: string): string | undefined {
  if (isObjectProperty(name)) return 'is a name that every object has, and crashes the agent';
  if (agent !== 'pi') {
    if (!/^[a-z][a-z0-9_-]{0,63}$/.test(name)) return 'is not a-z, 0-9, _ and - (at most 64, beginning with a letter)';
    return SLOPCODE_RESERVED.includes(name) ? 'is reserved by the agent' : undefined;
  }
  if (!/^[a-zA-Z][a-zA-Z0-9_-]{0,63}$/.test(name))
    return 'is not letters, digits, _ and - (at most 64, beginning with a letter)';
  if (name.startsWith('mcp__')) return 'begins with `mcp__`, which pi takes for MCP tools';
  return PI_RESERVED.includes(name) ? 'switches off a part of pi' : undefined;
}
