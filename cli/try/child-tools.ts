/** Tools as the agents load and call them, with what they themselves returned and threw: the pipelines mend some of it. */
import {
  argumentFault,
  callSlopcodeTool,
  callTool,
  loadPiExtension,
  loadSlopcodeTools,
} from '../../tool-package/run/index.ts';
import type { TryRequest } from './types.ts';

export type Outcome = {
  texts: string[];
  images: number;
  threw: string | null;
  /** Null: nothing was thrown, or not by the tool. */
  thrown: { value: unknown } | null;
  shapeFault: string | null;
  argumentFault: string | null;
  flagged: boolean;
  updates: number;
};

type CallIt = (args: unknown, signal: AbortSignal) => Promise<Outcome>;

/** `callOf` null: the tool itself. Throws for a name that is not there. */
export type LoadedTool = { tool: string; callOf(tool: string | null): CallIt };

/** What became of `execute`. */
type Seen = { returned: { value: unknown } | null; thrown: { value: unknown } | null };

const watched =
  (execute: (...args: unknown[]) => unknown, self: unknown, seen: Seen) =>
  async (...args: unknown[]): Promise<unknown> => {
    Object.assign(seen, { returned: null, thrown: null });
    try {
      const value = await Reflect.apply(execute, self, args);
      seen.returned = { value };
      return value;
    } catch (value) {
      seen.thrown = { value };
      throw value;
    }
  };

/** The tool that was asked for, else the only one. */
const choose = (names: readonly string[], wanted: string | null): string | undefined => {
  if (wanted !== null) return names.includes(wanted) ? wanted : undefined;
  return names.length === 1 ? names[0] : undefined;
};

/** The names of all tools where the one that was asked for is not there. Throws what loading throws. */
export async function loadPi(request: TryRequest): Promise<LoadedTool | string[]> {
  const { cwd, agentFolder: agentDir } = request;
  const extensions: Awaited<ReturnType<typeof loadPiExtension>>[] = [];
  for (const { file } of request.entries) extensions.push(await loadPiExtension(file, { cwd, agentDir }));
  const names = [...new Set(extensions.flatMap(({ tools }) => [...tools.keys()]))];
  const chosen = choose(names, request.tool);
  if (chosen === undefined) return names;
  const callOf = (name: string | null): CallIt => {
    const extension = extensions.find(({ tools }) => tools.has(name ?? chosen));
    if (extension === undefined) throw new Error(`there is no tool ${name}`);
    return (args, signal) => callPi(extension, name ?? chosen, args, signal);
  };
  return { tool: chosen, callOf };
}

type Extension = Awaited<ReturnType<typeof loadPiExtension>>;

async function callPi(extension: Extension, name: string, args: unknown, signal: AbortSignal): Promise<Outcome> {
  const tool = extension.tools.get(name);
  const seen: Seen = { returned: null, thrown: null };
  let updates = 0;
  let badUpdate: string | null = null;
  const onUpdate = (update: unknown): void => {
    updates += 1;
    badUpdate ??= piFault(update, 'a progress update');
  };
  if (tool !== undefined && typeof tool.execute === 'function') {
    const execute = watched(tool.execute as () => unknown, tool, seen);
    extension.tools.set(name, Object.create(tool, { execute: { value: execute, enumerable: true } }) as typeof tool);
  }
  const { content, isError } = await callTool(extension, name, args, { signal, onUpdate });
  if (tool !== undefined) extension.tools.set(name, tool);
  const texts = content.flatMap((part) => (typeof part.text === 'string' ? [part.text] : []));
  const fault = seen.returned === null ? null : piFault(seen.returned.value, 'the result');
  // A `tool_result` handler of the extension may have made an error of a result.
  if (isError && seen.returned !== null && fault === null) seen.thrown ??= { value: texts.join('\n') };
  const flagged = (seen.returned?.value as { isError?: unknown } | null | undefined)?.isError === true;
  return {
    texts,
    images: content.filter(({ type }) => type === 'image').length,
    threw: isError && !flagged && fault === null ? texts.join('\n') : null,
    thrown: seen.thrown,
    shapeFault: fault ?? badUpdate,
    argumentFault: null,
    flagged,
    updates,
  };
}

const piFault = (value: unknown, what: string): string | null => {
  if (typeof value !== 'object' || value === null) return `${what} is ${typeName(value)}, not { content: […] }`;
  const { content } = value as { content?: unknown };
  if (!Array.isArray(content)) return `\`content\` of ${what} is ${typeName(content)}, not a list`;
  if (content.length === 0) return `\`content\` of ${what} is empty: the model reads \`(no tool output)\``;
  return content.every(isPart)
    ? null
    : `a part of ${what} is neither { type: "text", text } nor { type: "image", data, mimeType }`;
};

const isPart = (part: unknown): boolean => {
  const { type, text, data, mimeType } = (part ?? {}) as Record<string, unknown>;
  if (type === 'text') return typeof text === 'string';
  return type === 'image' && typeof data === 'string' && typeof mimeType === 'string';
};

const typeName = (value: unknown): string => {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'a list';
  return value === undefined ? 'nothing' : `a value of type ${typeof value}`;
};

/** As `loadPi`, for SlopCode and opencode. */
export async function loadOther(request: TryRequest): Promise<LoadedTool | string[]> {
  const files: Awaited<ReturnType<typeof loadSlopcodeTools>>[] = [];
  for (const { file } of request.entries) files.push(await loadSlopcodeTools(file));
  const names = files.flatMap((tools) => [...tools.keys()]);
  const chosen = choose(names, request.tool);
  if (chosen === undefined) return names;
  const callOf = (name: string | null): CallIt => {
    const tools = files.find((one) => one.has(name ?? chosen));
    if (tools === undefined) throw new Error(`there is no tool ${name}`);
    return (args, abort) => callOther(request, tools, name ?? chosen, args, abort);
  };
  return { tool: chosen, callOf };
}

type Tools = Awaited<ReturnType<typeof loadSlopcodeTools>>;

async function callOther(
  { agent, cwd }: TryRequest,
  tools: Tools,
  name: string,
  args: unknown,
  abort: AbortSignal,
): Promise<Outcome> {
  const found = tools.get(name);
  const seen: Seen = { returned: null, thrown: null };
  const options = { directory: cwd, abort };
  const one =
    found === undefined
      ? tools
      : new Map([[name, { ...found, execute: watched(found.execute as () => unknown, found, seen) }]]);
  const text = await callSlopcodeTool(one, name, args, options).catch((error: unknown) =>
    error instanceof Error ? error.message : String(error),
  );
  // What cannot be shown is the host's complaint, not an error that the tool threw.
  const fault = seen.returned === null ? null : otherFault(agent, seen.returned.value);
  return {
    texts: [text],
    images: 0,
    threw: seen.thrown === null ? null : text,
    thrown: seen.thrown,
    shapeFault: fault,
    argumentFault: found === undefined ? null : argumentFault(found, args),
    flagged: false,
    updates: 0,
  };
}

const otherFault = (agent: TryRequest['agent'], returned: unknown): string | null => {
  const isObject = typeof (returned as { output?: unknown } | null | undefined)?.output === 'string';
  if (typeof returned === 'string' || (agent === 'opencode' && isObject)) return null;
  return `the result is ${typeName(returned)}, not ${agent === 'opencode' ? 'a string or { title, output, metadata }' : 'a string'}`;
};
