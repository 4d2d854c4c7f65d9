/** The two ways to write a path that does not fit the header: a PAX record, or GNU's long name. All else in them is refused. */
import { decodeText, isZero } from './header.ts';
import { refuseArchive } from './refusal.ts';

export type PaxRecords = { readonly path: string | null; readonly size: number | null };

const TIME = /^-?\d{1,15}(?:\.\d{1,12})?$/;
const SIZE = /^(?:0|[1-9]\d{0,15})$/;

/** Which values a key may have. A key that is not here changes what another parser sees (`GNU.sparse.*`, `linkpath` …). */
const KEYS = new Map<string, (value: string) => boolean>([
  ['path', (value) => value !== ''],
  ['size', (value) => SIZE.test(value)],
  ['mtime', (value) => TIME.test(value)],
  ['atime', (value) => TIME.test(value)],
  ['ctime', (value) => TIME.test(value)],
  ['hdrcharset', (value) => value === 'BINARY'],
]);

/** Reads the body of an `x` entry: `<length> <key>=<value>\n` again and again, to the last byte. */
export const parsePax = (body: Buffer): PaxRecords => {
  const records = new Map<string, string>();
  for (let at = 0; at < body.length; ) {
    const [key, value, next] = readRecord(body, at);
    const accepts = KEYS.get(key);
    if (accepts === undefined) throw refuseArchive('pax-key', 'a PAX header has a key that may not be in it');
    if (records.has(key)) throw refuseArchive('pax-duplicate', `a PAX header has \`${key}\` twice`);
    if (!accepts(value)) throw refuseArchive('pax-value', `a PAX header has a wrong value for \`${key}\``);
    records.set(key, value);
    at = next;
  }
  const size = records.get('size');
  return { path: records.get('path') ?? null, size: size === undefined ? null : Number(size) };
};

const readRecord = (body: Buffer, start: number): [key: string, value: string, next: number] => {
  const bad = (): Error => refuseArchive('pax-record', 'a PAX header is malformed');
  const space = body.indexOf(0x20, start);
  if (space === -1 || space === start || space - start > 6) throw bad();
  const digits = body.toString('latin1', start, space);
  if (!/^[1-9]\d*$/.test(digits)) throw bad();
  const next = start + Number(digits);
  if (next > body.length || next <= space + 1 || body[next - 1] !== 0x0a) throw bad();
  const record = body.subarray(space + 1, next - 1);
  const equals = record.indexOf(0x3d);
  if (equals < 1) throw bad();
  // The length alone would allow them, but a line-wise parser would see two records, and a C parser half a path.
  if (record.includes(0x0a) || record.includes(0))
    throw refuseArchive('pax-value', 'a PAX header has a line break or NUL in a value');
  return [
    decodeText(record.subarray(0, equals), 'PAX key'),
    decodeText(record.subarray(equals + 1), 'PAX value'),
    next,
  ];
};

/** Reads the body of an `L` entry: the path, its NUL, nothing more. */
export const parseLongName = (body: Buffer): string => {
  const end = body.indexOf(0);
  const name = end === -1 ? body : body.subarray(0, end);
  if (end !== -1 && !isZero(body.subarray(end)))
    throw refuseArchive('long-name', 'a GNU long name goes on after its end');
  if (name.length === 0) throw refuseArchive('long-name', 'a GNU long name is empty');
  return decodeText(name, 'GNU long name');
};
