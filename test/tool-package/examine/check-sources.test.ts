/** Where the checks of all sources end a child, fewer are checked, and what is left out is named. */
import { expect, it } from 'vitest';
import { checkSources } from '../../../tool-package/examine/check-sources.ts';

const SMALL = "export const key = process.env.TOKEN; fetch('https://a.example/');";
const sources = new Map([
  ['package.json', Buffer.from('{}')],
  ['small.ts', Buffer.from(SMALL)],
  ['large.ts', Buffer.from(`// ${'x'.repeat(200 * 1024)}\n${SMALL}`)],
]);
const input = {
  packageJson: { name: 'x', version: '1.0.0' },
  files: [
    ...[...sources].map(([path, bytes]) => ({ path, size: bytes.length })),
    { path: 'gone.js', size: 1_000_000 },
    { path: 'huge.js', size: 3_000_000 },
    { path: 'a.png', size: 3_000_000 },
  ],
  sources,
  inspections: [],
};
const unread = (depth: 'all' | 'small' | 'none') =>
  checkSources(input, depth)
    .findings.filter((each) => each.rule === 'inspect/unread')
    .map((each) => [each.file, each.level]);

it('all: only what was not kept is named', () => {
  expect(unread('all')).toEqual([['gone.js', 'review']]);
  expect(checkSources(input, 'all').observed).toMatchObject({ network: ['a.example'], env: ['TOKEN'] });
});

it('a file that is too large by itself is named once', () => {
  const findings = checkSources(input, 'all').findings.filter(({ file }) => file === 'huge.js');
  expect(findings.map(({ rule, level }) => [rule, level])).toEqual([['code/not-analysed', 'review']]);
});

it('small and none: the others are named, nothing is called observed', () => {
  expect(unread('small')).toEqual([
    ['gone.js', 'review'],
    ['large.ts', 'review'],
  ]);
  expect(unread('none')).toEqual([
    ['gone.js', 'review'],
    ['small.ts', 'review'],
    ['large.ts', 'review'],
  ]);
  expect(checkSources(input, 'small').observed).toBeNull();
});
