/** What every verb of the registry works on. */
import { type Blobs, openBlobs } from './blobs/blobs.ts';
import { createDataFolder, type DataFolder } from './data-folder.ts';
import { DEFAULT_LIMITS, type Limits } from './limits.ts';
import { createExaminationQueue, type ExaminationQueue } from './registry/examination-queue.ts';
import { openStore, type Store } from './store/store.ts';

export type ReviewMode = 'off' | 'auto' | 'required';

export type DepsOptions = {
  readonly dataFolder: string;
  /** Which archives are listed at once; `auto` when not given. */
  readonly review?: ReviewMode;
  readonly limits?: Partial<Limits>;
};

export type Deps = {
  readonly folder: DataFolder;
  readonly store: Store;
  readonly blobs: Blobs;
  readonly review: ReviewMode;
  readonly limits: Limits;
  readonly examinations: ExaminationQueue;
};

/**
 * Opens a data folder, and makes it when it is not there. Any number of processes may have it open; `serve` holds a lock
 * of its own beside this. Throws `data_folder_invalid`.
 */
export const openDeps = async (options: DepsOptions): Promise<Deps> => {
  const folder = await createDataFolder(options.dataFolder);
  const limits = { ...DEFAULT_LIMITS, ...options.limits };
  return {
    folder,
    store: await openStore(folder.database),
    blobs: openBlobs(folder.blobs),
    review: options.review ?? 'auto',
    limits,
    examinations: createExaminationQueue(limits),
  };
};

export const closeDeps = (deps: Deps): Promise<void> => deps.store.close();
