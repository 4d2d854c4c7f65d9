/** Tags: names for versions, set by owners. */
import { Problem } from '../../schemas/problem.ts';
import type { Deps } from '../deps.ts';
import { insertEvent } from '../store/events.ts';
import { deleteTag, listTags, putTag } from '../store/packages.ts';
import { findVersionHead } from '../store/versions.ts';
import { refreshPackage } from './listing.ts';
import { changeOwnPackage } from './own-package.ts';
import { versionNotFound } from './package-document.ts';
import { checkTag } from './tag-rules.ts';
import type { Viewer } from './viewer.ts';

export type TagTarget = { readonly name: string; readonly tag: string };

/** Throws `reserved_tag`, `invalid_tag`, `not_owner`, `version_not_found`, `state_conflict` for a version that is not listed. */
export const setTag = async (
  deps: Deps,
  { name, tag }: TagTarget,
  by: { readonly viewer: Viewer | null; readonly version: string },
): Promise<void> => {
  checkTag(tag);
  const { version } = by;
  await changeOwnPackage(deps, name, by.viewer, async (trx, row, viewer) => {
    const head = await findVersionHead(trx, row.id, version);
    if (head === undefined) throw versionNotFound(name, version);
    if (head.state !== 'listed') {
      throw new Problem(
        'state_conflict',
        `\`${name}@${version}\` is \`${head.state}\`: only a listed version gets a tag`,
      );
    }
    const current = (await listTags(trx, row.id)).find((known) => known.tag === tag);
    if (current?.version === version) return;
    await putTag(trx, row.id, tag, version);
    await refreshPackage(trx, row);
    await insertEvent(trx, { actor: viewer.user, kind: 'tag-set', package: name, version, detail: { tag } });
  });
};

/** Throws `tag_not_found`. */
export const removeTag = async (deps: Deps, { name, tag }: TagTarget, viewer: Viewer | null): Promise<void> => {
  checkTag(tag);
  await changeOwnPackage(deps, name, viewer, async (trx, row, by) => {
    if (!(await deleteTag(trx, row.id, tag))) throw new Problem('tag_not_found', `\`${name}\` has no tag \`${tag}\``);
    await refreshPackage(trx, row);
    await insertEvent(trx, { actor: by.user, kind: 'tag-remove', package: name, detail: { tag } });
  });
};
