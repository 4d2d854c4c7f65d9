/**
 * Reads a value that the author's code made into JSON text. The code may have put getters, proxies, `toJSON` methods
 * or changed built-ins in the way: everything used here was taken before it ran, and what cannot be read is a reason.
 */
import { inertLabel } from './inert.ts';
import { findMark } from './marks.ts';

export type Reading = { json: string } | { unread: string };

const MAX_DEPTH = 64;
const MAX_NODES = 20_000;
const MAX_LENGTH = 2 * 1024 * 1024;

const { ownKeys, getOwnPropertyDescriptor } = Reflect;
const isArray = Array.isArray;
const quote = JSON.stringify;
const isFiniteNumber = Number.isFinite;
const isNotANumber = Number.isNaN;

const isWellFormed = (text: string): boolean => !HALF_CHARACTER.test(text);
const HALF_CHARACTER = /\p{Surrogate}/u;

class Unread extends Error {}

type Budget = { nodes: number; length: number; parents: unknown[] };

/** `value` as JSON text, as `JSON.stringify` would send it; undefined where that leaves it out. */
export function readValue(value: unknown): Reading | undefined {
  try {
    const json = write(value, { nodes: 0, length: 0, parents: [] }, 0);
    return json === undefined ? undefined : { json };
  } catch (error) {
    return { unread: error instanceof Unread ? error.message : 'a value that throws when it is read' };
  }
}

/** A property of a definition. Read twice: what changes between two reads says nothing about what the agent gets. */
export function readMember(owner: object, key: string): Reading | undefined {
  try {
    const first = readValue((owner as Record<string, unknown>)[key]);
    const isData = getOwnPropertyDescriptor(owner, key)?.get === undefined;
    if (isData) return first;
    const second = readValue((owner as Record<string, unknown>)[key]);
    return quote(first) === quote(second) ? first : { unread: 'a getter that changes its answer' };
  } catch {
    return { unread: 'a getter that throws' };
  }
}

function write(value: unknown, budget: Budget, depth: number): string | undefined {
  const label = inertLabel(value);
  if (label !== undefined) throw new Unread(label);
  switch (typeof value) {
    case 'string':
      return writeText(value, budget);
    case 'number':
      // NaN is what arithmetic makes of an inert value.
      if (isNotANumber(value)) throw new Unread('a number that could not be computed');
      return isFiniteNumber(value) ? quote(value) : 'null';
    case 'boolean':
      return value ? 'true' : 'false';
    case 'bigint':
      throw new Unread('a BigInt, which JSON cannot hold');
    case 'object':
      return value === null ? 'null' : writeObject(value, budget, depth);
    default:
      return undefined;
  }
}

function writeText(value: string, budget: Budget): string {
  const label = findMark(value);
  if (label !== undefined) throw new Unread(label);
  // RFC 8785 has no form for half a surrogate pair.
  if (!isWellFormed(value)) throw new Unread('half a character');
  budget.length += value.length;
  if (budget.length > MAX_LENGTH) throw new Unread('more text than 2 MiB');
  return quote(value);
}

function writeObject(value: object, budget: Budget, depth: number): string {
  if (depth >= MAX_DEPTH) throw new Unread('nesting deeper than 64');
  if (++budget.nodes > MAX_NODES) throw new Unread('more than 20,000 values');
  if (budget.parents.includes(value)) throw new Unread('a value that contains itself');
  if (typeof (value as { toJSON?: unknown }).toJSON === 'function') throw new Unread('a `toJSON` method');
  budget.parents.push(value);
  const text = isArray(value) ? writeArray(value, budget, depth) : writeMembers(value, budget, depth);
  budget.parents.pop();
  return text;
}

function writeArray(value: unknown[], budget: Budget, depth: number): string {
  if (value.length > MAX_NODES) throw new Unread('more than 20,000 values');
  let text = '';
  for (let at = 0; at < value.length; at++) {
    text += `${at === 0 ? '' : ','}${write(value[at], budget, depth + 1) ?? 'null'}`;
  }
  return `[${text}]`;
}

function writeMembers(value: object, budget: Budget, depth: number): string {
  let text = '';
  const keys = ownKeys(value);
  if (keys.length > MAX_NODES) throw new Unread('more than 20,000 values');
  for (let at = 0; at < keys.length; at++) {
    const key = keys[at];
    // `~kind` and its like are TypeBox's own notes, not part of the schema.
    if (typeof key !== 'string' || key[0] === '~') continue;
    if (!getOwnPropertyDescriptor(value, key)?.enumerable) continue;
    const member = write((value as Record<string, unknown>)[key], budget, depth + 1);
    if (member !== undefined) text += `${text === '' ? '' : ','}${writeText(key, budget)}:${member}`;
  }
  return `{${text}}`;
}
