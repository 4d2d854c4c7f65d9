/** The child process: loads one tool through the stub host, calls it, calls it again and cancels. It RUNS the author's code. */
import { pathToFileURL } from 'node:url';
import {
  callSlopcodeTool,
  callTool,
  loadPiExtension,
  loadSlopcodeTools,
  usePreparedModule,
} from '../../tool-package/run/index.ts';
import type { CallFacts, CancelFacts, ChildMessage, Received, TryRequest } from './types.ts';
import { watchAccess } from './watch.ts';

const ABORT_AFTER_MS = 50;
const SETTLE_WITHIN_MS = 2000;
const MAX_TEXT = 256 * 1024;

type Outcome = { texts: string[]; images: number; threw: string | null; shapeFault: string | null; flagged: boolean };
type Loaded = { tool: string; call(args: unknown, signal: AbortSignal): Promise<Outcome> };

const send = (message: ChildMessage): Promise<void> =>
  new Promise((done) => {
    if (process.send === undefined) done();
    else process.send(message, undefined, undefined, () => done());
  });

process.once('message', (request: TryRequest) => {
  void run(request);
});

async function run(request: TryRequest): Promise<void> {
  const urls = request.entries.map(({ bundle }) => pathToFileURL(bundle).href);
  const listAccesses = watchAccess({ ...request, isAuthors: (stack) => isFirstFrame(stack, urls) });
  for (const { file, bundle, id } of request.entries) usePreparedModule(file, { bundle, id });
  try {
    const loaded = request.agent === 'pi' ? await loadPi(request) : await loadOther(request);
    if (Array.isArray(loaded)) return await send({ kind: 'no-tool', names: loaded });
    const call = await callOnce(loaded, request.args);
    await send({ kind: 'called', call, accesses: listAccesses() });
    const cancel = await callAndCancel(loaded, request.args);
    await send({ kind: 'cancelled', cancel, accesses: listAccesses() });
  } catch (error) {
    await send({ kind: 'load-failed', message: messageOf(error), accesses: listAccesses() });
  }
}

/** The first frame that is neither Node's nor the watch's own: who really asks. */
const isFirstFrame = (stack: string, urls: readonly string[]): boolean => {
  const frames = stack.split('\n').filter((line) => line.startsWith('    at ') && !line.includes('/try/watch.'));
  return urls.some((url) => frames[0]?.includes(url) === true);
};

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error)).slice(0, 10_000);

/** The tool that was asked for, else the only one; the names of all where it is not there. */
const choose = (names: readonly string[], wanted: string | null): string | undefined => {
  if (wanted !== null) return names.includes(wanted) ? wanted : undefined;
  return names.length === 1 ? names[0] : undefined;
};

async function loadPi(request: TryRequest): Promise<Loaded | string[]> {
  const { cwd, agentFolder: agentDir } = request;
  const extensions = [];
  for (const { file } of request.entries) extensions.push(await loadPiExtension(file, { cwd, agentDir }));
  const names = [...new Set(extensions.flatMap(({ tools }) => [...tools.keys()]))];
  const tool = choose(names, request.tool);
  const extension = tool === undefined ? undefined : extensions.find(({ tools }) => tools.has(tool));
  if (tool === undefined || extension === undefined) return names;
  const seen: { returned: unknown; threw: unknown } = { returned: undefined, threw: undefined };
  watchExecute(extension.tools, tool, seen);
  return {
    tool,
    call: async (args, signal) => {
      Object.assign(seen, { returned: undefined, threw: undefined });
      const { content, isError } = await callTool(extension, tool, args, { signal });
      const flagged = (seen.returned as { isError?: unknown } | undefined)?.isError === true;
      const texts = content.flatMap((part) => (typeof part.text === 'string' ? [part.text] : []));
      const threw = isError && !flagged ? texts.join('\n') : null;
      const images = content.filter(({ type }) => type === 'image').length;
      return { texts, images, threw, shapeFault: threw === null ? piFault(seen.returned) : null, flagged };
    },
  };
}

/** Keeps what the tool itself returned: the pipeline has mended it already. */
function watchExecute(tools: Map<string, { name: string }>, name: string, seen: { returned: unknown }): void {
  const tool = tools.get(name) as { name: string; execute?: unknown } | undefined;
  const execute = tool?.execute;
  if (tool === undefined || typeof execute !== 'function') return;
  const watched = async (...args: unknown[]): Promise<unknown> => {
    seen.returned = await Reflect.apply(execute, tool, args);
    return seen.returned;
  };
  tools.set(name, Object.create(tool, { execute: { value: watched, enumerable: true } }) as { name: string });
}

