import fc from 'fast-check';
import semver from 'semver';
import { describe, expect, test } from 'vitest';
import { chooseVersion, listCandidates, noteOn } from '../../../cli/resolve/choose.ts';
import { parsePackageRequest, parseWanted, wantedText } from '../../../cli/resolve/request.ts';
import { type Root, solve } from '../../../cli/resolve/solve.ts';
import type { PackageDocument } from '../../../schemas/api/packages.ts';
import { Problem } from '../../../schemas/problem.ts';
import { packageDocument } from '../../support/documents.ts';

const codeOf = (work: () => unknown): string => {
  try {
    work();
    return 'none';
  } catch (error) {
    return (error as Problem).code;
  }
};

describe('what is asked for', () => {
  test.each([
    ['weather', { kind: 'default' }],
    ['weather@', { kind: 'default' }],
    ['weather@latest', { kind: 'default' }],
    ['weather@1.2.0', { kind: 'exact', version: '1.2.0' }],
    ['weather@1.2.0-beta.1', { kind: 'exact', version: '1.2.0-beta.1' }],
    ['weather@^1', { kind: 'range', range: '^1' }],
    ['weather@1', { kind: 'range', range: '1' }],
    ['weather@1.x', { kind: 'range', range: '1.x' }],
    ['weather@>=1.0.0 <3.0.0', { kind: 'range', range: '>=1.0.0 <3.0.0' }],
    ['weather@*', { kind: 'range', range: '*' }],
    ['weather@x', { kind: 'range', range: 'x' }],
    ['weather@beta', { kind: 'tag', tag: 'beta' }],
    ['weather@beta-2', { kind: 'tag', tag: 'beta-2' }],
  ])('%s', (spec, wanted) => expect(parsePackageRequest(spec)).toEqual({ name: 'weather', wanted }));

  test('a scope has an @ of its own', () => {
    expect(parsePackageRequest('@team/x@^1')).toEqual({ name: '@team/x', wanted: { kind: 'range', range: '^1' } });
    expect(parsePackageRequest('@team/x')).toEqual({ name: '@team/x', wanted: { kind: 'default' } });
  });

  test.each([
    ['../x', 'invalid_name'],
    ['Weather', 'invalid_name'],
    ['', 'invalid_name'],
    ['@team', 'invalid_name'],
    ['constructor', 'invalid_name'],
    ['weather@1.2.0+build', 'invalid_version'],
    ['weather@v1.2.0x', 'invalid_tag'],
    ['weather@Beta', 'invalid_tag'],
    ['weather@../x', 'invalid_range'],
    ['weather@1.0.9007199254740993', 'invalid_version'],
    [`weather@${'1 || '.repeat(5000)}1`, 'invalid_range'],
  ])('%s is refused', (spec, code) => expect(codeOf(() => parsePackageRequest(spec))).toBe(code));

  test('written as it was read', () => {
    for (const text of ['1.2.0', '^1.0.0', 'beta']) expect(wantedText(parseWanted(text))).toBe(`@${text}`);
  });
});

const versionsOf = (document: PackageDocument, spec: string, locked?: string): string[] =>
  listCandidates(document, parseWanted(spec), { locked }).map((one) => one.version);

describe('which version', () => {
  const document = packageDocument(
    'weather',
    [
      '0.9.0',
      '1.0.0',
      { version: '1.1.0', yanked: 'broken' },
      '1.2.0-beta.1',
      '2.0.0',
      { version: '2.1.0', state: 'pending' },
      '3.0.0-rc.1',
    ],
    { latest: '2.0.0', beta: '3.0.0-rc.1', broken: '1.1.0', gone: '9.9.9' },
  );

  test.each([
    ['', ['2.0.0', '1.0.0', '0.9.0']],
    ['^1', ['1.0.0']],
    ['*', ['2.0.0', '1.0.0', '0.9.0']],
    ['>=1.2.0-beta.0', ['2.0.0', '1.2.0-beta.1']],
    ['1.1.0', ['1.1.0']],
    ['2.1.0', ['2.1.0']],
    ['beta', ['3.0.0-rc.1']],
    ['broken', []],
    ['gone', []],
    ['^5', []],
  ])('%s', (spec, versions) => expect(versionsOf(document, spec)).toEqual(versions));

  test('a yanked version is taken where it is locked, and first', () => {
    expect(versionsOf(document, '^1', '1.1.0')).toEqual(['1.1.0', '1.0.0']);
    expect(versionsOf(document, '^2', '1.1.0')).toEqual(['2.0.0']);
  });

  test('only pre-releases: the highest, and it says so', () => {
    const early = packageDocument('weather', ['0.1.0-alpha', '0.1.0-beta.2', '0.1.0-beta.10']);
    expect(versionsOf(early, '')[0]).toBe('0.1.0-beta.10');
    expect(versionsOf(early, '*')[0]).toBe('0.1.0-beta.10');
    const wanted = parseWanted('');
    expect(noteOn(chooseVersion(early, wanted), wanted)).toContain('pre-release');
    expect(noteOn(chooseVersion(document, wanted), wanted)).toBeNull();
    const exact = parseWanted('1.1.0');
    expect(noteOn(chooseVersion(document, exact), exact)).toContain('yanked: broken');
  });

  test.each([
    ['9.9.9', 'version_not_found', /`2\.0\.0`/],
    ['^5', 'no_matching_version', /fits `\^5`/],
    ['nightly', 'tag_not_found', /no tag `nightly`/],
    ['broken', 'tag_not_found', /yanked/],
    ['constructor', 'tag_not_found', /no tag `constructor`/],
  ])('%s: told with what there is', (spec, code, text) => {
    try {
      chooseVersion(document, parseWanted(spec));
      expect.unreachable();
    } catch (error) {
      expect(error).toBeInstanceOf(Problem);
      expect((error as Problem).code).toBe(code);
      expect(`${(error as Problem).message} ${(error as Problem).hint}`).toMatch(text);
    }
  });

  test('the order of the document does not matter', () => {
    const version = fc.tuple(fc.nat(3), fc.nat(3), fc.nat(3)).map((parts) => parts.join('.'));
    fc.assert(
      fc.property(
        fc.uniqueArray(version, { minLength: 1, maxLength: 12 }),
        fc.constantFrom('', '^1', '~1.1', '*', '<2'),
        (versions, spec) => {
          const found = versionsOf(packageDocument('p', versions), spec);
          const range = spec === '' ? '*' : spec;
          const right = versions.filter((one) => semver.satisfies(one, range)).sort(semver.rcompare);
          expect(found).toEqual(right);
        },
      ),
    );
  });
});

