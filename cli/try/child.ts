/** The child process: loads one tool through the stub host, calls it, calls it again and cancels. It RUNS the author's code. */
import { fileURLToPath, pathToFileURL } from 'node:url';
import { usePreparedModule } from '../../tool-package/run/index.ts';
import { type LoadedTool, loadOther, loadPi, type Outcome } from './child-tools.ts';
import type { CallFacts, CancelFacts, ChildMessage, Received, TryRequest } from './types.ts';
import { watchAccess } from './watch.ts';

const ABORT_AFTER_MS = 50;
const SETTLE_WITHIN_MS = 2000;
/** What the tool left running may still throw. */
const AFTERWARDS_MS = 100;
const MAX_TEXT = 256 * 1024;

const wait = (ms: number): Promise<null> => new Promise((done) => setTimeout(done, ms, null));

type Send = (message: ChildMessage) => Promise<void>;

process.once('message', (request: TryRequest) => {
  void run(request, takeChannel());
});

/** In an agent there is no channel: what the author's code sent on ours could be taken for our answers. */
function takeChannel(): Send {
  const send = process.send?.bind(process);
  for (const name of ['send', 'disconnect']) Object.defineProperty(process, name, { value: undefined });
  return (message) => new Promise((done) => send?.(message, undefined, undefined, () => done()));
}

async function run(request: TryRequest, send: Send): Promise<void> {
  const bundles = new Set(request.entries.map(({ bundle }) => pathToFileURL(bundle).href));
  process.setSourceMapsEnabled(true);
  // Nothing is left to wait for: in an agent, which lives on, such a call never ends.
  process.once('beforeExit', () => void send({ kind: 'broken', why: 'stuck', message: '', at: null }));
  process.once('uncaughtException', (error) => {
    void send({ kind: 'broken', why: 'uncaught', ...faultOf(error) }).then(() => process.exit(1));
  });
  watchAccess({
    ...request,
    isAuthors: (file) => bundles.has(file),
    report: (access) => void send({ kind: 'reached', access }),
  });
  for (const { file, bundle, id } of request.entries) usePreparedModule(file, { bundle, id });
  const loaded = await (request.agent === 'pi' ? loadPi(request) : loadOther(request)).catch(async (error: unknown) => {
    await send({ kind: 'load-failed', ...faultOf(error) });
    return null;
  });
  if (loaded === null) return;
  if (Array.isArray(loaded)) return send({ kind: 'no-tool', names: loaded });
  await send({ kind: 'loaded', tool: loaded.tool });
  await callEarlier(request, loaded);
  const call = await callOnce(loaded, request.args);
  await send({ kind: 'called', call });
  const cancel = await callAndCancel(loaded, request.args, call.elapsedMs);
  await wait(AFTERWARDS_MS);
  await send({ kind: 'cancelled', cancel });
}

/** Whatever they give: the calls of an example before this one are told of by themselves. */
async function callEarlier({ earlier }: TryRequest, { callOf }: LoadedTool): Promise<void> {
  for (const { tool, args } of earlier) {
    const call = async () => callOf(tool)(args, new AbortController().signal);
    await call().catch(() => undefined);
  }
}

const faultOf = (error: unknown): { message: string; at: string | null } => ({
  message: (error instanceof Error ? error.message : String(error)).slice(0, 10_000),
  at: placeOf(error),
});

/** Where this build lies: its frames are not the author's. */
const BUILD = fileURLToPath(new URL('../../', import.meta.url));
const FRAME = /(?:file:\/\/|\(|at )(\/[^()\n]+?|[A-Za-z]:[\\/][^()\n]+?):(\d+):\d+\)?$/;

/** `file:line` of the first frame that is the author's, by the source maps of the bundles. */
function placeOf(error: unknown): string | null {
  const stack = error instanceof Error ? (error.stack ?? '') : '';
  for (const line of stack.split('\n')) {
    const [, file, at] = /^\s+at /.test(line) ? (FRAME.exec(line) ?? []) : [];
    if (file === undefined || file.startsWith(BUILD) || file.includes('/node_modules/')) continue;
    return `${file}:${at}`;
  }
  return null;
}

async function callOnce({ tool, callOf }: LoadedTool, args: unknown): Promise<CallFacts> {
  const started = performance.now();
  const { texts, images, thrown, ...rest } = await callOf(tool)(args, new AbortController().signal);
  const elapsedMs = Math.round(performance.now() - started);
  return { received: measure(texts, images), ...rest, ...kindOf(rest.threw, thrown), elapsedMs };
}

const kindOf = (threw: string | null, thrown: Outcome['thrown']): Pick<CallFacts, 'threwAt' | 'threwKind'> => {
  if (threw === null) return { threwAt: null, threwKind: null };
  if (thrown === null) return { threwAt: null, threwKind: 'arguments' };
  const isUsual = thrown.value instanceof Error || typeof thrown.value === 'string';
  return { threwAt: placeOf(thrown.value), threwKind: isUsual ? 'error' : 'other' };
};

const measure = (texts: readonly string[], images: number): Received => {
  const text = texts.join('\n');
  const lines = text === '' ? 0 : text.split('\n').length;
  return { text: text.slice(0, MAX_TEXT), bytes: Buffer.byteLength(text), lines, images };
};

/** `firstMs`: how long the call takes when it is let be. A short one is not made again: it may have written something. */
async function callAndCancel({ tool, callOf }: LoadedTool, args: unknown, firstMs: number): Promise<CancelFacts> {
  if (firstMs < ABORT_AFTER_MS) return { state: 'ended-before', elapsedMs: firstMs };
  const controller = new AbortController();
  const started = performance.now();
  const settled = callOf(tool)(args, controller.signal).then(
    () => performance.now() - started,
    () => performance.now() - started,
  );
  const early = await Promise.race([settled, wait(ABORT_AFTER_MS)]);
  if (early !== null) return { state: 'ended-before', elapsedMs: Math.round(early) };
  controller.abort();
  const aborted = performance.now() - started;
  const ended = await Promise.race([settled, wait(SETTLE_WITHIN_MS)]);
  if (ended === null) return { state: 'ignored', elapsedMs: SETTLE_WITHIN_MS };
  const elapsedMs = Math.max(0, Math.round(ended - aborted));
  return { state: elapsedMs > (firstMs - ABORT_AFTER_MS) / 2 ? 'unclear' : 'settled', elapsedMs };
}
