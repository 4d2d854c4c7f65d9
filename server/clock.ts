/** The server's only clock: everything that is stored or compared with a time asks here. */

export const now = (): Date => new Date();

/** RFC 3339 in UTC, as stored in rows and records. */
export const nowText = (): string => now().toISOString();

export const nowMs = (): number => now().getTime();
