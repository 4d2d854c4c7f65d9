/**
 * Keeps the author's code from changing what the reader relies on. A write to a built-in does nothing; a write to an
 * object that inherits from one makes a property of its own, as it always did (freezing would throw there).
 */

const LOCKED: readonly object[] = [
  Array.prototype,
  String.prototype,
  RegExp.prototype,
  Map.prototype,
  WeakMap.prototype,
  Set.prototype,
  Promise.prototype,
  Object.getPrototypeOf([][Symbol.iterator]()),
  Object.getPrototypeOf(''[Symbol.iterator]()),
  JSON,
  Reflect,
  Object,
  Array,
  String,
  Number,
];

export function lockBuiltIns(): void {
  for (const owner of LOCKED) {
    for (const key of Reflect.ownKeys(owner)) lockMember(owner, key);
  }
}

function lockMember(owner: object, key: string | symbol): void {
  const member = Reflect.getOwnPropertyDescriptor(owner, key);
  if (!member?.configurable || typeof member.value !== 'function' || key === 'constructor') return;
  const { value } = member;
  Reflect.defineProperty(owner, key, {
    get: () => value,
    set(this: unknown, next: unknown) {
      if (this === owner || typeof this !== 'object' || this === null) return;
      Reflect.defineProperty(this, key, { value: next, writable: true, enumerable: true, configurable: true });
    },
    enumerable: member.enumerable ?? false,
    configurable: false,
  });
}
