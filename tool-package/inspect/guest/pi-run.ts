/** Runs a pi extension's factory against a host that records. */
import { inert, inertLabel } from './inert.ts';
import { WORKING_FOLDER } from './path.ts';

type Handler = (event: unknown, context: unknown) => unknown;
type Register = (definition: unknown) => void;
export type Outcome = 'done' | 'no-default-function' | { inert: string };

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
];
const ANSWERS: Readonly<Record<string, unknown>> = {
  getActiveTools: [],
  getAllTools: [],
  getCommands: [],
  getSettings: {},
  getThinkingLevel: 'off',
};

const nothing = () => undefined;

export async function runExtension(module: { default?: unknown }, register: Register): Promise<Outcome> {
  const factory = factoryOf(module.default);
  if (factory === undefined) return 'no-default-function';
  const label = inertLabel(factory);
  if (label !== undefined) return { inert: label };
  const handlers: Handler[] = [];
  const session = { isStarted: false };
  await factory(createApi(register, handlers, session));
  session.isStarted = true;
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

function createApi(register: Register, handlers: Handler[], session: { isStarted: boolean }): object {
  const flags = new Map<unknown, unknown>();
  const known: Record<string, unknown> = {
    registerTool: (definition: unknown) => {
      refuseWithoutSchema(definition);
      register(definition);
    },
    on: (event: unknown, handler: unknown) => {
      if (event === 'session_start' && typeof handler === 'function') handlers.push(handler as Handler);
      return nothing;
    },
    registerFlag: (name: unknown, options?: { default?: unknown }) => void flags.set(name, options?.default),
    getFlag: (name: unknown) => flags.get(name),
    events: { on: () => nothing, emit: nothing },
  };
  for (const name of SESSION_ONLY) {
    known[name] = () => {
      if (session.isStarted) return ANSWERS[name];
      throw new Error('Extension runtime not initialized. Action methods cannot be called during extension loading.');
    };
  }
  for (const name of [
    'registerCommand',
    'registerShortcut',
    'registerMessageRenderer',
    'registerProvider',
    'unregisterProvider',
    'registerEntryRenderer',
    'registerMarkdownTransformer',
    'registerToolRenderer',
  ]) {
    known[name] = nothing;
  }
  return withInertRest('pi', known);
}

/** pi refuses such a tool while it loads, and does not start. An unreadable schema is not refused: it is unread. */
function refuseWithoutSchema(definition: unknown): void {
  if (inertLabel(definition) !== undefined) return;
  const { name, parameters } = definition as { name?: unknown; parameters?: unknown };
  if (typeof parameters === 'object' && parameters !== null && !Array.isArray(parameters)) return;
  if (inertLabel(parameters) !== undefined || hasInertSpread(definition)) return;
  throw new Error(`Tool "${typeof name === 'string' ? name : ''}" must define an object parameter schema.`);
}

const hasInertSpread = (definition: unknown): boolean =>
  Object.values(definition as object).some((value) => inertLabel(value) !== undefined);

async function startSession(handlers: Handler[]): Promise<void> {
  const context = createContext();
  for (const handler of handlers) {
    try {
      await handler({ type: 'session_start', reason: 'startup' }, context);
    } catch {
      // pi reports it and goes on; what was registered before stays.
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
    hasUI: false,
    mode: 'print',
    model: undefined,
    signal: undefined,
    isIdle: () => true,
    isProjectTrusted: () => false,
    hasPendingMessages: () => false,
  });
}

function withInertRest(label: string, known: Record<string, unknown>): object {
  const rest = inert(label);
  return new Proxy(known, {
    get: (target, key) => {
      if (key === 'then') return undefined;
      return Object.hasOwn(target, key)
        ? target[key as string]
        : (rest as unknown as Record<PropertyKey, unknown>)[key];
    },
  });
}
