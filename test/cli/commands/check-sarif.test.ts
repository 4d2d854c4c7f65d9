import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Static, Type } from 'typebox';
import { Value } from 'typebox/value';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { ruleRow } from '../../../cli/check/rules.ts';
import { sarifText } from '../../../cli/check/sarif.ts';
import type { Finding } from '../../../schemas/finding.ts';
import { RULES } from '../../../tool-package/check/index.ts';
import { type CliHome, createCliHome } from '../../support/cli.ts';

vi.setConfig({ testTimeout: 60_000 });

/** What the standard requires of the parts that are written, closed so that a misspelt property fails. */
const closed = <T extends Parameters<typeof Type.Object>[0]>(properties: T) =>
  Type.Object(properties, { additionalProperties: false });
const Text = closed({ text: Type.String({ minLength: 1 }) });
const Bag = Type.Record(Type.String(), Type.Unknown());
const Level = Type.Union([Type.Literal('none'), Type.Literal('note'), Type.Literal('warning'), Type.Literal('error')]);
const Location = closed({
  physicalLocation: closed({
    // A relative reference: no scheme, no leading slash, nothing that is not percent-encoded.
    artifactLocation: closed({
      uri: Type.String({ pattern: "^(?!/)(?:[A-Za-z0-9._~!$&'()*+,;=@/-]|%[0-9A-F]{2})+$" }),
      uriBaseId: Type.String(),
    }),
    region: Type.Optional(closed({ startLine: Type.Integer({ minimum: 1 }) })),
  }),
  logicalLocations: Type.Optional(
    Type.Array(closed({ name: Type.String(), fullyQualifiedName: Type.String(), kind: Type.String() })),
  ),
});
const Sarif = closed({
  $schema: Type.String({ pattern: '^https://docs\\.oasis-open\\.org/sarif/.*2\\.1\\.0\\.json$' }),
  version: Type.Literal('2.1.0'),
  runs: Type.Array(
    closed({
      tool: closed({
        driver: closed({
          name: Type.String({ minLength: 1 }),
          version: Type.String(),
          semanticVersion: Type.String({ pattern: '^\\d+\\.\\d+\\.\\d+' }),
          rules: Type.Array(
            closed({
              id: Type.String({ minLength: 1 }),
              shortDescription: Text,
              fullDescription: Text,
              help: Text,
              defaultConfiguration: closed({ level: Level }),
              properties: Bag,
            }),
          ),
          properties: Bag,
        }),
      }),
      invocations: Type.Array(
        closed({
          executionSuccessful: Type.Boolean(),
          toolExecutionNotifications: Type.Optional(Type.Array(closed({ level: Level, message: Text }))),
        }),
        { minItems: 1, maxItems: 1 },
      ),
      automationDetails: closed({ id: Type.String() }),
      originalUriBaseIds: Type.Record(
        Type.String(),
        closed({
          // A relative base is itself relative to another one, and ends in a slash (SARIF 3.14.14).
          uri: Type.Optional(Type.String({ pattern: '^(?!/)[^:]+/$' })),
          uriBaseId: Type.Optional(Type.String()),
          description: Text,
        }),
      ),
      columnKind: Type.Literal('utf16CodeUnits'),
      results: Type.Array(
        closed({
          ruleId: Type.String(),
          ruleIndex: Type.Integer({ minimum: 0 }),
          level: Level,
          message: Text,
          locations: Type.Array(Location, { minItems: 1 }),
          partialFingerprints: Type.Record(Type.String(), Type.String({ pattern: '^[0-9a-f]{64}:[1-9]' })),
          properties: Bag,
        }),
      ),
      properties: Type.Optional(Bag),
    }),
    { minItems: 1 },
  ),
});

const parse = (text: string): Static<typeof Sarif> => {
  const value: unknown = JSON.parse(text);
  expect([...Value.Errors(Sarif, value)]).toEqual([]);
  return value as Static<typeof Sarif>;
};

