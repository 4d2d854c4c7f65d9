/** The one way to write a value down before it is hashed (RFC 8785). */
import canonicalize from 'canonicalize';
import type { ManifestRecord } from '../schemas/manifest.ts';
import { sha256Hex } from './integrity.ts';

/** The canonical JSON of a value. Throws TypeError for what JSON cannot hold (undefined, NaN, a cycle, a lone surrogate). */
export const canonicalJson = (value: unknown): string => {
  const text = canonicalize(value);
  if (text === undefined) throw new TypeError('the value has no JSON form');
  return text;
};

/** sha256 (hex) of a record's canonical form: what a lock file pins and `verify` compares. */
export const recordDigest = (record: ManifestRecord): string => sha256Hex(canonicalJson(record));
