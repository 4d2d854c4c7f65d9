/**
 * Imports that one loader answers with one file and another with another. What the registry has looked at would not be
 * what the agent runs: measured, jiti (pi) takes `x.js` and `x.mjs` before `x.ts`, where bundlers take `x.ts`.
 */
import { dirname, join } from 'node:path/posix';
import type { ImportUse } from '../inspect/types.ts';
import { parseJson } from '../parse-json.ts';
import { showText } from '../show-text.ts';
import { isRecord } from './schema-walk.ts';
import type { Facts, Found, Rule } from './types.ts';

export const ambiguousImport: Rule = {
  id: 'any/ambiguous-import',
  level: 'review',
  what: 'an import that more than one file of the package answers: `./x` beside `x.ts` and `x.js`, a folder with its own `main`, an alias with conditions',
  why: 'the agent may load another file than the one that was looked at: pi takes `x.js` before `x.ts`',
  fix: 'write the ending (`./x.ts`), or leave only one of the files in the package',
  *find(facts) {
    const seen = new Set<string>();
    for (const { imports } of facts.inspections) {
      for (const use of imports) {
        const key = JSON.stringify([use.file, use.specifier]);
        if (use.kind !== 'relative' || seen.has(key)) continue;
        seen.add(key);
        yield* findAmbiguous(use, facts);
      }
    }
  },
};

function* findAmbiguous({ file, line, specifier }: ImportUse, facts: Facts): Generator<Found, void, undefined> {
  const answers = /^\.{1,2}(?:\/|$)/.test(specifier)
    ? listFiles(join(dirname(file), specifier.replace(/[?#].*$/, '')), facts)
    : listMapped(specifier, facts);
  if (answers.length < 2) return;
  const names = answers.slice(0, 4).map((one) => `\`${showText(one)}\``);
  const more = answers.length > names.length ? ' …' : '';
  const what = `\`${showText(file)}\` imports \`${showText(specifier)}\``;
  yield { file, line, message: `${what}, which can mean ${names.join(' or ')}${more}` };
}

const ENDINGS = ['.ts', '.tsx', '.mts', '.cts', '.js', '.jsx', '.mjs', '.cjs', '.json'];
/** What stands for an output that is not there. */
const SOURCES: readonly (readonly [RegExp, readonly string[]])[] = [
  [/\.jsx?$/, ['.ts', '.tsx']],
  [/\.mjs$/, ['.mts']],
  [/\.cjs$/, ['.cts']],
];

/** A file of that very name is everybody's answer, and a file comes before a folder. */
const listFiles = (base: string, { paths, sources }: Facts): string[] => {
  if (paths.has(base)) return [base];
  const written = SOURCES.flatMap(([output, endings]) =>
    output.test(base) ? endings.map((ending) => base.replace(output, ending)) : [],
  );
  const files = [...ENDINGS.map((ending) => base + ending), ...written].filter((path) => paths.has(path));
  if (files.length > 0) return files;
  const indexes = ENDINGS.map((ending) => join(base, `index${ending}`)).filter((path) => paths.has(path));
  return [...new Set([...indexes, ...listMains(base, sources)])];
};

/** Files that the folder's own package.json names: Node asks it first, jiti does not. */
const listMains = (folder: string, sources: Facts['sources']): string[] => {
  const path = join(folder, 'package.json');
  const bytes = sources.get(path);
  if (bytes === undefined || path === 'package.json') return [];
  try {
    const value = parseJson(bytes, { maxBytes: 64 * 1024, maxDepth: 16 });
    if (!isRecord(value)) return [];
    return [value.main, value.module, value.exports].flatMap(listTexts).map((one) => join(folder, one));
  } catch {
    // What we cannot read, another reader may.
    return [path];
  }
};

/** `#name`, and the package by its own name: what the agents' conditions and Node's choose may differ from ours. */
const listMapped = (specifier: string, facts: Facts): string[] => {
  const { imports, exports, name = '' } = facts.packageJson as { imports?: unknown; exports?: unknown; name?: string };
  const isAlias = specifier.startsWith('#');
  const map = isAlias ? imports : exports;
  const wanted = isAlias ? specifier : `.${specifier.slice(name.length)}`;
  const hasKeys = isRecord(map) && Object.keys(map).some((key) => /^[.#]/.test(key));
  const targets = hasKeys
    ? Object.entries(map).flatMap(([key, value]) => targetsOf(key, value, wanted))
    : listTexts(map);
  const [only, ...others] = new Set(targets);
  return only === undefined || others.length > 0 ? [...new Set(targets)] : listFiles(join(only), facts);
};

/** What an entry of the map gives for `wanted`; its key may have one star. */
const targetsOf = (key: string, value: unknown, wanted: string): string[] => {
  const [before = '', after] = key.split('*');
  if (after === undefined) return key === wanted ? listTexts(value) : [];
  if (!wanted.startsWith(before) || !wanted.endsWith(after)) return [];
  const star = wanted.slice(before.length, wanted.length - after.length);
  return listTexts(value).map((one) => one.replace('*', () => star));
};

/** All texts in a value of conditions; types are nobody's code. */
const listTexts = (value: unknown): string[] => {
  if (typeof value === 'string') return [value];
  if (Array.isArray(value)) return value.flatMap(listTexts);
  if (!isRecord(value)) return [];
  return Object.entries(value).flatMap(([condition, one]) => (condition === 'types' ? [] : listTexts(one)));
};