const finding = (more: Partial<Finding>): Finding => ({
  rule: 'pi/no-tools',
  level: 'info',
  agent: null,
  tool: null,
  field: null,
  file: null,
  line: null,
  message: 'a message',
  hint: null,
  ...more,
});
const write = (findings: Finding[]) =>
  sarifText({
    record: { name: '@team/sample', version: '1.0.0' },
    findings,
    rules: RULES.map(ruleRow),
    toolVersion: '1.2.3',
    ruleSet: '1',
    folder: 'packages/sample/',
    failure: null,
  });
const resultOf = (more: Partial<Finding>) => parse(write([finding(more)])).runs[0]?.results[0];

describe('sarifText', () => {
  test.each([
    ['error', 'error'],
    ['review', 'warning'],
    ['warn', 'warning'],
    ['info', 'note'],
  ] as const)('%s is %s, and our own level is kept', (level, expected) => {
    expect(resultOf({ level })).toMatchObject({ level: expected, properties: { level } });
  });

  test('each result points at the descriptor of its rule, also of one that is not known here', () => {
    const [run] = parse(write([finding({ rule: 'new/rule' }), ...RULES.map(({ id }) => finding({ rule: id }))])).runs;
    for (const { ruleId, ruleIndex } of run?.results ?? []) expect(run?.tool.driver.rules[ruleIndex]?.id).toBe(ruleId);
    expect(run?.results).toHaveLength(RULES.length + 1);
  });

  test.each([
    ['src/index.ts', 'src/index.ts'],
    ['a b/ü#?.ts', 'a%20b/%C3%BC%23%3F.ts'],
    ['http:evil.ts', 'http%3Aevil.ts'],
    ['100%.ts', '100%25.ts'],
    [null, 'package.json'],
  ])('the file %s is %s', (file, uri) => {
    expect(resultOf({ file, line: 3 })?.locations[0]?.physicalLocation.artifactLocation.uri).toBe(uri);
  });

  test('a finding keeps its fingerprint when it moves, and no two have the same', () => {
    const prints = (findings: Finding[]) =>
      parse(write(findings)).runs[0]?.results.map(({ partialFingerprints }) => Object.values(partialFingerprints)[0]) ??
      [];
    const one = finding({ file: 'a.ts', line: 3 });
    expect(prints([one])).toEqual(prints([{ ...one, line: 90 }]));
    expect(
      new Set(prints([one, one, { ...one, file: 'b.ts' }, { ...one, agent: 'pi' }, { ...one, message: 'x' }])).size,
    ).toBe(5);
  });

  test('a line belongs to a file', () => {
    const place = (more: Partial<Finding>) => resultOf(more)?.locations[0]?.physicalLocation;
    expect(place({ file: 'a.ts', line: 3 })?.region).toEqual({ startLine: 3 });
    expect(place({ file: 'a.ts' })).not.toHaveProperty('region');
    expect(place({ line: 3 })).not.toHaveProperty('region');
  });

  test.each([
    ['\u001b[2Jgone', '\\u001b[2Jgone'],
    ['a\u202eb\u200bc', 'a\\u202eb\\u200bc'],
    ['see [here](https://evil.example)', 'see [here] (https://evil.example)'],
    ['{0} and { ok }', '{{0}} and { ok }'],
  ])('a message that holds %j', (message, text) => {
    expect(resultOf({ message, hint: 'do\nthis' })?.message.text).toBe(`${text}\ndo\\nthis`);
  });
});

