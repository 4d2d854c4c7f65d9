/** Names, versions, ranges: what is refused, and what is too similar (security N2–N7). */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { checkPackageName, folderName, nameSkeleton } from '../../../tool-package/name.ts';
import {
  checkRange,
  checkVersion,
  compareVersions,
  highestVersion,
  isPrerelease,
} from '../../../tool-package/version.ts';

const refuses = (work: () => void): string | null => {
  try {
    work();
    return null;
  } catch (error) {
    return (error as { code: string }).code;
  }
};

describe('package names', () => {
  it.each([
    'weather',
    'a',
    'a-b-c',
    '0x',
    '@team/weather',
    '@a/b',
    'x'.repeat(64),
    `@${'x'.repeat(64)}/${'y'.repeat(64)}`,
    'con-text',
    'auxiliary',
  ])('accepts %s', (name) => {
    expect(refuses(() => checkPackageName(name))).toBeNull();
  });

  it.each([
    '',
    ' ',
    '-a',
    'a-',
    'a--b',
    'A',
    'Pi-Web',
    'pi_web',
    'pi.web',
    'a b',
    'a/b',
    '@a',
    '@/b',
    '@a/',
    '@a/b/c',
    '@A/b',
    '../x',
    '.',
    '..',
    '/x',
    'x\u0000',
    'we\u0430ther',
    '\uff41',
    'a\u200b',
    'weather\n',
    'node_modules',
    'favicon.ico',
    'index',
    'install',
    'api',
    'constructor',
    '__proto__',
    'aux',
    'con',
    'nul',
    'com1',
    'lpt9',
    '@con/x',
    '@x/aux',
    'x'.repeat(65),
    `@x/${'y'.repeat(65)}`,
    'x'.repeat(1_000_000),
    '天气',
    '@team+x',
  ])('refuses %j', (name) => {
    expect(refuses(() => checkPackageName(name))).toBe('invalid_name');
  });

  it('finds similar names by their skeleton', () => {
    expect(nameSkeleton('web-search')).toBe(nameSkeleton('Web_Search'));
    expect(nameSkeleton('web-search')).toBe(nameSkeleton('websearch'));
    expect(nameSkeleton('t0do')).toBe(nameSkeleton('todo'));
    expect(nameSkeleton('@team/x')).not.toBe(nameSkeleton('team-x'));
    expect(nameSkeleton('weather')).not.toBe(nameSkeleton('feather'));
  });

  it('makes one folder of a scoped name, and never the same for two names', () => {
    expect(folderName('@team/x')).toBe('@team+x');
    const part = fc.stringMatching(/^[a-z0-9]+(-[a-z0-9]+)*$/);
    const name = fc.oneof(
      part,
      fc.tuple(part, part).map(([scope, own]) => `@${scope}/${own}`),
    );
    fc.assert(fc.property(name, name, (left, right) => left === right || folderName(left) !== folderName(right)));
  });
});

describe('versions', () => {
  it.each(['0.0.0', '1.0.0', '10.20.30', '1.0.0-beta.1', '1.0.0-0.3.7', '2147483648.0.0'])('accepts %s', (version) => {
    expect(refuses(() => checkVersion(version))).toBeNull();
  });

  it.each([
    '',
    '1',
    '1.0',
    'v1.0.0',
    ' 1.0.0',
    '1.0.0 ',
    '=1.0.0',
    '01.0.0',
    '1.0.0+build',
    '1.0.0-beta+1',
    '1.0.0-01',
    '9007199254740991.0.0',
    '2147483649.0.0',
    '1.0.0-2147483649',
    `1.0.0-${'x'.repeat(60)}`,
    '1.0.0-'.padEnd(300, 'x'),
    'latest',
    '1.0.x',
    '١.0.0',
  ])('refuses %j', (version) => {
    expect(refuses(() => checkVersion(version))).toBe('invalid_version');
  });

  it.each(['*', '^1.0.0', '~1.2', '>=1 <3', '1.x || 2.x', '1.0.0'])('accepts the range %s', (range) => {
    expect(refuses(() => checkRange(range))).toBeNull();
  });

  it.each([
    '',
    'latest',
    'git+https://example.com/x.git',
    'file:../x',
    '^1.0.0 nonsense',
    Array.from({ length: 20_000 }, () => '>1.0.0').join(' '),
  ])('refuses the range %j', (range) => {
    expect(refuses(() => checkRange(range))).toBe('invalid_range');
  });

  it('picks the highest stable version, and a pre-release only where there is nothing else', () => {
    expect(highestVersion(['1.0.0', '1.10.0', '1.9.0', '2.0.0-beta.1'])).toBe('1.10.0');
    expect(highestVersion(['0.1.0-alpha', '0.1.0-beta'])).toBe('0.1.0-beta');
    expect(highestVersion(['1.0.0', '2.0.0'], { range: '^1.0.0' })).toBe('1.0.0');
    expect(highestVersion(['1.0.0'], { range: '^2.0.0' })).toBeUndefined();
    expect(highestVersion(['1.0.0-beta.1', '1.0.0-beta.2'], { range: '^1.0.0-beta.1' })).toBe('1.0.0-beta.2');
    expect(highestVersion([])).toBeUndefined();
    expect(isPrerelease('1.0.0-beta.1')).toBe(true);
    expect([...['1.0.0', '1.0.0-beta.1', '0.9.0']].sort(compareVersions)).toEqual(['0.9.0', '1.0.0-beta.1', '1.0.0']);
  });
});
