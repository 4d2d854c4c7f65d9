/**
 * Callbacks that code hands to what the sandbox does not have: a process that would end, a server that would listen.
 * They run only when the entry would otherwise wait for ever, in the order in which they were given.
 */
import { addLastResort } from './timers.ts';

type Callback = (...args: unknown[]) => unknown;

const LISTENING = new Set(['on', 'once', 'addListener', 'addEventListener', 'prependListener']);
/** What a program hopes not to hear. */
const BAD_EVENTS = new Set(['error', 'abort', 'timeout', 'uncaughtException', 'unhandledRejection', 'warning']);
const END_EVENTS = new Set(['close', 'exit']);

/** The callback among the arguments of a call, if any: of a listener, or Node's `(error, result)`. */
export function callbackOf(member: string, args: readonly unknown[], result: () => unknown): void {
  if (LISTENING.has(member)) awaitEvent(args[0], args[1], result);
  else {
    const callback = args.at(-1);
    if (typeof callback === 'function') later(callback as Callback, () => [null, result(), result()]);
  }
}

/** A listener for an event that may come. */
export function awaitEvent(event: unknown, listener: unknown, result: () => unknown): void {
  if (typeof listener !== 'function' || typeof event !== 'string' || BAD_EVENTS.has(event)) return;
  // A process that ends well has the code 0.
  later(listener as Callback, () => (END_EVENTS.has(event) ? [0, null] : [result()]));
}

/** `open` of `socket.onopen = …`. */
export const handlerName = (key: string | symbol): string | undefined =>
  typeof key === 'string' && /^on[a-z]+$/.test(key) ? key.slice(2) : undefined;

const later = (callback: Callback, args: () => unknown[]): void => addLastResort(() => callback(...args()));
