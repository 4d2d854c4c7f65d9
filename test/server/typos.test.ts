import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { closeDeps, type Deps, openDeps } from '../../server/deps.ts';
import { isOneTypoFromPrefix } from '../../server/store/sqlite/edit-distance.ts';
import { seedPackages } from '../support/seeded.ts';

const WORDS = ['weather', 'abcd', 'abcde', 'температура', 'cafeteria', 'xyzw'];

let dataFolder: string;
let deps: Deps;

beforeAll(async () => {
  dataFolder = await mkdtemp(join(tmpdir(), 'pi-tools-typos-'));
  await seedPackages(
    dataFolder,
    WORDS.map((word, index) => ({
      name: `package-${'qrstuv'[index]}`,
      description: word,
      tools: { [`t${index}`]: '' },
    })),
  );
  deps = await openDeps({ dataFolder });
});
afterAll(async () => {
  await closeDeps(deps);
  await rm(dataFolder, { recursive: true, force: true });
});

const typosOf = (word: string): string[] => {
  const letters = [...word];
  const cut = (at: number, skip: number, put: string) =>
    letters.slice(0, at).join('') + put + letters.slice(at + skip).join('');
  return letters.flatMap((_, at) => [
    cut(at, 1, 'ж'),
    cut(at, 0, 'ж'),
    ...(letters.length > 4 ? [cut(at, 1, '')] : []),
    ...(at + 1 < letters.length ? [cut(at, 2, `${letters[at + 1]}${letters[at]}`)] : []),
  ]);
};

it('every single typo of a word finds it', () => {
  for (const [index, word] of WORDS.entries()) {
    for (const typo of typosOf(word)) {
      const { hits } = deps.store.search({ text: typo, agent: null, limit: 10, offset: 0 });
      expect(
        hits.map((hit) => hit.name),
        `${typo} for ${word}`,
      ).toContain(`package-${'qrstuv'[index]}`);
    }
  }
});

it('one typo is what the usual measure calls a distance of one, from some beginning of the word', () => {
  const text = fc.string({ unit: fc.constantFrom('a', 'b', 'c'), minLength: 1, maxLength: 6 });
  fc.assert(
    fc.property(text, text, (word, term) => {
      const beginnings = Array.from({ length: term.length + 1 }, (_, length) => term.slice(0, length));
      const expected = beginnings.some((beginning) => distance(word, beginning) <= 1);
      expect(isOneTypoFromPrefix(word, term)).toBe(expected);
    }),
    { numRuns: 3000 },
  );
});

/** Optimal string alignment, by its definition. */
const distance = (left: string, right: string): number => {
  if (left === '' || right === '') return left.length + right.length;
  const [a, b] = [left.slice(1), right.slice(1)];
  const options = [1 + distance(a, right), 1 + distance(left, b), (left[0] === right[0] ? 0 : 1) + distance(a, b)];
  if (left.length > 1 && left[0] === right[1] && left[1] === right[0]) {
    options.push(1 + distance(left.slice(2), right.slice(2)));
  }
  return Math.min(...options);
};