const piFault = (returned: unknown): string | null => {
  if (typeof returned !== 'object' || returned === null)
    return `it returned ${typeName(returned)}, not { content: […] }`;
  const { content } = returned as { content?: unknown };
  if (!Array.isArray(content)) return `\`content\` is ${typeName(content)}, not a list`;
  if (content.length === 0) return '`content` is empty: the model reads `(no tool output)`';
  const bad = content.find((part) => !isPart(part));
  return bad === undefined
    ? null
    : 'a part of `content` is neither { type: "text", text } nor { type: "image", data, mimeType }';
};

const isPart = (part: unknown): boolean => {
  const { type, text, data } = (part ?? {}) as { type?: unknown; text?: unknown; data?: unknown };
  return (type === 'text' && typeof text === 'string') || (type === 'image' && typeof data === 'string');
};

const typeName = (value: unknown): string => (value === null ? 'null' : Array.isArray(value) ? 'a list' : typeof value);

async function loadOther(request: TryRequest): Promise<Loaded | string[]> {
  const files = [];
  for (const { file } of request.entries) files.push(await loadSlopcodeTools(file));
  const names = files.flatMap((tools) => [...tools.keys()]);
  const tool = choose(names, request.tool);
  const tools = tool === undefined ? undefined : files.find((one) => one.has(tool));
  if (tool === undefined || tools === undefined) return names;
  return { tool, call: (args, abort) => callOther(request, tools, tool, args, abort) };
}

async function callOther(
  { agent, cwd }: TryRequest,
  tools: Awaited<ReturnType<typeof loadSlopcodeTools>>,
  tool: string,
  args: unknown,
  abort: AbortSignal,
): Promise<Outcome> {
  let returned: unknown;
  let threw: string | null = null;
  let ended = false;
  const found = tools.get(tool);
  const execute = async (...all: [unknown, unknown]): Promise<unknown> => {
    returned = await found?.execute(...all);
    ended = true;
    return returned;
  };
  const watched = found === undefined ? tools : new Map([[tool, { ...found, execute }]]);
  const text = await callSlopcodeTool(watched, tool, args, { directory: cwd, abort }).catch((error: unknown) => {
    threw = messageOf(error);
    return threw;
  });
  const isText = typeof returned === 'string';
  const isObject = typeof (returned as { output?: unknown } | null | undefined)?.output === 'string';
  const fits = isText || (agent === 'opencode' && isObject);
  // What cannot be shown is the host's complaint, not an error that the tool threw.
  const isFault = ended && !fits;
  const wanted = agent === 'opencode' ? 'a string or { title, output, metadata }' : 'a string';
  return {
    texts: [text],
    images: 0,
    threw: isFault ? null : threw,
    shapeFault: isFault ? `it returned ${typeName(returned)}, not ${wanted}` : null,
    flagged: false,
  };
}

async function callOnce({ tool, call }: Loaded, args: unknown): Promise<CallFacts> {
  const started = performance.now();
  const { texts, images, ...rest } = await call(args, new AbortController().signal);
  return { tool, received: measure(texts, images), ...rest, elapsedMs: Math.round(performance.now() - started) };
}

const measure = (texts: readonly string[], images: number): Received => {
  const text = texts.join('\n');
  return { text: text.slice(0, MAX_TEXT), bytes: Buffer.byteLength(text), lines: text.split('\n').length, images };
};

async function callAndCancel({ call }: Loaded, args: unknown): Promise<CancelFacts> {
  const controller = new AbortController();
  const started = performance.now();
  const settled = call(args, controller.signal).then(
    () => performance.now() - started,
    () => performance.now() - started,
  );
  const wait = (ms: number) => new Promise<null>((done) => setTimeout(done, ms, null));
  const early = await Promise.race([settled, wait(ABORT_AFTER_MS)]);
  if (early !== null) return { state: 'ended-before', elapsedMs: Math.round(early) };
  controller.abort();
  const aborted = performance.now() - started;
  const ended = await Promise.race([settled, wait(SETTLE_WITHIN_MS)]);
  return ended === null
    ? { state: 'ignored', elapsedMs: SETTLE_WITHIN_MS }
    : { state: 'settled', elapsedMs: Math.max(0, Math.round(ended - aborted)) };
}
