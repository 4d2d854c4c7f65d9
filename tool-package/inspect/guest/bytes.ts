/** TextEncoder, TextDecoder and the part of Buffer that definitions use. The engine has none of them. */

function encodeUtf8(text: string): Uint8Array {
  const bytes: number[] = [];
  for (const char of text) {
    const code = char.codePointAt(0) ?? 0;
    if (code < 0x80) bytes.push(code);
    else if (code < 0x800) bytes.push(0xc0 | (code >> 6), 0x80 | (code & 63));
    else if (code < 0x10000) bytes.push(0xe0 | (code >> 12), 0x80 | ((code >> 6) & 63), 0x80 | (code & 63));
    else bytes.push(0xf0 | (code >> 18), 0x80 | ((code >> 12) & 63), 0x80 | ((code >> 6) & 63), 0x80 | (code & 63));
  }
  return new Uint8Array(bytes);
}

/** How many bytes follow the first one of a character. */
function followers(first: number): number {
  if (first < 0xc0) return 0;
  if (first < 0xe0) return 1;
  return first < 0xf0 ? 2 : 3;
}

function decodeUtf8(bytes: Uint8Array): string {
  let text = '';
  for (let at = 0; at < bytes.length; ) {
    const first = bytes[at++] ?? 0;
    const extra = followers(first);
    let code = extra === 0 ? first : first & (0x3f >> extra);
    for (let rest = 0; rest < extra; rest++) code = (code << 6) | ((bytes[at++] ?? 0) & 63);
    text += code <= 0x10ffff ? String.fromCodePoint(code) : '\ufffd';
  }
  return text;
}

export class SandboxTextEncoder {
  readonly encoding = 'utf-8';
  encode(text: unknown = ''): Uint8Array {
    return encodeUtf8(`${text as string}`);
  }
}

export class SandboxTextDecoder {
  readonly encoding = 'utf-8';
  decode(bytes: Uint8Array = new Uint8Array()): string {
    return decodeUtf8(bytes);
  }
}

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';

export function toBase64(bytes: Uint8Array): string {
  let text = '';
  for (let at = 0; at < bytes.length; at += 3) {
    const group = ((bytes[at] ?? 0) << 16) | ((bytes[at + 1] ?? 0) << 8) | (bytes[at + 2] ?? 0);
    const chars = [18, 12, 6, 0].map((shift) => ALPHABET[(group >> shift) & 63]);
    const missing = Math.max(0, at + 3 - bytes.length);
    text += chars.slice(0, 4 - missing).join('') + '='.repeat(missing);
  }
  return text;
}

export function fromBase64(text: string): Uint8Array {
  const bytes: number[] = [];
  let bits = 0;
  let held = 0;
  for (const char of text.replaceAll('-', '+').replaceAll('_', '/')) {
    const value = ALPHABET.indexOf(char);
    if (value < 0) continue;
    bits = (bits << 6) | value;
    held += 6;
    if (held < 8) continue;
    held -= 8;
    bytes.push((bits >> held) & 255);
  }
  return new Uint8Array(bytes);
}

const toHex = (bytes: Uint8Array) => [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('');
const fromHex = (text: string) => new Uint8Array((text.match(/../g) ?? []).map((pair) => Number.parseInt(pair, 16)));
const latin1 = (text: string) => new Uint8Array([...text].map((char) => char.charCodeAt(0) & 255));

function bytesOf(text: string, encoding: string): Uint8Array {
  if (encoding.startsWith('base64')) return fromBase64(text);
  if (encoding === 'hex') return fromHex(text);
  return encoding === 'latin1' || encoding === 'binary' ? latin1(text) : encodeUtf8(text);
}

export class SandboxBuffer extends Uint8Array {
  static override from(value: unknown, encoding: unknown = 'utf8'): SandboxBuffer {
    const bytes =
      typeof value === 'string' ? bytesOf(value, `${encoding as string}`) : new Uint8Array(value as ArrayLike<number>);
    const buffer = new SandboxBuffer(bytes.length);
    buffer.set(bytes);
    return buffer;
  }

  static allocUnsafe(size: number): SandboxBuffer {
    return new SandboxBuffer(size);
  }

  static alloc(size: number, fill: unknown = 0): SandboxBuffer {
    const buffer = new SandboxBuffer(size);
    return typeof fill === 'number' ? (buffer.fill(fill) as SandboxBuffer) : buffer;
  }

  write(text: string, offset = 0): number {
    const bytes = encodeUtf8(text).subarray(0, this.length - offset);
    this.set(bytes, offset);
    return bytes.length;
  }

  equals(other: Uint8Array): boolean {
    return this.length === other.length && this.every((byte, at) => byte === other[at]);
  }

  static isEncoding(name: unknown): boolean {
    return /^(?:utf-?8|hex|base64(?:url)?|latin1|binary|ascii)$/i.test(`${name as string}`);
  }

  static byteLength(value: unknown): number {
    return typeof value === 'string' ? encodeUtf8(value).length : (value as Uint8Array).length;
  }

  static isBuffer(value: unknown): boolean {
    return value instanceof SandboxBuffer;
  }

  static concat(list: readonly Uint8Array[]): SandboxBuffer {
    return SandboxBuffer.from(list.flatMap((bytes) => [...bytes]));
  }

  override toString(encoding = 'utf8'): string {
    if (encoding.startsWith('base64')) return toBase64(this);
    return encoding === 'hex' ? toHex(this) : decodeUtf8(this);
  }
}
