/** What a hostile package is, and how one is written in a line. */
import { makeArchive } from '../../tool-package/archive/write.ts';

export type HostilePackage = {
  readonly id: string;
  /** What the archive reader has to answer where it refuses the archive; null where it is read and examined. */
  readonly refused: 'invalid_archive' | 'too_large' | 'invalid_package_json' | null;
  /** The archive, under this package name. */
  make(name: string): Uint8Array;
};

export type Files = Readonly<Record<string, string | Uint8Array>>;

/** As much of `unit` as fits into so many bytes of ASCII. */
export const fill = (unit: string, bytes: number): string => unit.repeat(Math.floor(bytes / unit.length));

export const many = (count: number, make: (index: number) => string): string =>
  Array.from({ length: count }, (_, index) => make(index)).join('');

/** Just below the 2 MiB from which a file is not looked at; of a package, 1.5 MiB of sources are parsed. */
export const NEARLY_TWO_MIB = 1_990_000;
export const NEARLY_ALL_PARSED = 1_500_000;

/** A good entry that registers one tool; `top` stands before it, `inside` in the factory. */
export const entry = (top = '', inside = ''): string => `import { Type } from 'typebox';
${top}
export default (pi) => {
  ${inside}
  pi.registerTool({ name: 'good', label: 'Good', description: 'Says what it was told.', parameters: Type.Object({ text: Type.String({ description: 'What to say' }) }), async execute(_id, params) { return { content: [{ type: 'text', text: params.text }], details: {} }; } });
};
`;

export const packageJson = (name: string, more: object = {}): string =>
  JSON.stringify({
    name,
    version: '1.0.0',
    description: 'A package that is up to no good.',
    license: 'MIT',
    pi: { extensions: ['./index.ts'] },
    ...more,
  });

export const archiveOf = (files: Files): Uint8Array =>
  makeArchive(
    Object.entries(files).map(([path, content]) => ({
      path,
      bytes: typeof content === 'string' ? Buffer.from(content) : content,
    })),
  );

/** A package of these files beside README, package.json and, where there is none, a good entry. */
export const hostile = (id: string, files: () => Files, more: object = {}): HostilePackage => ({
  id,
  refused: null,
  make: (name) =>
    archiveOf({ 'index.ts': entry(), 'README.md': `# ${name}\n`, ...files(), 'package.json': packageJson(name, more) }),
});

/** The source is the entry: bundled and evaluated. */
export const asEntry = (id: string, source: () => string): HostilePackage =>
  hostile(`entry: ${id}`, () => ({ 'index.ts': source() }));

/** The source lies in the package and nobody imports it: only parsed and checked. */
export const asFile = (id: string, source: () => string | Uint8Array, path = 'lib/hostile.ts'): HostilePackage =>
  hostile(`file: ${id}`, () => ({ [path]: source() }));
