/** What changed between two versions: a class for every kind of change, and the laws that hold for any two records. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ManifestRecord, Tool } from '../../../schemas/manifest.ts';
import { definitionHash } from '../../../tool-package/definition.ts';
import { diffRecords } from '../../../tool-package/diff/index.ts';

const tool = (name: string, more: Partial<Tool> = {}): Tool => {
  const definition = {
    name,
    description: `What ${name} does`,
    promptSnippet: null,
    promptGuidelines: [],
    parameters: { type: 'object', properties: { city: { type: 'string', description: 'a city' } }, required: ['city'] },
    ...more,
  };
  return {
    label: name,
    entry: 'index.ts',
    export: null,
    flags: { prepareArguments: false, renderCall: false, renderResult: false, defaultActive: true },
    tokens: 10,
    origin: {},
    ...definition,
    definitionHash: definitionHash(definition),
  };
};
const file = (path: string, byte: string) => ({ path, size: 1, sha256: byte.repeat(64), executable: false });
const record = (more: Partial<ManifestRecord> = {}, tools: Tool[] = [tool('weather')]): ManifestRecord => ({
  formatVersion: 1,
  name: 'weather',
  version: '1.0.0',
  description: 'Weather',
  license: 'MIT',
  keywords: [],
  homepage: null,
  agents: { pi: { entries: ['index.ts'], tools } },
  permissions: { declared: {}, observed: null },
  overrides: [],
  dependencies: { tools: {}, npm: {} },
  engines: {},
  files: [file('index.ts', 'a')],
  archiveSize: 1,
  integrity: `sha512-${'A'.repeat(86)}==`,
  publisher: null,
  publishedAt: null,
  ...more,
});
const told = (from: ManifestRecord, to: ManifestRecord) =>
  diffRecords(from, to).map(({ class: kind, tool: name, field, from: old, to: now }) => [kind, name, field, old, now]);
const permissions = (declared: object, observed: object | null = null) => ({ permissions: { declared, observed } });

describe('a change is', () => {
  it('a permission that was declared, or seen and not covered by a declaration', () => {
    expect(
      told(
        record(permissions({ network: ['a.com'], env: ['K'] })),
        record(permissions({ network: ['*'], env: ['K'] })),
      ),
    ).toEqual([
      ['new-permission', null, 'permissions.network', null, '*'],
      ['removed-permission', null, 'permissions.network', 'a.com', null],
    ]);
    const quiet = record(permissions({ network: ['*.a.com'] }, { network: ['x.a.com'] }));
    expect(told(quiet, record(permissions({ network: ['*.a.com'] }, { network: ['x.a.com', 'y.a.com'] })))).toEqual([]);
    expect(told(quiet, record(permissions({ network: ['*.a.com'] }, { network: ['x.a.com'], run: ['git'] })))).toEqual([
      ['new-permission', null, 'permissions.observed.run', null, 'git'],
    ]);
    // What could not be decided is covered by nothing but a wildcard.
    expect(told(quiet, record(permissions({ network: ['*.a.com'] }, { network: ['*'] })))).toEqual([
      ['new-permission', null, 'permissions.observed.network', null, '*'],
    ]);
  });

  it('an override, a dependency, a file', () => {
    const read = (reason: string) => ({ overrides: [{ tool: 'read', reason }] });
    expect(told(record(), record(read('logs')))).toEqual([['new-override', 'read', 'overrides', null, 'logs']]);
    expect(told(record(read('logs')), record(read('other')))).toEqual([
      ['wording', 'read', 'overrides.reason', 'logs', 'other'],
    ]);
    const needs = (tools: Record<string, string>, npm: Record<string, string>) => ({ dependencies: { tools, npm } });
    expect(told(record(needs({ geo: '^1.0.0' }, {})), record(needs({ geo: '^2.0.0' }, { ms: '2.1.3' })))).toEqual([
      ['new-dependency', null, 'dependencies.tools.geo', '^1.0.0', '^2.0.0'],
      ['new-dependency', null, 'dependencies.npm.ms', null, '2.1.3'],
    ]);
    const files = told(record(), record({ files: [file('index.ts', 'b'), file('x.ts', 'c')] }));
    expect(files.map(([kind, , field]) => [kind, field])).toEqual([
      ['files', 'index.ts'],
      ['files', 'x.ts'],
    ]);
  });

  it('a tool that came or went, for the agents that have it', () => {
    const both = (tools: Tool[]) => ({ agents: { pi: { entries: [], tools }, slopcode: { entries: [], tools } } });
    const changes = diffRecords(record(both([tool('a')])), record(both([tool('b')])));
    expect(changes.map(({ class: kind, tool: name, agents }) => [kind, name, agents])).toEqual([
      ['new-tool', 'b', ['pi', 'slopcode']],
      ['removed-tool', 'a', ['pi', 'slopcode']],
    ]);
    expect(changes[0]?.to).toMatchObject({ description: 'What b does', parameters: { type: 'object' } });
    const more = diffRecords(record({}, [tool('a')]), record(both([tool('a')])));
    expect(more.map(({ class: kind, agents }) => [kind, agents])).toEqual([['new-tool', ['slopcode']]]);
  });

  it('a text: of the tool, of a parameter, of the package', () => {
    const now = tool('weather', {
      label: 'Weather!',
      description: 'Another',
      promptGuidelines: ['Use weather'],
      parameters: {
        type: 'object',
        properties: { city: { type: 'string', description: 'a town', default: 'Rome' } },
        required: ['city'],
      },
    });
    expect(
      told(record(), record({ description: 'x' }, [now])).map(([kind, , field, from, to]) => [kind, field, from, to]),
    ).toEqual([
      ['wording', 'label', 'weather', 'Weather!'],
      ['wording', 'description', 'What weather does', 'Another'],
      ['wording', 'promptGuidelines', [], ['Use weather']],
      ['wording', 'parameters.properties.city.description', 'a city', 'a town'],
      ['wording', 'parameters.properties.city.default', null, 'Rome'],
      ['wording', 'description', 'Weather', 'x'],
    ]);
  });

  it('said to be another way of writing where nothing else tells two definitions apart', () => {
    const schema = (values: string[]) =>
      tool('weather', { parameters: { type: 'object', properties: { unit: { enum: values } } } });
    const [change, ...rest] = diffRecords(record({}, [schema(['c', 'f'])]), record({}, [schema(['f', 'c'])]));
    expect(rest).toEqual([]);
    expect(change).toMatchObject({
      class: 'wording',
      field: 'parameters',
      note: expect.stringContaining('written differently'),
    });
  });

  it('narrower and undecided when code begins to rewrite the arguments', () => {
    const flags = { ...tool('weather').flags, prepareArguments: true };
    expect(diffRecords(record(), record({}, [tool('weather', { flags })]))).toMatchObject([
      { class: 'schema-narrower', field: 'prepareArguments', note: expect.stringContaining('not decided') },
    ]);
  });
});

const names = fc.uniqueArray(fc.constantFrom('a', 'b', '*', '__proto__', 'constructor'), { maxLength: 3 });
const map = fc.dictionary(fc.constantFrom('geo', 'ms', '__proto__'), fc.constantFrom('^1', '^2'));
const tools = fc.uniqueArray(
  fc.record({
    name: fc.constantFrom('a', 'b', '__proto__'),
    description: fc.string(),
    enum: names,
    label: fc.string(),
  }),
  { maxLength: 3, selector: ({ name }) => name },
);
const records = fc
  .record({
    tools,
    description: fc.string(),
    network: names,
    observed: fc.option(names),
    overrides: names,
    npm: map,
    files: names,
  })
  .map((one) =>
    record(
      {
        description: one.description,
        permissions: {
          declared: { network: one.network },
          observed: one.observed === null ? null : { network: one.observed },
        },
        overrides: one.overrides.map((name) => ({ tool: name, reason: 'r' })),
        dependencies: { tools: {}, npm: one.npm },
        files: one.files.map((path) => file(path, 'a')),
      },
      one.tools.map(({ name, description, label, enum: values }) =>
        tool(name, { description, label, parameters: { type: 'object', properties: { x: { enum: values } } } }),
      ),
    ),
  );
const SWAPPED: Record<string, string> = {
  'new-tool': 'removed-tool',
  'removed-tool': 'new-tool',
  'new-permission': 'removed-permission',
  'removed-permission': 'new-permission',
  'new-override': 'removed-override',
  'removed-override': 'new-override',
  'schema-narrower': 'schema-wider',
  'schema-wider': 'schema-narrower',
};

describe('for any two records', () => {
  it('a record and itself have no difference', () => {
    fc.assert(
      fc.property(records, (one) => {
        expect(diffRecords(one, structuredClone(one))).toEqual([]);
      }),
    );
  });

  it('different definitions, permissions, dependencies or files are a difference', () => {
    fc.assert(
      fc.property(records, records, (from, to) => {
        const seen = ({
          agents,
          permissions: { declared },
          overrides,
          dependencies,
          files,
          description,
        }: ManifestRecord) =>
          JSON.stringify([
            agents.pi?.tools.map(({ definitionHash: hash, label }) => [hash, label]).sort(),
            declared.network?.toSorted(),
            overrides.map(({ tool: name }) => name).sort(),
            Object.entries(dependencies.npm).sort(),
            files.map(({ path }) => path).sort(),
            description,
          ]);
        expect(diffRecords(from, to).length > 0).toBe(
          seen(from) !== seen(to) || JSON.stringify(told(from, to)).includes('permissions.observed'),
        );
      }),
    );
  });

  it('the other way round from and to swap, new and removed, narrower and wider', () => {
    fc.assert(
      fc.property(records, records, (from, to) => {
        const key = (parts: unknown[]) => JSON.stringify(parts);
        const there = told(from, to).filter(([kind]) => !String(kind).endsWith('-dependency'));
        const back = told(to, from).filter(([kind]) => !String(kind).endsWith('-dependency'));
        expect(
          back
            .map(([kind, name, field, old, now]) => key([SWAPPED[String(kind)] ?? kind, name, field, now, old]))
            .sort(),
        ).toEqual(there.map(key).sort());
      }),
    );
  });
});
