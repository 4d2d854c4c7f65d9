/** `code/binary`: parts of a package that cannot be read as source. */
import { showText } from '../show-text.ts';
import { text } from '../source/node.ts';
import { eachNode } from '../source/program.ts';
import type { Analysis } from '../source/types.ts';
import { analysisOf, foundAt } from './code-facts.ts';
import type { Found, Rule } from './types.ts';

type Kind = { what: string; names: RegExp; magic: readonly (readonly number[])[] };

const ascii = (value: string): number[] => [...value].map((character) => character.charCodeAt(0));

const KINDS: readonly Kind[] = [
  {
    what: 'native code',
    names: /\.(?:node|so(?:\.\d+)*|dll|dylib|exe|com|msi|o|a|lib|elf|appimage|deb|rpm|apk|dmg|pkg)$/i,
    magic: [
      [0x7f, ...ascii('ELF')],
      [0xfe, 0xed, 0xfa, 0xce],
      [0xfe, 0xed, 0xfa, 0xcf],
      [0xce, 0xfa, 0xed, 0xfe],
      [0xcf, 0xfa, 0xed, 0xfe],
      ascii('!<arch>'),
    ],
  },
  {
    what: 'compiled code',
    names: /\.(?:class|jar|war|pyc|pyo|pyd|beam|luac|jsc)$/i,
    magic: [[0xca, 0xfe, 0xba, 0xbe]],
  },
  { what: 'WebAssembly', names: /\.wasm$/i, magic: [[0, ...ascii('asm')]] },
  {
    what: 'an archive',
    names: /\.(?:zip|tgz|tar|gz|bz2|xz|zst|7z|rar|cab|iso|whl|gem|egg|crx|xpi|vsix|asar|br|lz4|lzma)$/i,
    magic: [
      ascii('PK\u0003\u0004'),
      [0x1f, 0x8b],
      ascii('BZh'),
      [0xfd, ...ascii('7zXZ')],
      ascii('7z\u00bc\u00af'),
      ascii('Rar!'),
      [0x28, 0xb5, 0x2f, 0xfd],
    ],
  },
];

/** `MZ` begins many a text too: a program has the offset of its real header at 60. */
function isWindowsProgram(bytes: Uint8Array): boolean {
  if (bytes[0] !== 0x4d || bytes[1] !== 0x5a || bytes.length < 64) return false;
  const at = (bytes[60] ?? 0) | ((bytes[61] ?? 0) << 8);
  return bytes[at] === 0x50 && bytes[at + 1] === 0x45;
}

const isTar = (bytes: Uint8Array): boolean => Buffer.from(bytes.subarray(257, 262)).toString('latin1') === 'ustar';

/** What a file is by its first bytes, or null. */
function binaryKind(bytes: Uint8Array): string | null {
  if (isWindowsProgram(bytes)) return 'native code';
  if (isTar(bytes)) return 'an archive';
  return (
    KINDS.find(({ magic }) => magic.some((start) => start.every((value, index) => bytes[index] === value)))?.what ??
    null
  );
}

/** The beginning of a program, of WebAssembly and of an archive in base64. */
const ENCODED: readonly (readonly [RegExp, string])[] = [
  [/^(?:data:[\w/+-]{0,60};base64,)?AGFzbQ/, 'WebAssembly'],
  [/^(?:data:[\w/+-]{0,60};base64,)?f0VMRg/, 'native code'],
  [/^(?:data:[\w/+-]{0,60};base64,)?TV[qp]QAAMAAAAEAAAA/, 'native code'],
  [/^(?:data:[\w/+-]{0,60};base64,)?(?:H4sI|UEsDB)/, 'an archive'],
];

export const binary: Rule = {
  id: 'code/binary',
  level: 'review',
  what: 'native code, compiled code, WebAssembly, archives in the archive; the same encoded in a source',
  why: 'no check can look inside, and a reader cannot either',
  fix: 'leave it out, or build it from source that is in the package; say in the README what it is',
  *find(facts) {
    for (const { path, head } of facts.files) {
      const bytes = facts.sources.get(path) ?? head;
      const what = (bytes && binaryKind(bytes)) ?? KINDS.find(({ names }) => names.test(path))?.what;
      if (what) yield { file: path, message: `\`${showText(path)}\` is ${what}` };
    }
    const analysis = analysisOf(facts);
    yield* encodedTexts(analysis);
  },
};

function encodedTexts(analysis: Analysis): Found[] {
  const found: Found[] = [];
  eachNode(analysis.program.nodes, ['StringLiteral'], (node, file) => {
    const value = text(node, 'value');
    const kind = value !== null && value.length > 200 ? ENCODED.find(([pattern]) => pattern.test(value)) : undefined;
    if (kind) found.push(foundAt(analysis, { node, file }, `a text that is ${kind[1]}`));
  });
  return found;
}
