/** What is logged of one read, and how the log is shown. Plain values only. */

export const ENTRY_TYPE = 'read-logger';

export interface ReadRecord {
  /** RFC 3339. */
  at: string;
  /** As the model wrote it. */
  path: string;
  offset: number | null;
  limit: number | null;
  /** null: it worked. */
  error: string | null;
}

/** The records among a session's entries, oldest first. */
export function recordsOf(entries: readonly unknown[]): ReadRecord[] {
  return entries.flatMap((entry) => {
    const { type, customType, data } = entry as { type?: unknown; customType?: unknown; data?: unknown };
    return type === 'custom' && customType === ENTRY_TYPE && isRecord(data) ? [data] : [];
  });
}

/** One line per read, the newest last. */
export function formatRecords(records: readonly ReadRecord[], newest: number): string {
  if (records.length === 0) return 'Nothing has been read in this session.';
  const shown = records.slice(-newest);
  const left = records.length - shown.length;
  const lines = shown.map((record) => `${record.at} ${record.path}${range(record)}${outcome(record)}`);
  return [...(left > 0 ? [`(${left} earlier reads)`] : []), ...lines].join('\n');
}

function range({ offset, limit }: ReadRecord): string {
  if (offset === null && limit === null) return '';
  return ` from line ${offset ?? 1}${limit === null ? '' : `, ${limit} lines`}`;
}

const outcome = ({ error }: ReadRecord): string => (error === null ? '' : ` failed: ${error}`);

function isRecord(data: unknown): data is ReadRecord {
  if (typeof data !== 'object' || data === null) return false;
  const { at, path } = data as Partial<ReadRecord>;
  return typeof at === 'string' && typeof path === 'string';
}
