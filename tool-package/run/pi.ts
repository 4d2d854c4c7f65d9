/** pi's pipeline for one extension: load, `session_start`, prepare, coerce, validate, `tool_call` handlers, execute. */
import path from 'node:path';
import { checkArguments, parseArguments } from './arguments.ts';
import { hostModules } from './host/modules.ts';
import { loadModule } from './load-module.ts';
import { createPiHost, type HostOptions, type PiHost, type PiTool } from './pi-host.ts';

export type { EarlierResult } from './session.ts';

export type LoadedExtension = Pick<
  PiHost,
  'tools' | 'commands' | 'notifications' | 'messages' | 'session' | 'context'
> & {
  /** Calls the handlers of an event one after the other; gives what they returned. */
  emit(event: string, payload?: Readonly<Record<string, unknown>>): Promise<unknown[]>;
};

export type ToolContent = { type: string; text?: string; [key: string]: unknown };
export type CallResult = { content: ToolContent[]; isError: boolean; details?: unknown; terminate?: boolean };
export type CallOptions = { signal?: AbortSignal; onUpdate?: (update: unknown) => void; toolCallId?: string };

/**
 * Loads an extension as pi does, runs its factory and fires `session_start`. Throws what pi would print: a module that
 * does not load, no default function, a tool without an object schema.
 */
export async function loadPiExtension(entryFile: string, options: HostOptions = {}): Promise<LoadedExtension> {
  const host = createPiHost(options);
  const agentDir = options.agentDir ?? path.join(options.cwd ?? process.cwd(), '.pi-agent');
  const module = await loadModule(entryFile, hostModules(agentDir));
  const factory = factoryOf(module);
  if (factory === undefined) throw new Error(`Extension does not export a valid factory function: ${entryFile}`);
  await factory(host.api);
  const emit: LoadedExtension['emit'] = (event, payload = {}) => emitEvent(host, event, payload);
  await emit('session_start', { reason: 'startup' });
  return { ...host, emit };
}

type Factory = (api: unknown) => unknown;

/** A CommonJS entry has its factory one level deeper. */
function factoryOf(module: Readonly<Record<string, unknown>>): Factory | undefined {
  const value = module.default as { default?: unknown } | undefined;
  if (typeof value === 'function') return value as Factory;
  return typeof value?.default === 'function' ? (value.default as Factory) : undefined;
}

async function emitEvent(host: PiHost, event: string, payload: Readonly<Record<string, unknown>>): Promise<unknown[]> {
  const results: unknown[] = [];
  const message = { ...payload, type: event };
  for (const handler of host.handlers.get(event) ?? []) results.push(await handler(message, host.context));
  return results;
}

/**
 * Calls a tool as pi does when the model asks for it. `args` may be the model's text or a value. A failure is a result
 * with `isError`, as the model would see it; nothing is thrown.
 */
export async function callTool(
  loaded: LoadedExtension,
  name: string,
  args: unknown,
  options: CallOptions = {},
): Promise<CallResult> {
  const result = await callUnrecorded(loaded, name, args, options).catch((error: unknown) => errorResult(error));
  loaded.session.appendToolResult({ toolName: name, ...result });
  return result;
}

async function callUnrecorded(
  loaded: LoadedExtension,
  name: string,
  args: unknown,
  options: CallOptions,
): Promise<CallResult> {
  const tool = loaded.tools.get(name);
  if (!tool) throw new Error(`Tool ${name} not found`);
  const toolCallId = options.toolCallId ?? `call-${loaded.session.entries.length + 1}`;
  const input = checkArguments(name, tool.parameters, prepare(tool, parseArguments(name, args)));
  const refusal = await findRefusal(loaded, { toolName: name, toolCallId, input });
  if (refusal !== undefined) throw new Error(refusal);
  if (typeof tool.execute !== 'function') throw new Error('definition.execute is not a function');
  const context = Object.create(loaded.context, { signal: { value: options.signal, enumerable: true } });
  const returned = await tool.execute(toolCallId, input, options.signal, options.onUpdate, context);
  const changed = await emitResult(loaded, { toolName: name, toolCallId, input, ...toResult(returned) });
  return { ...toResult(returned), ...changed };
}

/** Synchronous in pi: a promise cannot be cloned and fails the call. */
function prepare(tool: PiTool, args: unknown): unknown {
  return typeof tool.prepareArguments === 'function' ? tool.prepareArguments(args) : args;
}

async function findRefusal(
  loaded: LoadedExtension,
  call: Readonly<Record<string, unknown>>,
): Promise<string | undefined> {
  const answers = (await loaded.emit('tool_call', call)) as ({ block?: boolean; reason?: string } | undefined)[];
  const refused = answers.find((answer) => answer?.block === true);
  return refused ? (refused.reason ?? 'Tool execution was blocked by an extension') : undefined;
}

async function emitResult(
  loaded: LoadedExtension,
  event: Readonly<Record<string, unknown>>,
): Promise<Partial<CallResult>> {
  const answers = (await loaded.emit('tool_result', event)) as (Partial<CallResult> | undefined)[];
  return Object.assign({}, ...answers.filter((answer) => answer !== undefined)) as Partial<CallResult>;
}

type Returned = { content?: unknown; isError?: unknown; details?: unknown; terminate?: unknown };

/** Anything without text parts becomes `(no tool output)`, silently; `undefined` and `null` are errors. */
function toResult(returned: unknown): CallResult {
  if (returned === undefined || returned === null) {
    throw new TypeError(`Cannot read properties of ${String(returned)} (reading 'isError')`);
  }
  const { content, isError, details, terminate } = returned as Returned;
  if (typeof content === 'string') throw new TypeError('content.some is not a function');
  const parts = (Array.isArray(content) ? content : []).filter(isPart);
  return {
    content: parts.length > 0 ? parts : [{ type: 'text', text: '(no tool output)' }],
    isError: isError === true,
    ...(details === undefined ? {} : { details }),
    ...(terminate === true ? { terminate: true } : {}),
  };
}

const isPart = (part: unknown): part is ToolContent => {
  const type = (part as ToolContent | null)?.type;
  return type === 'text' || type === 'image';
};

function errorResult(error: unknown): CallResult {
  const text = error instanceof Error ? error.message : String(error);
  return { content: [{ type: 'text', text }], isError: true };
}
