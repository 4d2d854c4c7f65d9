/** Yank and deprecate: the publisher's own words about a version that stays what it is. */
import type { Manifest } from '../../schemas/manifest.ts';
import type { Deps } from '../deps.ts';
import { changeVersion, type VersionTarget } from './change-version.ts';
import { requireOwner, requireScope, type Viewer } from './viewer.ts';

type By = { readonly viewer: Viewer | null; readonly reason: string | null };

/** A yanked version is not chosen any more, except by who names it exactly. For owners and administrators. */
export const yank = (deps: Deps, target: VersionTarget, by: By): Promise<Manifest> =>
  changeOwn(deps, target, by, 'yank', (row) => (row.yanked === null ? { yanked: by.reason ?? 'yanked' } : null));

export const unyank = (deps: Deps, target: VersionTarget, by: By): Promise<Manifest> =>
  changeOwn(deps, target, by, 'unyank', (row) => (row.yanked === null ? null : { yanked: null }));

/** Sets the message that everybody who installs the version sees; an empty one takes it back. */
export const deprecate = (deps: Deps, target: VersionTarget, by: { viewer: Viewer | null; message: string }) => {
  const message = by.message === '' ? null : by.message;
  const kind = message === null ? 'undeprecate' : 'deprecate';
  return changeOwn(deps, target, { viewer: by.viewer, reason: message }, kind, (row) =>
    row.deprecated === message ? null : { deprecated: message },
  );
};

const changeOwn = async (
  deps: Deps,
  target: VersionTarget,
  by: By,
  kind: 'yank' | 'unyank' | 'deprecate' | 'undeprecate',
  change: Parameters<typeof changeVersion>[2]['change'],
): Promise<Manifest> => {
  const viewer = requireScope(by.viewer, 'publish');
  return changeVersion(deps, target, {
    actor: viewer.user,
    kind,
    reason: by.reason,
    assertAllowed: (_row, owners) => requireOwner(viewer, owners, target.name),
    change,
  });
};
