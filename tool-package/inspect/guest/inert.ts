/**
 * Inert values stand for what the sandbox does not have: Node's modules, npm packages, most of the host. They can be
 * called, constructed, read, iterated and awaited, so that a factory runs through; whatever they touch is marked, so
 * that nothing of them ends in a record.
 */
import { awaitEvent, callbackOf, handlerName } from './callbacks.ts';
import { markFor } from './marks.ts';

type Callable = (...args: unknown[]) => unknown;

const inertLabels = new WeakMap<object, string>();
/** Callbacks of these run once, with an inert argument: a tool per file of a folder is then at least seen. */
const ITERATING = new Set(['forEach', 'map', 'flatMap', 'filter', 'find']);
const MAX_LABEL = 100;

/** Where an inert value came from; undefined for any other value. */
export function inertLabel(value: unknown): string | undefined {
  const isReference = (typeof value === 'object' && value !== null) || typeof value === 'function';
  return isReference ? inertLabels.get(value as object) : undefined;
}

/** An inert value that says it came from `label`, for instance `node:fs readFileSync`. Awaited, it gives itself. */
export function inert(label: string, member = ''): Callable {
  return makeInert(label, member, inertThen(label));
}

/** What a promise gave: no promise itself, so that awaiting ends here. Modules are so from the beginning. */
export function settledInert(label: string): Callable {
  return makeInert(label, '', undefined);
}

/** `then` of an inert value: `fetch(url).then(…)` runs its callback, and `await` gets something that is no promise. */
const inertThen = (label: string) => (onValue?: Callable, onError?: Callable) =>
  Promise.resolve(settledInert(label)).then(onValue, onError);

function makeInert(label: string, member: string, then: unknown): Callable {
  const children = new Map<string, Callable>();
  const child = (key: string): Callable => {
    const known = children.get(key);
    if (known) return known;
    const name = label.includes(' ') || label.length > MAX_LABEL ? label : `${label} ${key}`;
    // An instance of a class that extends this one is no promise.
    const made = key === 'prototype' ? settledInert(name) : inert(name, key);
    children.set(key, made);
    return made;
  };
  const result = () => child('()');
  // A function, not an arrow: it must be constructible.
  const target = function target() {};
  const proxy = new Proxy(target, {
    get: (_target, key) => (key === 'then' ? then : getMember(key, label, child)),
    set: (_target, key, value, receiver) => setMember(proxy, key, value, receiver),
    has: () => true,
    apply: (_target, _self, args) => {
      if (ITERATING.has(member) && typeof args[0] === 'function') callOnce(args[0] as Callable, result());
      else callbackOf(member, args, result);
      return inertCopy(label, member);
    },
    construct: (_target, _args, newTarget) =>
      newTarget === proxy ? inertCopy(label, member) : Object.create(newTarget.prototype),
    // A spread takes this one key along, so that the copy is marked too.
    ownKeys: () => ['prototype', markFor(label)],
    getOwnPropertyDescriptor: (_target, key) => {
      if (key === 'prototype') return Reflect.getOwnPropertyDescriptor(target, key);
      return key === markFor(label)
        ? { value: proxy, enumerable: true, configurable: true, writable: true }
        : undefined;
    },
    getPrototypeOf: () => Function.prototype,
    defineProperty: () => true,
    deleteProperty: () => true,
    setPrototypeOf: () => true,
    preventExtensions: () => false,
  }) as unknown as Callable;
  inertLabels.set(proxy, label);
  return proxy;
}

const inertCopy = (label: string, member: string) => inert(label, member === '()' ? '()' : '');

function getMember(key: string | symbol, label: string, child: (key: string) => Callable): unknown {
  switch (key) {
    case '__esModule':
      return undefined;
    case Symbol.toPrimitive:
    case 'toString':
    case 'toJSON':
    case 'toLocaleString':
    case 'valueOf':
      return () => markFor(label);
    case Symbol.iterator:
      return function* once() {
        yield child('item');
      };
    case Symbol.asyncIterator:
      return async function* none() {};
    case Symbol.hasInstance:
      return () => false;
    default:
      return typeof key === 'symbol' ? undefined : child(key);
  }
}

/** A class that extends an inert one sets its own fields on itself. */
function setMember(proxy: Callable, key: string | symbol, value: unknown, receiver: unknown): boolean {
  if (receiver === proxy && handlerName(key) !== undefined) awaitEvent(handlerName(key), value, () => proxy);
  if (receiver === proxy || typeof receiver !== 'object' || receiver === null) return true;
  return Reflect.defineProperty(receiver, key, { value, writable: true, enumerable: true, configurable: true });
}

function callOnce(callback: Callable, item: unknown): void {
  try {
    callback(item, 0, item);
  } catch {
    // What a callback makes of an inert value says nothing.
  }
}

/** A module whose known exports are real and whose others are inert, in the form that esbuild's CommonJS wrapper reads. */
export function moduleOf(label: string, known: Readonly<Record<string, unknown>>): object {
  const rest = settledInert(label);
  const module = Object.create(rest) as Record<string, unknown>;
  for (const key of Object.keys(known)) {
    Object.defineProperty(module, key, { value: known[key], enumerable: true, configurable: true, writable: true });
  }
  Object.defineProperty(module, '__esModule', { value: true });
  if (!Object.hasOwn(module, 'default')) {
    const isPlain = Object.keys(known).length === 0;
    Object.defineProperty(module, 'default', { value: isPlain ? rest : module, enumerable: true });
  }
  return module;
}