describe('check --sarif', () => {
  let cli: CliHome;
  beforeAll(async () => {
    cli = await createCliHome();
    const folder = join(cli.project, 'sample');
    mkdirSync(folder);
    writeFileSync(
      join(folder, 'package.json'),
      JSON.stringify({ name: 'sample', version: '1.0.0', pi: { extensions: ['./index.ts'] } }),
    );
    writeFileSync(join(folder, 'index.ts'), 'export const nothing = process.env.SECRET_NAME;\n');
  });
  afterAll(() => cli.remove());

  test('writes all findings, twice the same, without a path of this machine', async () => {
    const first = await cli.run(['check', 'sample', '--sarif', 'first.sarif', '--json']);
    expect(first.code).toBe(6);
    await cli.run(['check', 'sample', '--sarif', 'second.sarif']);
    const text = readFileSync(join(cli.project, 'first.sarif'), 'utf8');
    expect(readFileSync(join(cli.project, 'second.sarif'), 'utf8')).toBe(text);
    const [run] = parse(text).runs;
    expect(run?.results.map(({ ruleId }) => ruleId)).toEqual(first.json.findings.map((one: Finding) => one.rule));
    expect(run?.results).toContainEqual(
      expect.objectContaining({
        ruleId: 'perm/undeclared',
        locations: [
          {
            physicalLocation: {
              artifactLocation: { uri: 'index.ts', uriBaseId: 'PACKAGE' },
              region: { startLine: 1 },
            },
          },
        ],
      }),
    );
    expect(text).not.toContain(cli.project);
    expect(text).not.toMatch(/\/tmp\/|\/home\//);
  });

  const read = (file: string) => parse(readFileSync(join(cli.project, file), 'utf8')).runs[0];

  test('says where the package lies, for a report of a larger repository', async () => {
    expect(read('first.sarif')?.originalUriBaseIds).toMatchObject({
      PACKAGE: { uri: 'sample/', uriBaseId: '%SRCROOT%' },
    });
    await cli.run(['check', '--cwd', join(cli.project, 'sample'), '--sarif', '../inside.sarif']);
    expect(read('inside.sarif')?.originalUriBaseIds).toMatchObject({ PACKAGE: { uri: './' } });
  });

  test('of a single file, what has no other place is in that file', async () => {
    const code =
      'export default (pi) => pi.registerTool({ name: "alone", label: "A", description: "Does it", parameters: { type: "object" }, execute() {} });';
    writeFileSync(join(cli.project, 'alone.ts'), code);
    await cli.run(['check', 'alone.ts', '--sarif', 'alone.sarif']);
    const files = read('alone.sarif')?.results.map(
      ({ locations }) => locations[0]?.physicalLocation.artifactLocation.uri,
    );
    expect(new Set(files)).toEqual(new Set(['alone.ts']));
  });

  test.each([
    ['broken', '{ "name": "broken", }', 'invalid_package_json'],
    [
      'unloadable',
      '{ "name": "unloadable", "version": "1.0.0", "pi": { "extensions": ["./gone.ts"] } }',
      'pack_incomplete',
    ],
  ])('is written of a package that is %s, too', async (name, text, code) => {
    mkdirSync(join(cli.project, name));
    writeFileSync(join(cli.project, name, 'package.json'), text);
    const result = await cli.run(['check', name, '--sarif', `${name}.sarif`, '--json']);
    expect([result.code, result.json.error.code]).toEqual([1, code]);
    const run = read(`${name}.sarif`);
    expect(run?.invocations[0]).toMatchObject({
      executionSuccessful: false,
      toolExecutionNotifications: [{ level: 'error' }],
    });
    expect(run?.results).toMatchObject([{ ruleId: `problem/${code}`, level: 'error' }]);
  });

  test('a report that would be packed is told of', async () => {
    for (const expected of [false, true]) {
      const { stderr } = await cli.run(['check', 'sample', '--sarif', 'sample/own.sarif']);
      expect(stderr.includes('is packed with it')).toBe(expected);
    }
  });

  test.each([
    ['no/such/folder.sarif', 1, 'there is no folder'],
    ['sample', 1, 'it is a folder'],
    ['', 2, '--sarif'],
  ])('a file that cannot be written is refused before anything is examined: %s', async (file, exit, message) => {
    const { code, json } = await cli.run(['check', 'sample', '--sarif', file, '--json']);
    expect([code, json.error.message]).toEqual([exit, expect.stringContaining(message)]);
  });

  test('--dry-run writes none', async () => {
    await cli.run(['check', 'sample', '--sarif', 'dry.sarif', '--dry-run']);
    expect(() => readFileSync(join(cli.project, 'dry.sarif'))).toThrow('ENOENT');
  });
});
