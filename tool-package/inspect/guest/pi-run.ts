/** Runs a pi extension's factory against a host that records. */
import { noteAsked } from './asked.ts';
import { inert, inertLabel } from './inert.ts';
import { WORKING_FOLDER } from './path.ts';

type Handler = (event: unknown, context: unknown) => unknown;
type Handlers = Map<unknown, Handler[]>;
type Register = (definition: unknown) => void;
export type Outcome = 'done' | 'no-default-function' | { inert: string };

/** Members of other hosts' API, which code asks for to find out where it runs; pi 1.6.0 has none of them. */
const NOT_PIS = new Set(['typebox', 'zod', 'z', 'Type', 'pi', 'logger', 'config', 'pluginConfig', 'runtime', 'id']);

/** pi throws on these until the session has started. */
const SESSION_ONLY = [
  'sendMessage',
  'sendUserMessage',
  'appendEntry',
  'setSessionName',
  'getSessionName',
  'setLabel',
  'getActiveTools',
  'getAllTools',
  'getSettings',
  'setActiveTools',
  'getCommands',
  'getThinkingLevel',
  'setThinkingLevel',
  'setModel',
  'getMcpServers',
];
const WITHOUT_ANSWER = [
  'registerCommand',
  'registerShortcut',
  'registerMessageRenderer',
  'registerProvider',
  'unregisterProvider',
  'registerEntryRenderer',
  'registerMarkdownTransformer',
  'registerToolRenderer',
  'registerMcpServer',
  'unregisterMcpServer',
  'registerVirtualModel',
  'unregisterVirtualModel',
];
const ANSWERS: Readonly<Record<string, unknown>> = {
  getActiveTools: [],
  getAllTools: [],
  getCommands: [],
  getSettings: {},
  getThinkingLevel: 'off',
  getMcpServers: [],
};

const nothing = () => undefined;

/**
 * `onLoaded` is called when the factory has ended. Handlers that never end keep nobody from using the tools: pi itself
 * is loaded by then.
 */
export async function runExtension(
  module: { default?: unknown },
  register: Register,
  onLoaded: () => void,
): Promise<Outcome> {
  const factory = factoryOf(module.default);
  if (factory === undefined) return 'no-default-function';
  const label = inertLabel(factory);
  if (label !== undefined) return { inert: label };
  const handlers: Handlers = new Map();
  const session = { isStarted: false };
  await factory(createApi(register, handlers, session));
  session.isStarted = true;
  onLoaded();
  await startSession(handlers);
  return 'done';
}

/** A CommonJS entry has its factory one level deeper. */
function factoryOf(value: unknown): Handler1 | undefined {
  if (typeof value === 'function') return value as Handler1;
  const inner = (value as { default?: unknown } | null | undefined)?.default;
  return typeof inner === 'function' ? (inner as Handler1) : undefined;
}

type Handler1 = (api: unknown) => unknown;
type Flag = { type?: unknown; default?: unknown };

let isEveryFlagSet = false;

/** Tools that are registered only with a flag: the model may see them. */
export const useEveryFlag = (): void => {
  isEveryFlagSet = true;
};

const flagValue = (flag: Flag | undefined): unknown =>
  flag?.type === 'string' ? (flag.default ?? inert('pi getFlag')) : true;

/** A program that ended well; what it wrote is not known. */
async function execResult(): Promise<object> {
  return { code: 0, killed: false, stdout: inert('pi exec'), stderr: inert('pi exec') };
}

function createApi(register: Register, handlers: Handlers, session: { isStarted: boolean }): object {
  const flags = new Map<unknown, Flag | undefined>();
  const known: Record<string, unknown> = {
    registerTool: (definition: unknown) => {
      refuseWhatIsNoTool(definition);
      register(definition);
    },
    on: (event: unknown, handler: unknown) => {
      if (typeof handler === 'function') handlers.set(event, [...(handlers.get(event) ?? []), handler as Handler]);
      return nothing;
    },
    registerFlag: (name: unknown, options?: Flag) => void flags.set(name, options),
    getFlag: (name: unknown) => {
      noteAsked('flag');
      return isEveryFlagSet ? flagValue(flags.get(name)) : flags.get(name)?.default;
    },
    events: { on: () => nothing, emit: nothing },
    exec: () => execResult(),
  };
  for (const name of SESSION_ONLY) {
    known[name] = () => {
      if (session.isStarted) return ANSWERS[name];
      throw new Error('Extension runtime not initialized. Action methods cannot be called during extension loading.');
    };
  }
  for (const name of WITHOUT_ANSWER) known[name] = nothing;
  return withInertRest('pi', known);
}

/** pi reads its fields at once. What a tool lacks is the business of a rule. */
function refuseWhatIsNoTool(definition: unknown): void {
  const isTool = (typeof definition === 'object' && definition !== null) || typeof definition === 'function';
  if (!isTool) throw new TypeError('registerTool() was called without a tool');
}

/** What comes before the model's first answer, in pi's order. */
const FIRST_EVENTS: readonly { type: string; [key: string]: unknown }[] = [
  { type: 'session_start', reason: 'startup' },
  { type: 'resources_discover', reason: 'startup', cwd: WORKING_FOLDER },
  { type: 'before_agent_start', prompt: 'Hello', images: [], systemPrompt: '', systemPromptOptions: {} },
  { type: 'agent_start' },
  { type: 'turn_start', turnIndex: 0, timestamp: 0 },
];

async function startSession(handlers: Handlers): Promise<void> {
  const context = createContext();
  for (const event of FIRST_EVENTS) {
    for (const handler of handlers.get(event.type) ?? []) {
      try {
        await handler(event, context);
      } catch {
        // pi reports it and goes on; what was registered before stays.
      }
    }
  }
}

function createContext(): object {
  const theme = withInertRest('ctx.ui.theme', {
    fg: (_color: unknown, text: unknown) => text,
    bg: (_color: unknown, text: unknown) => text,
    bold: (text: unknown) => text,
  });
  const ui = withInertRest('ctx.ui', {
    theme,
    notify: nothing,
    setStatus: nothing,
    setWidget: nothing,
    setTitle: nothing,
    setFooter: nothing,
    setHeader: nothing,
  });
  const sessionManager = withInertRest('ctx.sessionManager', {
    getBranch: () => [],
    getEntries: () => [],
    getLeafId: () => null,
    getSessionFile: nothing,
    getSessionName: nothing,
    getCwd: () => WORKING_FOLDER,
  });
  return withInertRest('ctx', {
    ui,
    sessionManager,
    cwd: WORKING_FOLDER,
    // A person at a terminal, who has opened this project before.
    hasUI: true,
    mode: 'tui',
    model: undefined,
    signal: undefined,
    isIdle: () => true,
    isProjectTrusted: () => true,
    hasPendingMessages: () => false,
  });
}

function withInertRest(label: string, known: Record<string, unknown>): object {
  const rest = inert(label);
  return new Proxy(known, {
    get: (target, key) => {
      if (key === 'then' || (label === 'pi' && NOT_PIS.has(key as string))) return undefined;
      return Object.hasOwn(target, key)
        ? target[key as string]
        : (rest as unknown as Record<PropertyKey, unknown>)[key];
    },
  });
}
