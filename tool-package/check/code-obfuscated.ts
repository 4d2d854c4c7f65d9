/** `code/obfuscated`: source that is there but cannot be read. */
import { showText } from '../show-text.ts';
import type { ApiCall } from '../source/api-calls.ts';
import { fileOf } from '../source/machine.ts';
import { child, isMember, type Node, unwrap } from '../source/node.ts';
import { isSourcePath } from '../source/parse.ts';
import { eachNode } from '../source/program.ts';
import type { Analysis } from '../source/types.ts';
import { usesOfCall } from '../source/uses.ts';
import { knownText, onlyText } from '../source/value.ts';
import { analysisOf, foundAt, oncePerLine } from './code-facts.ts';
import { constantTexts } from './constant-texts.ts';
import type { Facts, Found, Rule } from './types.ts';

/** Bidi controls make a reader see other code than a parser; tag characters and rows of variation selectors hide data. */
const BIDI = /[\u202a-\u202e\u2066-\u2069]/u;
/** A Han character may have one selector of its own (it picks the glyph). */
const HIDDEN =
  /[\u{e0000}-\u{e007f}]|(?<!\p{Script=Han})[\u{e0100}-\u{e01ef}]|\p{Variation_Selector}{3}|(?:\u200b|\u2060|\u200c|\u200d|\ufeff|\u3164|\uffa0){6}/u;

/** The flags of Scotland, Wales and the like are a black flag and tag characters. */
const FLAGS = /\u{1f3f4}[\u{e0030}-\u{e007a}]{2,8}\u{e007f}/gu;

function hiddenReason(source: string): { message: string; index: number } | null {
  const text = source.replace(FLAGS, (flag) => ' '.repeat(flag.length));
  const bidi = BIDI.exec(text);
  if (bidi) return { message: 'bidi control characters: the code reads otherwise than it runs', index: bidi.index };
  const hidden = HIDDEN.exec(text);
  return hidden ? { message: 'invisible characters that can hold hidden data', index: hidden.index } : null;
}

/** Escapes of characters that need none: nobody writes `\x63\x75\x72\x6c` for curl. Escapes of other scripts are fine. */
const NEEDLESS = /\\x[2-7][0-9a-f]|\\u00[2-7][0-9a-f]|\\u\{0{0,4}[2-7][0-9a-f]\}/gi;
const MIN_NEEDLESS = 12;
const MANGLED = /\b_0x[0-9a-f]{3,8}\b/g;
const MIN_MANGLED = 4;

