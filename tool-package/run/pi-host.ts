/** The object that a pi extension gets: tools and handlers are recorded, the rest answers as a quiet session would. */
import { execFile } from 'node:child_process';
import { createSession, type EarlierResult, type Notification, type Session } from './session.ts';

export type PiTool = Readonly<Record<string, unknown>> & { name: string };
export type Handler = (event: unknown, context: unknown) => unknown;
export type PiCommand = { name: string; handler?: (args: string, context: unknown) => unknown };

export type HostOptions = {
  cwd?: string;
  agentDir?: string;
  /** What earlier calls in the session gave; `session_start` handlers read it. */
  earlierResults?: readonly EarlierResult[];
  settings?: Readonly<Record<string, unknown>>;
  flags?: Readonly<Record<string, boolean | string>>;
  isProjectTrusted?: boolean;
};

export type PiHost = {
  api: Readonly<Record<string, unknown>>;
  context: Readonly<Record<string, unknown>>;
  tools: Map<string, PiTool>;
  handlers: Map<string, Handler[]>;
  commands: Map<string, PiCommand>;
  notifications: Notification[];
  messages: unknown[];
  session: Session;
};

const nothing = () => undefined;

export function createPiHost(options: HostOptions): PiHost {
  const cwd = options.cwd ?? process.cwd();
  const session = createSession(cwd, options.earlierResults ?? []);
  const state = {
    tools: new Map<string, PiTool>(),
    handlers: new Map<string, Handler[]>(),
    commands: new Map<string, PiCommand>(),
    notifications: [] as Notification[],
    messages: [] as unknown[],
    session,
  };
  return { ...state, api: createApi(state, options, cwd), context: createContext(state, options, cwd) };
}

type State = Omit<PiHost, 'api' | 'context'>;

function createApi(state: State, options: HostOptions, cwd: string): Readonly<Record<string, unknown>> {
  let active: string[] | undefined;
  const api = {
    on: (event: string, handler: Handler) => {
      state.handlers.set(event, [...(state.handlers.get(event) ?? []), handler]);
      return () =>
        state.handlers.set(
          event,
          (state.handlers.get(event) ?? []).filter((each) => each !== handler),
        );
    },
    registerTool: (tool: PiTool) => registerTool(state, tool),
    registerCommand: (name: string, command: Omit<PiCommand, 'name'>) => state.commands.set(name, { ...command, name }),
    getFlag: (name: string) => options.flags?.[name],
    sendMessage: (message: unknown) => state.messages.push(message),
    sendUserMessage: (message: unknown) => state.messages.push(message),
    appendEntry: (customType: string, data: unknown) => state.session.append('custom', { customType, data }),
    exec: (command: string, args: string[], more?: { cwd?: string; signal?: AbortSignal; timeout?: number }) =>
      run(command, args, { cwd, ...more }),
    getActiveTools: () => active ?? [...state.tools.keys()],
    getAllTools: () => [...state.tools.values()],
    setActiveTools: (names: string[]) => {
      active = names;
    },
    getSettings: () => options.settings ?? {},
    getCommands: () => [...state.commands.values()],
    getThinkingLevel: () => 'off',
    getSessionName: nothing,
    events: { on: () => nothing, emit: nothing },
  };
  return withQuietRest(api);
}

/** pi refuses such a tool while loading, and with it the whole start. */
function registerTool(state: State, tool: PiTool): void {
  const parameters = tool?.parameters;
  if (typeof parameters !== 'object' || parameters === null || Array.isArray(parameters)) {
    throw new Error(`Tool "${String(tool?.name)}" must define an object parameter schema.`);
  }
  state.tools.set(tool.name, tool);
}

function createContext(state: State, options: HostOptions, cwd: string): Readonly<Record<string, unknown>> {
  const theme = withQuietRest({
    fg: (_color: string, text: string) => text,
    bg: (_color: string, text: string) => text,
    bold: (text: string) => text,
  });
  const ui = withQuietRest({
    theme,
    notify: (message: string, type = 'info') => state.notifications.push({ message, type }),
    confirm: () => Promise.resolve(false),
    select: () => Promise.resolve(undefined),
    input: () => Promise.resolve(undefined),
    custom: () => Promise.resolve(undefined),
  });
  return withQuietRest({
    ui,
    mode: 'print',
    hasUI: false,
    cwd,
    sessionManager: state.session.manager,
    model: undefined,
    signal: undefined,
    scopedModels: [],
    isIdle: () => true,
    isProjectTrusted: () => options.isProjectTrusted ?? true,
    hasPendingMessages: () => false,
    getSystemPrompt: () => '',
  });
}

/** Methods that we do not record do nothing; a Proxy, so that a newer pi's methods do not break a load. */
function withQuietRest(known: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  return new Proxy(known, {
    get: (target, key) => {
      if (typeof key !== 'string' || key === 'then') return undefined;
      return Object.hasOwn(target, key) ? target[key] : nothing;
    },
  });
}

function run(command: string, args: string[], options: { cwd?: string; signal?: AbortSignal; timeout?: number }) {
  return new Promise((resolve) => {
    execFile(command, args, options, (error, stdout, stderr) => {
      const code = error === null ? 0 : typeof error.code === 'number' ? error.code : 1;
      resolve({ stdout, stderr, code, killed: error?.killed ?? false });
    });
  });
}