type Universe = Record<string, PackageDocument>;

const solving = (universe: Universe, roots: Record<string, string>, locked?: Map<string, string>) => {
  const asked: string[] = [];
  const list: Root[] = Object.entries(roots).map(([name, spec]) => ({ name, wanted: parseWanted(spec) }));
  const getDocument = async (name: string): Promise<PackageDocument> => {
    asked.push(name);
    const found = universe[name];
    if (found === undefined) throw new Problem('package_not_found', `no ${name}`);
    return found;
  };
  return solve({ roots: list, getDocument, ...(locked === undefined ? {} : { locked }) }).then((chosen) => ({
    picked: Object.fromEntries(chosen.map((one) => [one.name, one.version.version])),
    askedBy: Object.fromEntries(chosen.map((one) => [one.name, one.askedBy])),
    asked,
  }));
};

const universe = (packages: Record<string, Record<string, Record<string, string>>>): Universe =>
  Object.fromEntries(
    Object.entries(packages).map(([name, versions]) => [
      name,
      packageDocument(
        name,
        Object.entries(versions).map(([version, dependencies]) => ({ version, dependencies })),
      ),
    ]),
  );

describe('dependencies', () => {
  test('come along, each once', async () => {
    const world = universe({
      a: { '1.0.0': { c: '^1.0.0' } },
      b: { '1.0.0': { c: '>=1.1.0' } },
      c: { '1.0.0': {}, '1.1.0': {}, '1.2.0': {}, '2.0.0': {} },
    });
    const { picked, askedBy, asked } = await solving(world, { a: '', b: '' });
    expect(picked).toEqual({ a: '1.0.0', b: '1.0.0', c: '1.2.0' });
    expect(askedBy.c).toEqual(['a', 'b']);
    expect(asked.sort()).toEqual(['a', 'b', 'c']);
  });

  test('an older version where the newest does not work out', async () => {
    const world = universe({
      a: { '1.0.0': { c: '^1.0.0' }, '2.0.0': { c: '^2.0.0' } },
      b: { '1.0.0': { c: '^1.0.0' } },
      c: { '1.0.0': {}, '2.0.0': {} },
    });
    expect((await solving(world, { a: '', b: '' })).picked).toEqual({ a: '1.0.0', b: '1.0.0', c: '1.0.0' });
  });

  test('circles end', async () => {
    const world = universe({ a: { '1.0.0': { b: '*' } }, b: { '1.0.0': { a: '*' } } });
    expect((await solving(world, { a: '' })).picked).toEqual({ a: '1.0.0', b: '1.0.0' });
  });

  test('locked versions stay while they fit', async () => {
    const world = universe({ a: { '1.0.0': {}, '1.1.0': {}, '2.0.0': {} } });
    expect((await solving(world, { a: '^1' }, new Map([['a', '1.0.0']]))).picked).toEqual({ a: '1.0.0' });
    expect((await solving(world, { a: '^2' }, new Map([['a', '1.0.0']]))).picked).toEqual({ a: '2.0.0' });
  });

  test('a conflict names who wants what', async () => {
    const world = universe({
      a: { '1.0.0': { c: '^1.0.0' } },
      b: { '1.0.0': { c: '^2.0.0' } },
      c: { '1.0.0': {}, '2.0.0': {} },
    });
    const problem = await solving(world, { a: '', b: '' }).then(
      () => null,
      (error: Problem) => error,
    );
    expect(problem?.code).toBe('no_matching_version');
    expect(problem?.message).toContain('`a@1.0.0` needs `c@^1.0.0`');
    expect(problem?.message).toContain('`b@1.0.0` needs `c@^2.0.0`');
  });

  test('a dependency that is not there', async () => {
    const world = universe({ a: { '1.0.0': { gone: '*' } } });
    await expect(solving(world, { a: '' })).rejects.toMatchObject({ code: 'package_not_found' });
  });

  test('a dependency on nonsense', async () => {
    const world = universe({ a: { '1.0.0': { b: 'not a range at all' } }, b: { '1.0.0': {} } });
    await expect(solving(world, { a: '' })).rejects.toMatchObject({
      code: expect.stringMatching(/invalid_(range|tag)/),
    });
  });

  test('what is built to explode is stopped', async () => {
    const size = 14;
    const packages: Record<string, Record<string, Record<string, string>>> = { end: { '1.0.0': {} } };
    for (let at = 0; at < size; at += 1) {
      const needs = at === size - 1 ? { end: '^9' } : { [`p${at + 1}`]: '*' };
      packages[`p${at}`] = Object.fromEntries(Array.from({ length: 8 }, (_, minor) => [`1.${minor}.0`, needs]));
    }
    const before = performance.now();
    await expect(solving(universe(packages), { p0: '' })).rejects.toMatchObject({ code: 'no_matching_version' });
    expect(performance.now() - before).toBeLessThan(10_000);
  });

  test('ten thousand dependencies on the same few do not grow the stack', async () => {
    const names = Array.from({ length: 100 }, (_, at) => `p${at}`);
    const needs = Object.fromEntries(names.map((name) => [name, '*']));
    const packages = Object.fromEntries(names.map((name) => [name, { '1.0.0': needs }]));
    expect(Object.keys((await solving(universe(packages), { p0: '' })).picked)).toHaveLength(100);
  });
});

