/** Who asks, and what they may. */
import type { Role, TokenScope } from '../../schemas/api/accounts.ts';
import { Problem } from '../../schemas/problem.ts';

export type Viewer = {
  readonly user: string;
  readonly role: Role;
  /** What the token allows, within what the role allows. */
  readonly scopes: ReadonlySet<TokenScope>;
  /** Null for the embedded registry's own user. */
  readonly tokenId: string | null;
  /** When the token ends; null for never. */
  readonly expires: string | null;
};

const SCOPES_OF_ROLE: ReadonlyMap<Role, readonly TokenScope[]> = new Map([
  ['publisher', ['read', 'publish']],
  ['curator', ['read', 'publish', 'review']],
  ['administrator', ['read', 'publish', 'review', 'admin']],
]);

/** All that a role may. */
export const scopesOfRole = (role: Role): readonly TokenScope[] => SCOPES_OF_ROLE.get(role) ?? [];

/** A token never allows more than its user's role does today. */
export const effectiveScopes = (role: Role, scopes: readonly TokenScope[]): ReadonlySet<TokenScope> => {
  const allowed = scopesOfRole(role);
  return new Set(scopes.filter((scope) => allowed.includes(scope)));
};

/** Throws `unauthorized` without a viewer, `forbidden` when neither the token nor the role allows it. */
export const requireScope = (viewer: Viewer | null, scope: TokenScope): Viewer => {
  const known = requireViewer(viewer);
  if (known.scopes.has(scope)) return known;
  throw new Problem(
    'forbidden',
    `This needs the scope \`${scope}\`, which this token of \`${known.user}\` does not have`,
    {
      hint: `Use a token with it: \`pi-tools token create --scopes ${scope}\`.`,
      details: { scope },
    },
  );
};

export const requireViewer = (viewer: Viewer | null): Viewer => {
  if (viewer !== null) return viewer;
  throw unauthorized();
};

export const unauthorized = (): Problem =>
  new Problem('unauthorized', 'This needs a token', {
    hint: 'Log in with `pi-tools login`, or set `PI_TOOLS_TOKEN`.',
  });

/** Whether the viewer sees what is not listed: curators, administrators and the package's owners. */
export const seesUnlisted = (viewer: Viewer | null, owners: readonly string[]): boolean =>
  viewer !== null && (viewer.scopes.has('review') || owners.includes(viewer.user));

/** Throws `not_owner` unless the viewer owns the package or is an administrator. */
export const requireOwner = (viewer: Viewer, owners: readonly string[], name: string): void => {
  if (owners.includes(viewer.user) || viewer.scopes.has('admin')) return;
  throw new Problem('not_owner', `\`${viewer.user}\` is no owner of \`${name}\``, {
    hint:
      owners.length > 0
        ? `Owners: ${owners.map((owner) => `\`${owner}\``).join(', ')}.`
        : 'It has no owner; ask an administrator.',
    details: { owners },
  });
};
