/** What a token looks like: `pit_`, 32 random characters, 6 of a checksum, so that secret scanners can tell it. */
import { createHash, randomBytes } from 'node:crypto';
import { crc32 } from 'node:zlib';

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const TOKEN = /^pit_([0-9A-Za-z]{32})([0-9A-Za-z]{6})$/;

/** A new token: 190 random bits. */
export const makeTokenText = (): string => {
  const body = randomText(32);
  return `pit_${body}${checksum(body)}`;
};

/** What is stored and looked up: equal timing for every wrong token, and a stolen database gives no token. */
export const hashToken = (token: string): string => createHash('sha256').update(token).digest('hex');

/** Whether it can be a token at all; a mistyped one is told from a revoked one without asking the database. */
export const isTokenText = (text: string): boolean => {
  const match = TOKEN.exec(text);
  return match?.[1] !== undefined && checksum(match[1]) === match[2];
};

/** Bytes of 248 and above are thrown away: a plain remainder would prefer the first letters. */
const randomText = (length: number): string => {
  let text = '';
  while (text.length < length) {
    for (const byte of randomBytes(length)) if (byte < 248 && text.length < length) text += ALPHABET[byte % 62];
  }
  return text;
};

const checksum = (body: string): string => {
  let rest = crc32(body);
  let text = '';
  for (let index = 0; index < 6; index++) {
    text = ALPHABET[rest % 62] + text;
    rest = Math.floor(rest / 62);
  }
  return text;
};
