/** Archives for tests: good packages in a line, and tar bytes that no packer would write. */
import { gzipSync } from 'node:zlib';
import { makeArchive } from '../../tool-package/archive/pack.ts';

export type FileMap = Record<string, string | Uint8Array | object>;

const toBytes = (content: string | Uint8Array | object): Uint8Array => {
  if (content instanceof Uint8Array) return content;
  return Buffer.from(typeof content === 'string' ? content : `${JSON.stringify(content, null, 2)}\n`);
};

/** An archive of these files: path -> text, bytes or (as JSON) an object. */
export const archiveOf = (files: FileMap, executables: readonly string[] = []): Buffer =>
  makeArchive(
    Object.entries(files).map(([path, content]) => ({
      path,
      bytes: toBytes(content),
      executable: executables.includes(path),
    })),
  );

/** Source of a pi extension that registers one tool; it answers with its name. */
export const piToolSource = (name: string, description = `Does ${name}.`): string => `
import { Type } from 'typebox';
export default function (pi) {
  pi.registerTool({
    name: ${JSON.stringify(name)},
    label: ${JSON.stringify(name)},
    description: ${JSON.stringify(description)},
    parameters: Type.Object({ text: Type.Optional(Type.String({ description: 'Any text.' })) }),
    async execute(_id, params) {
      return { content: [{ type: 'text', text: ${JSON.stringify(name)} + ' ' + (params.text ?? '') }], details: {} };
    },
  });
}
`;

/** Source of a SlopCode tool file with a default export. */
export const slopcodeToolSource = (description: string): string => `
import { tool } from '@slopcode-ai/plugin';
export default tool({
  description: ${JSON.stringify(description)},
  args: { text: tool.schema.string().describe('Any text.') },
  async execute(args) {
    return args.text;
  },
});
`;

type PackageOptions = { version?: string; packageJson?: object; files?: FileMap; tool?: string };

/** Files of a good pi package with one tool (named like the package, `-` as `_`). */
export const piPackageFiles = (name: string, options: PackageOptions = {}): FileMap => {
  const tool = options.tool ?? name.replace(/^@[^/]*\//, '').replaceAll('-', '_');
  return {
    'package.json': {
      name,
      version: options.version ?? '1.0.0',
      description: `The ${name} tool.`,
      license: 'MIT',
      repository: 'https://example.com/repository',
      pi: { extensions: ['./index.ts'] },
      ...options.packageJson,
    },
    'README.md': `# ${name}\n`,
    'index.ts': piToolSource(tool),
    ...options.files,
  };
};

/** The archive of a good pi package. */
export const piPackage = (name: string, options: PackageOptions = {}): Buffer =>
  archiveOf(piPackageFiles(name, options));

/** One tar header, every field as given; what is not given is what a good packer writes. */
export type TarHeaderFields = {
  name?: string | Uint8Array;
  mode?: number | string;
  uid?: number | string;
  gid?: number | string;
  /** A number is written in octal; text and bytes go into the field as they are. */
  size?: number | string | Uint8Array;
  mtime?: number | string;
  type?: string;
  linkname?: string;
  magic?: string;
  uname?: string;
  prefix?: string | Uint8Array;
  /** Text that goes into the field instead of the right sum. */
  checksum?: string;
  /** Bytes that overwrite the block at an offset, before the checksum is made. */
  patch?: { offset: number; bytes: string | Uint8Array }[];
};

const BLOCK = 512;

/** A 512-byte header. */
export const tarHeader = (fields: TarHeaderFields): Buffer => {
  const block = Buffer.alloc(BLOCK);
  const put = (value: string | Uint8Array, offset: number, length: number): void => {
    Buffer.from(value as string)
      .subarray(0, length)
      .copy(block, offset);
  };
  const number = (value: number | string | Uint8Array, offset: number, length: number): void =>
    put(typeof value === 'number' ? `${value.toString(8).padStart(length - 1, '0')}\0` : value, offset, length);
  put(fields.name ?? 'package/file.txt', 0, 100);
  number(fields.mode ?? 0o644, 100, 8);
  number(fields.uid ?? 0, 108, 8);
  number(fields.gid ?? 0, 116, 8);
  number(fields.size ?? 0, 124, 12);
  number(fields.mtime ?? 499_162_500, 136, 12);
  put('        ', 148, 8);
  put(fields.type ?? '0', 156, 1);
  put(fields.linkname ?? '', 157, 100);
  put(fields.magic ?? 'ustar\0' + '00', 257, 8);
  put(fields.uname ?? '', 265, 32);
  put(fields.prefix ?? '', 345, 155);
  for (const { offset, bytes } of fields.patch ?? []) put(bytes, offset, BLOCK);
  const sum = block.reduce((total, byte) => total + byte, 0);
  put(fields.checksum ?? `${sum.toString(8).padStart(6, '0')}\0 `, 148, 8);
  return block;
};

/** Fills up to a whole block. */
export const tarPadded = (bytes: string | Uint8Array): Buffer => {
  const content = Buffer.from(bytes as string);
  return Buffer.concat([content, Buffer.alloc((BLOCK - (content.length % BLOCK)) % BLOCK)]);
};

/** A header with its body; `size` is the body's unless it is given. */
export const tarEntry = (fields: TarHeaderFields, body: string | Uint8Array = ''): Buffer =>
  Buffer.concat([tarHeader({ size: Buffer.byteLength(body as string), ...fields }), tarPadded(body)]);

/** A PAX record with the right length. */
export const paxRecord = (key: string, value: string): string => {
  const body = ` ${key}=${value}\n`;
  let length = Buffer.byteLength(body);
  while (String(length).length + Buffer.byteLength(body) !== length)
    length = String(length).length + Buffer.byteLength(body);
  return `${length}${body}`;
};

/** A PAX header entry of raw text, or of records. */
export const tarPax = (records: string | Record<string, string>, fields: TarHeaderFields = {}): Buffer => {
  const body =
    typeof records === 'string'
      ? records
      : Object.entries(records)
          .map(([key, value]) => paxRecord(key, value))
          .join('');
  return tarEntry({ name: 'PaxHeader/file', type: 'x', ...fields }, body);
};

/** A GNU long-name entry. */
export const tarLongName = (name: string, body = `${name}\0`): Buffer =>
  tarEntry({ name: '././@LongLink', type: 'L', magic: 'ustar  \0' }, body);

export const TAR_END = Buffer.alloc(2 * BLOCK);

export const PACKAGE_JSON_TEXT = '{"name":"hostile","version":"1.0.0","pi":{"extensions":["./index.ts"]}}';

/** The normal first entry. */
export const tarPackageJson = (text: string = PACKAGE_JSON_TEXT): Buffer =>
  tarEntry({ name: 'package/package.json' }, text);

/** A `.tgz` of raw parts, behind a normal `package.json` and before a normal end. */
export const hostileArchive = (...parts: readonly Uint8Array[]): Buffer =>
  gzipSync(Buffer.concat([tarPackageJson(), ...parts, TAR_END]));

/** A `.tgz` of exactly these parts. */
export const rawArchive = (...parts: readonly Uint8Array[]): Buffer => gzipSync(Buffer.concat([...parts]));