describe('every solution is one, and one is found where there is one', () => {
  const NAMES = ['a', 'b', 'c', 'd'];
  const RANGES = ['*', '^1.0.0', '^2.0.0', '<2.0.0', '1.1.0'];
  const VERSIONS = ['1.0.0', '1.1.0', '2.0.0'];
  const needs = fc.dictionary(fc.constantFrom(...NAMES), fc.constantFrom(...RANGES), {
    maxKeys: 2,
    noNullPrototype: true,
  });
  const world = fc.record(
    Object.fromEntries(
      NAMES.map((name) => [
        name,
        fc.record(Object.fromEntries(VERSIONS.map((version) => [version, needs])), { requiredKeys: ['1.0.0'] }),
      ]),
    ),
  );
  const roots = fc.dictionary(fc.constantFrom(...NAMES), fc.constantFrom('', ...RANGES), {
    minKeys: 1,
    maxKeys: 2,
    noNullPrototype: true,
  });
  const rangeOf = (spec: string) => (spec === '' ? '*' : spec);

  /** All assignments, by brute force: is there any that holds? */
  const isSolvable = (
    packages: Record<string, Record<string, Record<string, string>>>,
    asked: Record<string, string>,
  ): boolean => {
    const holds = (pick: Record<string, string>): boolean => {
      const queue = Object.entries(asked);
      const seen = new Set<string>();
      for (let at = 0; at < queue.length; at += 1) {
        const [name = '', spec = ''] = queue[at] ?? [];
        const version = pick[name] ?? '';
        if (packages[name]?.[version] === undefined || !semver.satisfies(version, rangeOf(spec))) return false;
        if (seen.has(name)) continue;
        seen.add(name);
        queue.push(...Object.entries(packages[name][version] ?? {}));
      }
      return true;
    };
    const tryAll = (at: number, pick: Record<string, string>): boolean => {
      const name = NAMES[at];
      if (name === undefined) return holds(pick);
      return VERSIONS.some((version) => tryAll(at + 1, { ...pick, [name]: version }));
    };
    return tryAll(0, {});
  };

  test('against brute force', async () => {
    await fc.assert(
      fc.asyncProperty(world, roots, async (packages, asked) => {
        const result = await solving(universe(packages as never), asked).then(
          (one) => one.picked,
          () => null,
        );
        expect(result !== null).toBe(isSolvable(packages as never, asked));
        if (result === null) return;
        for (const [name, spec] of Object.entries(asked))
          expect(semver.satisfies(result[name] ?? '', rangeOf(spec))).toBe(true);
        for (const [name, version] of Object.entries(result)) {
          const dependencies =
            (packages as never as Record<string, Record<string, Record<string, string>>>)[name]?.[version] ?? {};
          for (const [dependency, range] of Object.entries(dependencies)) {
            expect(semver.satisfies(result[dependency] ?? '', range)).toBe(true);
          }
        }
      }),
      { numRuns: 500 },
    );
  });
});
