/** What Node has of the language and the engine has not: with one fixed answer, as on a machine in English. */
import { inert } from './inert.ts';
import { markFor } from './marks.ts';

type Numbers = { minimumFractionDigits?: number; maximumFractionDigits?: number } | undefined;

const LOCALE = 'en-US';

/** `1,234.5`. Styles (percent, currency) are not known here. */
function formatNumber(value: unknown, options?: Numbers): string {
  const number = Number(value);
  if (!Number.isFinite(number)) return String(number);
  const least = options?.minimumFractionDigits ?? 0;
  const most = Math.max(least, options?.maximumFractionDigits ?? 3);
  const [whole = '', fraction = ''] = Math.abs(number).toFixed(Math.min(most, 20)).split('.');
  const kept = fraction.replace(/0+$/, '').padEnd(least, '0');
  const grouped = whole.replace(/\B(?=(?:\d{3})+$)/g, ',');
  return `${number < 0 ? '-' : ''}${grouped}${kept === '' ? '' : `.${kept}`}`;
}

/** Only plain numbers: what has a style or another language is unread. */
const isPlain = (locale: unknown, options: unknown): boolean =>
  (locale === undefined || /^en(?:-US)?$/.test(String(locale))) &&
  Object.keys((options ?? {}) as object).every((key) => /^(?:min|max)imumFractionDigits$|^useGrouping$/.test(key));

function numberText(value: unknown, locale: unknown, options: unknown): string {
  return isPlain(locale, options) ? formatNumber(value, options as Numbers) : markFor('Intl NumberFormat');
}

const resolved = (more: object) => ({ locale: LOCALE, numberingSystem: 'latn', ...more });

const NumberFormat = function NumberFormat(locale?: unknown, options?: unknown) {
  const format = (value: unknown) => numberText(value, locale, options);
  return { format, formatToParts: inert('Intl NumberFormat'), resolvedOptions: () => resolved({ style: 'decimal' }) };
};

/** The zone of every machine here; texts of a date differ too much between languages to be made up. */
const DateTimeFormat = function DateTimeFormat() {
  const rest = inert('Intl DateTimeFormat');
  const more = { calendar: 'gregory', timeZone: 'UTC' };
  return { format: rest, formatToParts: rest, formatRange: rest, resolvedOptions: () => resolved(more) };
};

function installIntl(): void {
  const rest = inert('Intl');
  const known: Record<string, unknown> = { NumberFormat, DateTimeFormat, getCanonicalLocales: () => [LOCALE] };
  const value = new Proxy(known, { get: (target, key) => target[key as string] ?? Reflect.get(rest, key) });
  Object.defineProperty(globalThis, 'Intl', { value, writable: true, configurable: true });
  function localeText(this: unknown, locale?: unknown, options?: unknown): string {
    return numberText(this, locale, options);
  }
  Object.defineProperty(Number.prototype, 'toLocaleString', { value: localeText, writable: true, configurable: true });
}

async function fromAsync(items: Iterable<unknown>, map: (item: unknown, at: number) => unknown = (item) => item) {
  const list: unknown[] = [];
  for await (const item of items) list.push(await map(item, list.length));
  return list;
}

const ADDITIONS: readonly (readonly [owner: object, key: string, value: unknown])[] = [
  [Symbol, 'dispose', Symbol.for('Symbol.dispose')],
  [Symbol, 'asyncDispose', Symbol.for('Symbol.asyncDispose')],
  [Array, 'fromAsync', fromAsync],
  [Error, 'captureStackTrace', () => undefined],
  [Error, 'stackTraceLimit', 10],
];

export function installLanguage(): void {
  installIntl();
  for (const [owner, key, value] of ADDITIONS) {
    if (!(key in owner)) Object.defineProperty(owner, key, { value, writable: true, configurable: true });
  }
}
