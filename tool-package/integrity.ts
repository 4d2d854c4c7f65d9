/** Hashes: what identifies an archive (sha512, as npm writes it) and a file (sha256). */
import { createHash } from 'node:crypto';
import { INTEGRITY_PATTERN } from '../schemas/agents.ts';

const INTEGRITY = new RegExp(INTEGRITY_PATTERN);

/** `sha512-<base64>` of the bytes. */
export const integrityOf = (bytes: Uint8Array): string =>
  `sha512-${createHash('sha512').update(bytes).digest('base64')}`;

/** sha256 of bytes, or of a text's UTF-8, in lower-case hex. */
export const sha256Hex = (bytes: Uint8Array | string): string => createHash('sha256').update(bytes).digest('hex');

/** Whether both are well-formed and equal. A missing or malformed hash is never equal to anything, not even to itself. */
export const sameIntegrity = (left: string | null | undefined, right: string | null | undefined): boolean =>
  typeof left === 'string' && INTEGRITY.test(left) && left === right;

/** The first eight hex digits of the sha512: what names the folder of an installed version. */
export const shortIntegrity = (integrity: string): string =>
  Buffer.from(integrity.replace(/^sha512-/, ''), 'base64')
    .toString('hex')
    .slice(0, 8);
