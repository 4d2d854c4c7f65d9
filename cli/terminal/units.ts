/** Sizes, times and counts as people read them. */

/** `812 B`, `3.4 kB`, `12 MB`: powers of 1000, two significant digits below ten. */
export const formatBytes = (bytes: number): string => {
  if (bytes < 1000) return `${bytes} B`;
  const unit = bytes < 999_500 ? 'kB' : 'MB';
  const value = bytes / (unit === 'kB' ? 1000 : 1_000_000);
  return `${value < 10 ? value.toFixed(1) : Math.round(value)} ${unit}`;
};

const STEPS: readonly (readonly [limitSeconds: number, seconds: number, unit: string])[] = [
  [3600, 60, 'minute'],
  [86_400, 3600, 'hour'],
  [30 * 86_400, 86_400, 'day'],
  [365 * 86_400, 30 * 86_400, 'month'],
  [Number.POSITIVE_INFINITY, 365 * 86_400, 'year'],
];

/** `just now`, `3 minutes ago`, `2 days ago`; a date where the clock disagrees or the text is no time. */
export const formatAge = (time: string, now: Date): string => {
  const seconds = Math.round((now.getTime() - Date.parse(time)) / 1000);
  // The time is remote text: only digits of it are shown.
  if (!Number.isFinite(seconds) || seconds < -60) return /^\d{4}-\d{2}-\d{2}/.exec(time)?.[0] ?? 'at an unknown time';
  if (seconds < 60) return 'just now';
  const [, size, unit] = STEPS.find(([limit]) => seconds < limit) ?? [0, 1, 'second'];
  const count = Math.floor(seconds / (size as number));
  return `${plural(count, unit as string)} ago`;
};

/** `1 file`, `3 files`; the plural form can be given. */
export const plural = (count: number, one: string, many = `${one}s`): string => `${count} ${count === 1 ? one : many}`;
