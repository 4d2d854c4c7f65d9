/** Removes what a killed process left behind: uploads, and blobs that no row names. */
import { discardLeftOver } from '../blobs/incoming.ts';
import { nowMs } from '../clock.ts';
import type { Deps } from '../deps.ts';
import { findVersionByBlob } from '../store/versions.ts';

const HOUR_MS = 60 * 60_000;

export type Collected = { readonly blobs: number; readonly uploads: number };

/** Blobs are left alone for an hour: between a blob and its row lies a publish's transaction. */
export const collectBlobs = async (deps: Deps, minAgeMs = HOUR_MS): Promise<Collected> => {
  const uploads = await discardLeftOver(deps.folder.incoming, nowMs(), HOUR_MS);
  let blobs = 0;
  for await (const sha512 of deps.blobs.list(nowMs() - minAgeMs)) {
    if ((await findVersionByBlob(deps.store.read, sha512)) !== undefined) continue;
    // Asked again under the write lock: a publish looks for its blob under the same lock before it writes the row.
    blobs += await deps.store.write(async (trx) => {
      if ((await findVersionByBlob(trx, sha512)) !== undefined) return 0;
      await deps.blobs.delete(sha512);
      return 1;
    });
  }
  return { blobs, uploads };
};
