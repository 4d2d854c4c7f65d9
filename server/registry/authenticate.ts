/** From a bearer token to who asks. */
import type { TokenScope } from '../../schemas/api/accounts.ts';
import { Problem } from '../../schemas/problem.ts';
import { nowText } from '../clock.ts';
import type { Deps } from '../deps.ts';
import { findTokenHolder } from '../store/tokens.ts';
import { hashToken, isTokenText } from './token-text.ts';
import { effectiveScopes, type Viewer } from './viewer.ts';

/** Throws `invalid_token` for a malformed, unknown, revoked or expired token. The message never holds the token. */
export const authenticate = async (deps: Deps, token: string): Promise<Viewer> => {
  if (!isTokenText(token)) throw invalid('The token is malformed');
  const holder = await findTokenHolder(deps.store.read, hashToken(token));
  if (holder === undefined) throw invalid('The token is unknown or was revoked');
  if (holder.expires_at !== null && holder.expires_at <= nowText()) throw invalid('The token has expired');
  const scopes = JSON.parse(holder.scopes) as TokenScope[];
  return {
    user: holder.user,
    role: holder.role,
    scopes: effectiveScopes(holder.role, scopes),
    tokenId: holder.id,
    expires: holder.expires_at,
  };
};

const invalid = (message: string): Problem =>
  new Problem('invalid_token', message, { hint: 'Log in again with `pi-tools login`.' });
