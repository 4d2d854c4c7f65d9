/** What an archive may cost. Absolute caps: a ratio guard lets 1.5 MB become 420 MB when random bytes are mixed in. */
export type ArchiveLimits = {
  /** Compressed bytes. */
  readonly archiveBytes: number;
  /** Sum of all files. */
  readonly unpackedBytes: number;
  /** Files and folders. */
  readonly entries: number;
  readonly fileBytes: number;
  /** UTF-8 bytes of a path, without the leading `package/`. */
  readonly pathBytes: number;
  readonly segmentBytes: number;
  /** Segments of a path. */
  readonly depth: number;
  /** Bytes of one PAX or long-name header. */
  readonly metaBytes: number;
  readonly packageJsonBytes: number;
  readonly packageJsonDepth: number;
};

const MiB = 1024 * 1024;

export const DEFAULT_LIMITS: ArchiveLimits = {
  archiveBytes: 20 * MiB,
  unpackedBytes: 100 * MiB,
  entries: 5000,
  fileBytes: 25 * MiB,
  pathBytes: 200,
  segmentBytes: 100,
  depth: 16,
  metaBytes: 64 * 1024,
  packageJsonBytes: 64 * 1024,
  packageJsonDepth: 16,
};
