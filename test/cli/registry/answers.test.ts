import fc from 'fast-check';
import type { TSchema } from 'typebox';
import { Type } from 'typebox';
import { Check } from 'typebox/value';
import { describe, expect, test } from 'vitest';
import { type AnswerKind, faultOf } from '../../../cli/registry/answers.ts';
import { Me, NewToken, TokenRow, UserRow } from '../../../schemas/api/accounts.ts';
import { PackageDocument } from '../../../schemas/api/packages.ts';
import { ReviewsAnswer } from '../../../schemas/api/reviews.ts';
import { SearchAnswer } from '../../../schemas/api/search.ts';
import { Finding } from '../../../schemas/finding.ts';
import { Manifest } from '../../../schemas/manifest.ts';
import { manifestOf, manifestRecord, packageDocument } from '../../support/documents.ts';

const good = manifestOf(manifestRecord('weather', '1.0.0'));

/** For each kind the contract, and an answer that keeps it. */
const KINDS: [AnswerKind, TSchema, unknown][] = [
  ['package document', PackageDocument, packageDocument('weather', ['1.0.0', '2.0.0-beta.1'], { latest: '1.0.0' })],
  ['manifest', Manifest, good],
  [
    'search answer',
    SearchAnswer,
    {
      results: [{ name: 'a', version: '1.0.0', description: '', tools: ['t'], agents: ['pi'] }],
      total: 1,
      cursor: null,
    },
  ],
  ['findings', Type.Array(Finding), good.status.findings],
  ['user', Me, { user: 'a', role: 'curator', scopes: ['read'] }],
  ['users', Type.Array(UserRow), [{ user: 'a', role: 'publisher', createdAt: 'x' }]],
  [
    'tokens',
    Type.Array(TokenRow),
    [{ id: 'x', user: 'a', scopes: ['admin'], note: null, createdAt: 'x', expires: null }],
  ],
  ['new token', NewToken, { token: 'pit_0123456789', id: 'x', scopes: ['read'], expires: null }],
  [
    'reviews',
    ReviewsAnswer,
    { reviews: [{ package: 'a', version: '1.0.0', state: 'pending', publisher: null, findings: [] }], cursor: null },
  ],
];

type Path = (string | number)[];

const pathsOf = (value: unknown, path: Path = []): Path[] => {
  if (typeof value !== 'object' || value === null) return [path];
  return [
    path,
    ...Object.entries(value).flatMap(([key, one]) => pathsOf(one, [...path, Array.isArray(value) ? Number(key) : key])),
  ];
};

const change = (
  value: unknown,
  path: Path,
  edit: (parent: Record<string | number, unknown>, key: string | number) => void,
): unknown => {
  const root = { root: structuredClone(value) } as Record<string | number, unknown>;
  let parent = root;
  let key: string | number = 'root';
  for (const step of path) {
    parent = parent[key] as Record<string | number, unknown>;
    key = step;
  }
  edit(parent, key);
  return root.root;
};

const ODD = [
  null,
  true,
  0,
  1.5,
  -1,
  '',
  'x',
  '../../etc',
  'a'.repeat(200),
  [],
  [null],
  {},
  { x: 1 },
  'sha512-x',
  '__proto__',
];

describe.each(KINDS)('%s', (kind, schema, answer) => {
  test('a right answer is taken', () => {
    expect(Check(schema, answer)).toBe(true);
    expect(faultOf(kind, answer)).toBeNull();
  });

  test('says no wherever the schema says no', () => {
    fc.assert(
      fc.property(fc.constantFrom(...pathsOf(answer)), fc.constantFrom(...ODD, undefined), (path, odd) => {
        const broken = change(answer, path, (parent, key) => {
          if (odd !== undefined || key === 'root') parent[key] = odd;
          else if (Array.isArray(parent)) parent.splice(Number(key), 1);
          else delete parent[key];
        });
        // Stricter than the schema is right, laxer is not: a registry is not trusted.
        if (!Check(schema, broken)) expect(faultOf(kind, broken), JSON.stringify(path)).not.toBeNull();
      }),
      { numRuns: 2000 },
    );
  });

  test('a new key is let through: a newer registry may say more', () => {
    if (Array.isArray(answer)) return;
    expect(faultOf(kind, { ...(answer as object), somethingNew: 1 })).toBeNull();
  });
});

test('names the place', () => {
  const document = packageDocument('weather', ['1.0.0', '2.0.0']);
  const broken = change(document, ['versions', 1, 'integrity'], (parent, key) => {
    parent[key] = 'md5-x';
  });
  expect(faultOf('package document', broken)).toMatch(/^`versions\[1\]\.integrity` must be a text like/);
});

test('a token that could end a header or draw on the terminal is no token', () => {
  for (const token of ['short', 'with blank 12345', 'line\nbreak12345', '\u001b[31m1234567']) {
    expect(faultOf('new token', { token, id: 'x', scopes: [], expires: null })).not.toBeNull();
  }
});
