/** Tokens: one per registry, in a file of the user's own, sent to that registry's origin and nowhere else. */
import { randomUUID } from 'node:crypto';
import { chmodSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Problem } from '../../schemas/problem.ts';
import { parseJson } from '../../tool-package/parse-json.ts';
import { fields, record, text } from '../../tool-package/shape.ts';
import type { Environment } from '../environment.ts';
import { isMissing, makeFolders, writeAtomic } from '../state/atomic-write.ts';
import { userConfigFolder } from '../state/paths.ts';

export type StoredToken = { token: string; user: string };

const MAX_FILE_BYTES = 256 * 1024;
const PRINTABLE = /^[\x21-\x7e]{8,512}$/;
const shape = fields({ tokens: record(fields({ token: text(), user: text() })) });

export const credentialsFile = (environment: Environment): string =>
  join(userConfigFolder(environment), 'credentials.json');

/** Throws `invalid_token` for what cannot be one. The message never holds the token: a log would keep it. */
export const checkToken = (token: string, where: string): void => {
  if (PRINTABLE.test(token)) return;
  const what =
    token.length < 8
      ? 'is too short'
      : token.length > 512
        ? 'is too long'
        : 'holds a blank, a line break or another character that no token has';
  throw new Problem('invalid_token', `the token ${where} ${what}`, {
    hint: 'copy the token again, without quotes or a line break',
  });
};

const readTokens = async (environment: Environment): Promise<Map<string, StoredToken>> => {
  const file = credentialsFile(environment);
  const bytes = await readFile(file).catch((error: unknown) => {
    if (isMissing(error)) return undefined;
    throw error;
  });
  if (bytes === undefined) return new Map();
  const hint = 'mend it, or remove it and run `pi-tools login` again';
  const value = parseJson(bytes, { maxBytes: MAX_FILE_BYTES, maxDepth: 8, code: 'state_invalid', what: file, hint });
  const fault = shape(value, '');
  if (fault !== null) throw new Problem('state_invalid', `${file}: ${fault}`, { hint });
  return new Map(Object.entries((value as { tokens: Record<string, StoredToken> }).tokens));
};

const writeTokens = (environment: Environment, tokens: ReadonlyMap<string, StoredToken>): void => {
  const file = credentialsFile(environment);
  makeFolders(userConfigFolder(environment));
  const sorted = [...tokens].sort(([a], [b]) => (a < b ? -1 : 1));
  writeAtomic(file, `${JSON.stringify({ tokens: Object.fromEntries(sorted) }, null, 2)}\n`, {
    id: randomUUID(),
    mode: 0o600,
  });
  // An existing file keeps its mode when it is replaced; this one must never be readable by others.
  chmodSync(file, 0o600);
};

/** The token stored for exactly that origin. Throws `state_invalid`, `invalid_token`. */
export const findStoredToken = async (environment: Environment, origin: string): Promise<StoredToken | undefined> => {
  const stored = (await readTokens(environment)).get(origin);
  if (stored !== undefined) checkToken(stored.token, `in \`${credentialsFile(environment)}\``);
  return stored;
};

export const storeToken = async (environment: Environment, origin: string, stored: StoredToken): Promise<void> => {
  writeTokens(environment, (await readTokens(environment)).set(origin, stored));
};

/** Whether there was one. */
export const forgetToken = async (environment: Environment, origin: string): Promise<boolean> => {
  const tokens = await readTokens(environment);
  if (!tokens.delete(origin)) return false;
  writeTokens(environment, tokens);
  return true;
};

export const listStoredOrigins = async (environment: Environment): Promise<string[]> =>
  [...(await readTokens(environment)).keys()].sort();
