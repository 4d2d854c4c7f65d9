/** `EventEmitter` of `node:events`: what code registers on its own emitter is heard. */

type Listener = (...args: unknown[]) => unknown;

export class EventEmitter {
  static readonly EventEmitter = EventEmitter;
  static defaultMaxListeners = 10;
  private listenersOf(event: unknown): Listener[] {
    const owner = this as { _listeners?: Map<unknown, Listener[]> };
    owner._listeners ??= new Map();
    const known = owner._listeners.get(event) ?? [];
    owner._listeners.set(event, known);
    return known;
  }
  on(event: unknown, listener: Listener): this {
    this.listenersOf(event).push(listener);
    return this;
  }
  addListener(event: unknown, listener: Listener): this {
    return this.on(event, listener);
  }
  prependListener(event: unknown, listener: Listener): this {
    this.listenersOf(event).unshift(listener);
    return this;
  }
  once(event: unknown, listener: Listener): this {
    const wrapped = (...args: unknown[]) => {
      this.off(event, wrapped);
      return listener(...args);
    };
    return this.on(event, wrapped);
  }
  off(event: unknown, listener: Listener): this {
    const known = this.listenersOf(event);
    const at = known.indexOf(listener);
    if (at >= 0) known.splice(at, 1);
    return this;
  }
  removeListener(event: unknown, listener: Listener): this {
    return this.off(event, listener);
  }
  removeAllListeners(event?: unknown): this {
    this.listenersOf(event).length = 0;
    return this;
  }
  emit(event: unknown, ...args: unknown[]): boolean {
    const known = [...this.listenersOf(event)];
    for (const listener of known) listener.call(this, ...args);
    return known.length > 0;
  }
  listenerCount(event: unknown): number {
    return this.listenersOf(event).length;
  }
  listeners(event: unknown): Listener[] {
    return [...this.listenersOf(event)];
  }
  setMaxListeners(): this {
    return this;
  }
}
