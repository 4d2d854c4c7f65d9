/** Tokens: made for oneself, within one's own token; by administrators for others. Shown once, stored hashed. */
import { randomBytes } from 'node:crypto';
import type { NewToken, TokenScope } from '../../schemas/api/accounts.ts';
import { Problem } from '../../schemas/problem.ts';
import { now, nowText } from '../clock.ts';
import type { Deps } from '../deps.ts';
import { insertEvent } from '../store/events.ts';
import type { Trx } from '../store/tables.ts';
import { findToken, insertToken, markTokenRevoked } from '../store/tokens.ts';
import { findUser } from '../store/users.ts';
import { hashToken, makeTokenText } from './token-text.ts';
import { userNotFound } from './users.ts';
import { scopesOfRole, type Viewer } from './viewer.ts';

const DAY_MS = 24 * 60 * 60 * 1000;
const MAX_DAYS = 90;

export type TokenRequest = {
  readonly user: string;
  readonly scopes: readonly TokenScope[];
  readonly note: string | null;
  /** RFC 3339; null for the longest: 90 days, or the maker's own token's end where that is sooner. */
  readonly expires: string | null;
};

/** A token of the maker `viewer`. Throws `forbidden` for more than the maker's own token allows, `invalid_request` for the expiry. */
export const createToken = async (deps: Deps, wanted: TokenRequest, viewer: Viewer): Promise<NewToken> => {
  if (wanted.user !== viewer.user && !viewer.scopes.has('admin')) {
    throw new Problem('forbidden', `Only an administrator makes tokens for others (here for \`${wanted.user}\`)`);
  }
  const tooMuch = wanted.scopes.find((scope) => !viewer.scopes.has(scope));
  if (tooMuch !== undefined) {
    throw new Problem('forbidden', `A token without the scope \`${tooMuch}\` cannot make one with it`);
  }
  // A stolen token must not outlive itself in others that it made.
  const expires = chooseExpiry(wanted.expires, viewer.scopes.has('admin') ? null : viewer.expires);
  return deps.store.write((trx) => createTokenIn(trx, { ...wanted, expires }, viewer.user));
};

/** Inside a transaction, and with any expiry: only the first administrator's token has none. */
export const createTokenIn = async (trx: Trx, wanted: TokenRequest, actor: string): Promise<NewToken> => {
  const user = await findUser(trx, wanted.user);
  if (user === undefined || user.removed_at !== null) throw userNotFound(wanted.user);
  const allowed = scopesOfRole(user.role);
  const tooMuch = wanted.scopes.find((scope) => !allowed.includes(scope));
  if (tooMuch !== undefined) {
    throw new Problem('forbidden', `\`${user.name}\` is a ${user.role}, who cannot have the scope \`${tooMuch}\``);
  }
  const token = makeTokenText();
  const id = randomBytes(9).toString('hex');
  const scopes = [...new Set(wanted.scopes)].sort();
  await insertToken(trx, {
    id,
    hash: hashToken(token),
    user: user.name,
    scopes: JSON.stringify(scopes),
    note: wanted.note,
    created_at: nowText(),
    expires_at: wanted.expires,
    revoked_at: null,
  });
  await insertEvent(trx, { actor, kind: 'token-create', detail: { id, user: user.name, scopes } });
  return { token, id, scopes, expires: wanted.expires };
};

/** Throws `token_not_found`, also for another's token, unless an administrator asks. */
export const revokeToken = (deps: Deps, id: string, viewer: Viewer): Promise<void> =>
  deps.store.write(async (trx) => {
    const token = await findToken(trx, id);
    if (token === undefined || (token.user !== viewer.user && !viewer.scopes.has('admin'))) {
      throw new Problem('token_not_found', `There is no token \`${id.slice(0, 40)}\``, {
        hint: 'See them with `pi-tools token ls`.',
      });
    }
    await markTokenRevoked(trx, id, nowText());
    await insertEvent(trx, { actor: viewer.user, kind: 'token-revoke', detail: { id, user: token.user } });
  });

const chooseExpiry = (wanted: string | null, limit: string | null): string => {
  const longest = new Date(now().getTime() + MAX_DAYS * DAY_MS).toISOString();
  const last = limit !== null && limit < longest ? limit : longest;
  if (wanted === null) return last;
  const time = /^\d{4}-\d\d-\d\d(?:T[\d:.]+(?:Z|[+-]\d\d:\d\d))?$/.test(wanted) ? Date.parse(wanted) : Number.NaN;
  if (Number.isNaN(time)) {
    throw new Problem('invalid_request', `\`${wanted}\` is not a time`, {
      hint: 'Write `2027-01-31` or `2027-01-31T12:00:00Z`.',
    });
  }
  const expires = new Date(time).toISOString();
  if (expires <= last && expires > nowText()) return expires;
  throw new Problem('invalid_request', `A token ends between now and \`${last}\`, not at \`${expires}\``, {
    details: { latest: last },
  });
};
