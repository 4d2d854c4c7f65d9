/** Writes small, complete tool packages: what an author would have written, with nothing to complain about. */
import type { Files } from './pair.ts';

export type Parameter = {
  readonly type?: 'string' | 'number' | 'boolean';
  readonly description?: string;
  readonly values?: readonly string[];
  readonly default?: string;
  readonly optional?: true;
};

export type Tool = {
  readonly name: string;
  readonly label?: string;
  readonly description?: string;
  readonly snippet?: string;
  readonly guidelines?: readonly string[];
  readonly parameters: Readonly<Record<string, Parameter>>;
  /** Source text in place of `parameters`. */
  readonly schema?: string;
  /** Statements of `execute(_id, params, signal, _onUpdate, ctx)`. */
  readonly body: string;
  /** Imports and functions above the tool. */
  readonly head?: string;
  /** Statements of the factory before it registers the tool. */
  readonly factory?: string;
  /** Further properties of the definition, as source text. */
  readonly more?: string;
  /** A comment above the tool. */
  readonly comment?: string;
  /** Write every character beyond ASCII as an escape. */
  readonly ascii?: true;
};

export type Package = {
  readonly readme?: string;
  readonly permissions?: Readonly<Record<string, readonly string[]>>;
  readonly overrides?: readonly { tool: string; reason: string }[];
  /** Merged over the generated package.json; `undefined` takes a key away. */
  readonly packageJson?: Readonly<Record<string, unknown>>;
  /** Added to the generated files; `null` takes one away. */
  readonly files?: Readonly<Record<string, string | Uint8Array | null>>;
};

/** A package with one pi tool in `index.ts`. */
export const piPackage = (tool: Tool, extra: Package = {}): Files =>
  packageOf(tool.name, tool.description ?? tool.name, {
    ...extra,
    packageJson: { pi: { extensions: ['./index.ts'] }, ...extra.packageJson },
    files: { 'index.ts': piSource(tool), ...extra.files },
  });

/** A package with SlopCode tool files: path below `tools/` -> source. */
export const slopcodePackage = (
  name: string,
  description: string,
  tools: Readonly<Record<string, string>>,
  extra: Package = {},
): Files =>
  packageOf(name, description, {
    ...extra,
    packageJson: { slopcode: { tools: Object.keys(tools).map((file) => `./tools/${file}`) }, ...extra.packageJson },
    files: {
      ...Object.fromEntries(Object.entries(tools).map(([file, source]) => [`tools/${file}`, source])),
      ...extra.files,
    },
  });

const packageOf = (name: string, description: string, extra: Package): Files => {
  const json = {
    name:
      name
        .toLowerCase()
        .replace(/[^a-z0-9]+/g, '-')
        .replace(/^-|-$/g, '') || 'tool',
    version: '1.0.0',
    description: description.slice(0, 200),
    license: 'MIT',
    type: 'module',
    repository: { type: 'git', url: 'https://git.example.org/tools/corpus.git' },
    piTools: {
      permissions: extra.permissions ?? {},
      ...(extra.overrides === undefined ? {} : { overrides: extra.overrides }),
    },
    ...extra.packageJson,
  };
  const files: Record<string, string | Uint8Array | null> = {
    'package.json': `${JSON.stringify(json, null, 2)}\n`,
    'README.md': extra.readme ?? `# ${json.name}\n\n${description}\n`,
    LICENSE: 'MIT License\n\nPermission is hereby granted, free of charge, to any person obtaining a copy.\n',
    ...extra.files,
  };
  return Object.fromEntries(
    Object.entries(files).filter((entry): entry is [string, string | Uint8Array] => entry[1] !== null),
  );
};

/** The source of a pi extension that registers one tool. */
export const piSource = (tool: Tool): string => {
  const text = (value: string): string => literal(value, tool.ascii);
  const field = (name: string, value: string | undefined): string[] =>
    value === undefined ? [] : [`    ${name}: ${text(value)},`];
  const lines = [
    "import { StringEnum } from '@earendil-works/pi-ai';",
    "import type { ExtensionAPI } from '@earendil-works/pi-coding-agent';",
    "import { Type } from 'typebox';",
    ...(tool.head === undefined ? [] : [tool.head]),
    '',
    'export default function (pi: ExtensionAPI) {',
    ...(tool.factory === undefined ? [] : [indent(tool.factory, 2)]),
    ...(tool.comment === undefined ? [] : tool.comment.split('\n').map((line) => `  // ${line}`)),
    '  pi.registerTool({',
    ...field('name', tool.name),
    ...field('label', tool.label ?? tool.name),
    ...field('description', tool.description),
    ...field('promptSnippet', tool.snippet),
    ...(tool.guidelines === undefined ? [] : [`    promptGuidelines: [${tool.guidelines.map(text).join(', ')}],`]),
    `    parameters: ${tool.schema ?? schemaSource(tool.parameters, text)},`,
    ...(tool.more === undefined ? [] : [indent(tool.more, 4)]),
    '    async execute(_id, params, signal, _onUpdate, ctx) {',
    indent(tool.body, 6),
    '    },',
    '  });',
    '}',
    '',
  ];
  return lines.join('\n');
};

const schemaSource = (parameters: Tool['parameters'], text: (value: string) => string): string => {
  const lines = Object.entries(parameters).map(([name, one]) => `      ${text(name)}: ${parameterSource(one, text)},`);
  return ['Type.Object({', ...lines, '    })'].join('\n');
};

const TYPES = { string: 'Type.String', number: 'Type.Number', boolean: 'Type.Boolean' } as const;

const parameterSource = (one: Parameter, text: (value: string) => string): string => {
  const options = [
    ...(one.description === undefined ? [] : [`description: ${text(one.description)}`]),
    ...(one.default === undefined ? [] : [`default: ${text(one.default)}`]),
  ];
  const given = options.length === 0 ? [] : [`{ ${options.join(', ')} }`];
  const schema =
    one.values === undefined
      ? `${TYPES[one.type ?? 'string']}(${given.join('')})`
      : `StringEnum(${[`[${one.values.map(text).join(', ')}] as const`, ...given].join(', ')})`;
  return one.optional ? `Type.Optional(${schema})` : schema;
};

/** A string literal; with `ascii` every other character is an escape, as someone who hides text in a source writes it. */
const literal = (value: string, ascii?: true): string => {
  const quoted = JSON.stringify(value);
  if (!ascii) return quoted;
  return quoted.replace(/[^\x20-\x7e]/gu, (character) =>
    [...new Array(character.length).keys()]
      .map((at) => `\\u${character.charCodeAt(at).toString(16).padStart(4, '0')}`)
      .join(''),
  );
};

const indent = (text: string, width: number): string =>
  text
    .trim()
    .split('\n')
    .map((line) => (line === '' ? '' : ' '.repeat(width) + line))
    .join('\n');
