/** `URL`, `URLSearchParams` and `node:url`, as far as tool definitions use them. */
import { normalize, resolve } from './path.ts';

const PARTS = /^([a-z][a-z0-9+.-]*:)(?:\/\/([^/?#]*))?([^?#]*)(\?[^#]*)?(#.*)?$/i;

export class SandboxSearchParams {
  private readonly pairs: [string, string][] = [];

  constructor(init: unknown = '') {
    if (typeof init === 'string') this.read(init.replace(/^\?/, ''));
    else
      for (const [key, value] of Array.isArray(init) ? init : Object.entries(init as object)) this.append(key, value);
  }

  private read(query: string): void {
    for (const part of query.split('&')) {
      if (part === '') continue;
      const [key = '', value = ''] = part.split('=').map((each) => decodeURIComponent(each.replaceAll('+', ' ')));
      this.append(key, value);
    }
  }

  append(key: unknown, value: unknown): void {
    this.pairs.push([`${key as string}`, `${value as string}`]);
  }

  set(key: string, value: unknown): void {
    this.delete(key);
    this.append(key, value);
  }

  delete(key: string): void {
    for (let at = this.pairs.length - 1; at >= 0; at--) if (this.pairs[at]?.[0] === key) this.pairs.splice(at, 1);
  }

  get(key: string): string | null {
    return this.pairs.find((pair) => pair[0] === key)?.[1] ?? null;
  }

  has(key: string): boolean {
    return this.get(key) !== null;
  }

  getAll(key: string): string[] {
    return this.pairs.filter((pair) => pair[0] === key).map((pair) => pair[1]);
  }

  entries(): IterableIterator<[string, string]> {
    return this.pairs.values();
  }

  [Symbol.iterator](): IterableIterator<[string, string]> {
    return this.pairs.values();
  }

  toString(): string {
    return this.pairs.map(([key, value]) => `${encodeURIComponent(key)}=${encodeURIComponent(value)}`).join('&');
  }
}

export class SandboxUrl {
  protocol: string;
  host: string;
  pathname: string;
  hash: string;
  username = '';
  password = '';
  searchParams: SandboxSearchParams;

  constructor(input: unknown, base?: unknown) {
    const whole = absolute(`${input as string}`, base === undefined ? undefined : `${base as string}`);
    const parts = PARTS.exec(whole);
    if (!parts?.[1]) throw new TypeError('Invalid URL');
    this.protocol = parts[1].toLowerCase();
    this.host = (parts[2] ?? '').replace(/^[^@]*@/, '');
    this.pathname = parts[2] === undefined ? (parts[3] ?? '') : normalize(parts[3] || '/');
    this.hash = parts[5] ?? '';
    this.searchParams = new SandboxSearchParams(parts[4] ?? '');
  }

  get hostname(): string {
    return this.host.replace(/:\d*$/, '');
  }

  get port(): string {
    return /:(\d*)$/.exec(this.host)?.[1] ?? '';
  }

  get origin(): string {
    return `${this.protocol}//${this.host}`;
  }

  get search(): string {
    const query = this.searchParams.toString();
    return query === '' ? '' : `?${query}`;
  }

  set search(query: string) {
    this.searchParams = new SandboxSearchParams(query);
  }

  get href(): string {
    const isHierarchical = this.host !== '' || this.protocol === 'file:';
    return `${this.protocol}${isHierarchical ? `//${this.host}` : ''}${this.pathname}${this.search}${this.hash}`;
  }

  toString(): string {
    return this.href;
  }

  toJSON(): string {
    return this.href;
  }

  static canParse(input: unknown, base?: unknown): boolean {
    try {
      new SandboxUrl(input, base);
      return true;
    } catch {
      return false;
    }
  }
}

function absolute(input: string, base: string | undefined): string {
  if (base === undefined || PARTS.test(input)) return input;
  const parent = new SandboxUrl(base);
  const origin = `${parent.protocol}//${parent.host}`;
  if (input.startsWith('//')) return parent.protocol + input;
  if (input.startsWith('/')) return origin + input;
  if (input.startsWith('?') || input.startsWith('#')) return origin + parent.pathname + input;
  return `${origin}${parent.pathname.slice(0, parent.pathname.lastIndexOf('/') + 1)}${input}`;
}

export const fileURLToPath = (url: unknown): string => decodeURIComponent(new SandboxUrl(`${url as string}`).pathname);
export const pathToFileURL = (file: unknown): SandboxUrl => new SandboxUrl(`file://${resolve(file)}`);
