/** How SlopCode and opencode load a tool file and call a tool: raw arguments, no validation, a string result. */
import path from 'node:path';
import * as zod from 'zod';
import { loadModule, type ModuleExports } from './load-module.ts';

export type SlopcodeTool = {
  /** `<file>` for the default export, `<file>_<export>` for a named one. */
  name: string;
  export: string;
  description: string | undefined;
  args: Readonly<Record<string, unknown>>;
  execute: (args: unknown, context: unknown) => unknown;
};

export type LoadedTools = ReadonlyMap<string, SlopcodeTool>;

export type SlopcodeContext = {
  sessionID: string;
  messageID: string;
  callID: string;
  agent: string;
  directory: string;
  worktree: string;
  abort: AbortSignal;
  messages: unknown[];
  metadata(value: unknown): void;
  ask(request: unknown): Promise<void>;
};

export type SlopcodeCallOptions = {
  directory?: string;
  worktree?: string;
  agent?: string;
  abort?: AbortSignal;
  onMetadata?: (value: unknown) => void;
  onAsk?: (request: unknown) => Promise<void> | void;
};

/** `tool(definition)` gives the definition; `tool.schema` is Zod 4. */
function createPlugin(): ModuleExports {
  const tool = Object.assign((definition: unknown) => definition, { schema: zod.z });
  return { tool, default: tool };
}

/** The tools of a file, by name. Throws what the module throws: in the agents that ends the whole session. */
export async function loadSlopcodeTools(file: string): Promise<LoadedTools> {
  const module = await loadModule(file, new Map([['plugin', createPlugin()]]));
  const stem = path.basename(file).replace(/\.[^.]+$/, '');
  const tools = new Map<string, SlopcodeTool>();
  for (const [key, value] of Object.entries(module)) {
    if (typeof value !== 'object' || value === null) continue;
    const definition = value as Partial<SlopcodeTool>;
    if (typeof definition.execute !== 'function') continue;
    const name = key === 'default' ? stem : `${stem}_${key}`;
    const execute = definition.execute.bind(value);
    tools.set(name, { name, export: key, description: definition.description, args: definition.args ?? {}, execute });
  }
  return tools;
}

/** Why arguments do not fit a tool whose `args` are Zod's; null where they do, or it cannot be said. The host does not ask. */
export function argumentFault({ args }: SlopcodeTool, values: unknown): string | null {
  const fields = Object.entries(args);
  const isZod = (field: unknown): field is zod.ZodType =>
    typeof (field as { safeParse?: unknown } | null | undefined)?.safeParse === 'function';
  const given = (typeof values === 'object' && values !== null ? values : {}) as Readonly<Record<string, unknown>>;
  const faults = fields.flatMap(([name, field]) => {
    const issues = isZod(field)
      ? field.safeParse(Object.hasOwn(given, name) ? given[name] : undefined).error?.issues
      : [];
    return (issues ?? []).map(({ path, message }) => `\`${[name, ...path.map(String)].join('.')}\`: ${message}`);
  });
  return faults.length === 0 ? null : faults.join(', ');
}

/** Calls a tool with its raw arguments. Throws what the tool throws, and where the host would crash on the result. */
export async function callSlopcodeTool(
  tools: LoadedTools,
  name: string,
  args: unknown,
  options: SlopcodeCallOptions = {},
): Promise<string> {
  const tool = tools.get(name);
  if (!tool) throw new Error(`Tool ${name} not found`);
  const result = await tool.execute(args, createContext(options));
  if (typeof result === 'string') return result;
  const output = (result as { output?: unknown } | null | undefined)?.output;
  if (typeof output === 'string') return output;
  throw new TypeError(`Tool ${name} returned ${result === null ? 'null' : typeof result}; SlopCode needs a string`);
}

function createContext(options: SlopcodeCallOptions): SlopcodeContext {
  const directory = options.directory ?? process.cwd();
  return {
    sessionID: 'ses_1',
    messageID: 'msg_1',
    callID: 'call_1',
    agent: options.agent ?? 'build',
    directory,
    worktree: options.worktree ?? directory,
    abort: options.abort ?? new AbortController().signal,
    messages: [],
    metadata: (value) => options.onMetadata?.(value),
    ask: async (request) => {
      await options.onAsk?.(request);
    },
  };
}