function textReason(text: string): { message: string; index: number } | null {
  const needless = [...text.matchAll(NEEDLESS)];
  if (needless.length >= MIN_NEEDLESS && needless.length * 60 > text.length)
    return { message: 'plain letters are written as escapes', index: needless[0]?.index ?? 0 };
  const mangled = [...text.matchAll(MANGLED)];
  const names = new Set(mangled.map(([name]) => name));
  if (names.size >= MIN_MANGLED) return { message: 'names are made by an obfuscator', index: mangled[0]?.index ?? 0 };
  const symbols = /[[\]()!+]{120}/.exec(text);
  return symbols && /[!+]\[/.test(symbols[0])
    ? { message: 'code is written with brackets and signs only', index: symbols.index }
    : null;
}

const MIN_MINIFIED = 600;

/** Long lines with hardly a blank: a build's output. Data (a long string) and tables of numbers have few brackets. */
function isMinified(text: string): boolean {
  const lines = text.split('\n');
  const long = lines.filter((line) => line.length > 500);
  const bytes = long.reduce((sum, line) => sum + line.length, 0);
  if (bytes < MIN_MINIFIED || bytes * 2 < text.length) return false;
  const sample = long.join('').slice(0, 200_000);
  const blanks = (sample.match(/\s/g) ?? []).length;
  const signs = (sample.match(/[(){};=]/g) ?? []).length;
  const words = (sample.match(/\b(?:function|return|var|let|const|if|for|new)\b|=>/g) ?? []).length;
  return blanks / sample.length < 0.12 && signs / sample.length > 0.06 && words > sample.length / 400;
}

/** `dist/x.js` has a readable counterpart where the archive has `src/x.ts`, or a source map with the sources in it. */
function hasCounterpart(path: string, facts: Facts): boolean {
  const map = facts.sources.get(`${path}.map`);
  if (map && Buffer.from(map.subarray(0, 2_000_000)).includes('"sourcesContent"')) return true;
  const stem = (path.split('/').at(-1) ?? path).replace(/(?:\.min)?\.[cm]?jsx?$/, '');
  const sameName = new RegExp(`(?:^|/)${escapeRegex(stem)}\\.[cm]?[jt]sx?$`);
  return facts.listTexts().some((other) => other.path !== path && sameName.test(other.path) && !isMinified(other.text));
}

const escapeRegex = (value: string): string => value.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

function* textFindings(facts: Facts): Generator<Found, void, undefined> {
  for (const { path, text } of facts.listTexts()) {
    if (!isSourcePath(path)) continue;
    const found = hiddenReason(text) ?? textReason(text);
    if (found)
      yield { file: path, line: lineAt(text, found.index), message: `${found.message} in \`${showText(path)}\`` };
    else if (isMinified(text) && !hasCounterpart(path, facts))
      yield { file: path, line: 1, message: `\`${showText(path)}\` is minified, and its source is not in the package` };
  }
}

const lineAt = (text: string, index: number): number => text.slice(0, index).split('\n').length;

/** A host, program or module whose name is encoded, or put together from parts that say nothing alone. */
function disguiseReason(call: ApiCall, analysis: Analysis): string | null {
  const uses = usesOfCall(call).filter((use) => use.value !== null && use.value !== '*');
  const [first] = call.args;
  if (uses.length > 0 && first?.taints.includes('decoded') && first.values.every((value) => knownText(value) !== null))
    return 'what it uses is encoded in the source';
  if (call.path !== 'import' && call.path !== 'global.require') return null;
  const name = onlyText(first);
  const node = (call.node.arguments as unknown[] | undefined)?.[0] as Node | undefined;
  return name !== null &&
    node &&
    (isPutTogether(node) || !isWritten(name, analysis)) &&
    /^(?:node:)?(?:child_process|fs|net|https?|vm|dgram|tls|os|worker_threads)/.test(name)
    ? `the name of a module (\`${showText(name)}\`) is put together from parts`
    : null;
}

/** Whether a module’s name stands in a source as it is. */
const isWritten = (name: string, analysis: Analysis): boolean =>
  [...analysis.program.files.values()].some((file) => file.text.includes(name.replace(/^node:/, '')));

/** Not a name or a constant: a sum, a call, a conditional. */
const isPutTogether = (node: Node): boolean => {
  const inner = unwrap(node);
  return inner.type === 'BinaryExpression' || inner.type === 'CallExpression';
};

/** `fs['read' + 'File']`, `globalThis['ev' + 'al']` */
function memberDisguise(analysis: Analysis, node: Node): string | null {
  const property = isMember(node) && node.computed === true ? child(node, 'property') : null;
  const object = property ? child(node, 'object') : null;
  if (!property || !object || !isPutTogether(property)) return null;
  const isHost = analysis.machine.evaluate(object, null).values.some((value) => value.kind === 'api');
  const name = isHost ? onlyText(analysis.machine.evaluate(property, null)) : null;
  return name !== null && name !== '' ? `a name (\`${showText(name)}\`) is put together from parts` : null;
}

const ENCODED = /^[A-Za-z0-9+/=_-]{400,}$/;
const HEX = /^(?:[0-9a-f]{2}){200,}$/i;

/** A long encoded text that is decoded in code: what it holds cannot be read. */
function decodeReason(call: ApiCall): string | null {
  if (!/^global\.(?:atob|Buffer\.from)$/.test(call.path)) return null;
  const text = onlyText(call.args[0]);
  if (text === null || !(ENCODED.test(text) || HEX.test(text))) return null;
  const bytes = Buffer.from(text, HEX.test(text) ? 'hex' : 'base64');
  return isMedia(bytes) ? null : 'a long encoded text is decoded';
}

/** Icons and fonts are kept as text by many. */
const isMedia = (bytes: Buffer): boolean =>
  /^(?:\x89PNG|GIF8|\xff\xd8\xff|RIFF|wOFF|wOF2|OggS|ID3|%PDF|<svg|<\?xml)/.test(
    bytes.subarray(0, 8).toString('latin1'),
  );

const READABLE = /^[\x20-\x7e\n]{6,}$/;

/** A constant that is decoded or computed, where what it says stands nowhere in the source. */
function hiddenTexts(analysis: Analysis): Found[] {
  return constantTexts(analysis).flatMap(({ node, file, text, isDecoded }): Found[] => {
    if (!isDecoded || !READABLE.test(text) || isRow(text)) return [];
    const source = analysis.program.files.get(file)?.text ?? '';
    if (!isComputed(node, analysis) && !TELLING.test(text)) return [];
    const words = (text.match(/[a-z]{4,}/gi) ?? []).slice(0, 50);
    const hidden = words.filter((word) => !source.includes(word));
    if (hidden.length === 0 || hidden.length * 2 < words.length) return [];
    return [foundAt(analysis, { node, file }, `a text (\`${showText(text, 40)}\`) is encoded in the source`)];
  });
}

/** Data is encoded by many; addresses, places, programs and code are hidden by few. */
const TELLING =
  /https?:|wss?:|\b[\w-]+\.(?:com|net|org|io|dev|example|sh|ru|cn|xyz|top|app)\b|~\/|\/(?:etc|home|tmp|usr|bin)\/|\.(?:ssh|aws|env|npmrc|netrc|bashrc|zshrc)\b|\b(?:child_process|require|process\.|globalThis|eval|Function|import|fetch|exec(?:File|Sync)?|spawn|curl|wget|bash|powershell|_(?:KEY|TOKEN|SECRET))\b|_(?:KEY|TOKEN|SECRET)\b/;

/** Made of numbers, one by one. */
const isComputed = (node: Node, analysis: Analysis): boolean =>
  /fromC(?:har|ode)/.test(
    analysis.program.files.get(fileOf(analysis.machine, node))?.text.slice(node.start, node.end) ?? '',
  );

/** `abcdef…`: a row of characters is computed, not hidden. */
const isRow = (text: string): boolean => {
  const steps = [...text].slice(1).filter((character, at) => character.charCodeAt(0) - text.charCodeAt(at) === 1);
  return steps.length * 2 > text.length;
};

function* codeFindings(analysis: Analysis): Generator<Found, void, undefined> {
  for (const call of analysis.calls) {
    const reason = disguiseReason(call, analysis) ?? decodeReason(call);
    if (reason !== null) yield foundAt(analysis, call, reason);
  }
  const found: Found[] = [];
  eachNode(analysis.program.nodes, ['MemberExpression', 'OptionalMemberExpression'], (node, file) => {
    const message = memberDisguise(analysis, node);
    if (message !== null) found.push(foundAt(analysis, { node, file }, message));
  });
  yield* found;
  yield* hiddenTexts(analysis);
}

export const obfuscated: Rule = {
  id: 'code/obfuscated',
  level: 'review',
  what: 'source that is minified or made unreadable and has no readable counterpart; encoded names and addresses; bidi characters',
  why: 'what nobody can read, nobody has checked',
  fix: 'publish the source, unminified; write names and addresses as they are',
  *find(facts) {
    yield* oncePerLine([...textFindings(facts), ...codeFindings(analysisOf(facts))]);
  },
};
