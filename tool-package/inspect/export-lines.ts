/** The line of each export, by its text: good enough to point at. */

const DECLARATION = /^(\s*export\s+)?(?:async\s+)?(?:const|let|var|function\*?|class)\s+([\w$]+)/;
const DEFAULT = /^\s*(?:export\s+default\b|module\.exports\s*=)\s*([\w$]+)?/;
const COMMON_JS = /^\s*exports\.([\w$]+)\s*=(?!=)/;
/** Bounded: hostile text may open a thousand lists and close none. */
const LIST = /\bexport\s*\{([^{}]{0,5000})\}(\s*from\b)?/g;

/** Takes the text of an entry; gives the line, from 1, where each export is declared, else where it is exported. */
export function exportLines(source: string): Map<string, number> {
  const lines = new Map<string, number>();
  const declared = new Map<string, number>();
  const note = (name: string, line: number): unknown => lines.has(name) || lines.set(name, line);
  const defaults: [name: string | undefined, line: number][] = [];
  source.split('\n').forEach((text, index) => {
    const [, exported, name] = DECLARATION.exec(text) ?? [];
    if (name !== undefined && !declared.has(name)) declared.set(name, index + 1);
    if (name !== undefined && exported !== undefined) note(name, index + 1);
    const common = COMMON_JS.exec(text)?.[1];
    if (common !== undefined && !/=\s*void 0;/.test(text)) note(common, index + 1);
    const own = DEFAULT.exec(text);
    if (own !== null) defaults.push([own[1], index + 1]);
  });
  for (const [name, line] of defaults) note('default', declared.get(name ?? '') ?? line);
  for (const [name, local, line] of listedExports(source)) note(name, declared.get(local) ?? line);
  return lines;
}

/** `export { a, b as c }` and `export { default } from './x'`: the exported name, the name in this file, the line. */
function* listedExports(source: string): Generator<[name: string, local: string, line: number]> {
  let [at, line] = [0, 1];
  for (const match of source.matchAll(LIST)) {
    line += source.slice(at, match.index).split('\n').length - 1;
    at = match.index;
    for (const item of (match[1] ?? '').split(',')) {
      const [local, name = local] = item.trim().split(/\s+as\s+/);
      if (local !== undefined && name !== undefined && name !== '')
        yield [name, match[2] === undefined ? local : '', line];
    }
  }
}
