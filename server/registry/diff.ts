/** What changed between two versions, as the viewer may see them. */
import type { DiffAnswer } from '../../schemas/api/diff.ts';
import type { ManifestRecord } from '../../schemas/manifest.ts';
import { Problem } from '../../schemas/problem.ts';
import { diffRecords } from '../../tool-package/diff/index.ts';
import { versionBefore } from '../../tool-package/diff/version-before.ts';
import type { Deps } from '../deps.ts';
import type { VersionRow } from '../store/tables.ts';
import { getDocument, getVersion, versionNotFound } from './package-document.ts';
import { type PreparedAnswer, prepare } from './prepared-answers.ts';
import type { Viewer } from './viewer.ts';

export type DiffRequest = { readonly name: string; readonly from: string | undefined; readonly to: string | undefined };

export type Differ = {
  /**
   * The answer, and whether everybody may see both versions. `to` is `latest` where it is not given, `from` the version
   * before `to`. Throws as `getVersion` does.
   */
  diff(request: DiffRequest, viewer: Viewer | null): Promise<{ answer: PreparedAnswer; isPublic: boolean }>;
};

const MAX_BYTES = 8 * 1024 * 1024;
/** For the entry itself: a difference without changes is small. */
const ENTRY_BYTES = 512;

/**
 * Records never change, so neither do their differences: they are kept, and a pair that was made to take long to compare
 * takes long once.
 */
export const createDiffer = (deps: Deps): Differ => {
  const kept = new Map<string, PreparedAnswer>();
  let bytes = 0;
  const keep = (key: string, answer: PreparedAnswer): void => {
    kept.set(key, answer);
    bytes += ENTRY_BYTES + answer.body.byteLength;
    for (const [oldKey, old] of kept) {
      if (bytes <= MAX_BYTES) return;
      kept.delete(oldKey);
      bytes -= ENTRY_BYTES + old.body.byteLength;
    }
  };
  return {
    diff: async (request, viewer) => {
      const { name } = request;
      const versions = await chooseVersions(deps, request, viewer);
      const [from, to] = await Promise.all(
        versions.map(async (one) => (await getVersion(deps, name, one, viewer)).version),
      );
      if (from === undefined || to === undefined) throw versionNotFound(name, versions[0]);
      const key = `${from.record_digest} ${to.record_digest}`;
      const answer = kept.get(key) ?? prepare(answerOf(name, from, to));
      if (!kept.has(key)) keep(key, answer);
      return { answer, isPublic: from.state === 'listed' && to.state === 'listed' };
    },
  };
};

const answerOf = (name: string, from: VersionRow, to: VersionRow): DiffAnswer => ({
  name,
  from: from.version,
  to: to.version,
  changes: diffRecords(JSON.parse(from.record) as ManifestRecord, JSON.parse(to.record) as ManifestRecord),
});

const chooseVersions = async (
  deps: Deps,
  { name, from, to }: DiffRequest,
  viewer: Viewer | null,
): Promise<readonly [string, string]> => {
  if (from !== undefined && to !== undefined) return [from, to];
  const { versions, tags } = await getDocument(deps, name, viewer);
  const known = versions.map(({ version }) => version);
  const until = to ?? tags.latest ?? known.at(-1) ?? '';
  return [from ?? getBefore(name, known, until), until];
};

const getBefore = (name: string, versions: readonly string[], until: string): string => {
  const found = versionBefore(versions, until);
  if (found !== undefined) return found;
  throw new Problem('version_not_found', `\`${name}\` has no version before \`${until}\``, {
    hint: 'Name two versions to compare.',
    details: { name, version: until },
  });
};
