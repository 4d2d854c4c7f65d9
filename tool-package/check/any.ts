/** Rules for every agent: imports, what inspection could not read, dependencies that are the host's. */
import { isBuiltin } from 'node:module';
import type { Agent } from '../../schemas/common.ts';
import type { ProblemKind } from '../inspect/types.ts';
import { findHostPackage } from '../run/host-packages.ts';
import { showText } from '../show-text.ts';
import { findImported, isRelative, listImports } from '../source/imports.ts';
import { ambiguousImport } from './ambiguous-imports.ts';
import { LOAD_RULES } from './load.ts';
import { isRecord, walkSchema } from './schema-walk.ts';
import type { CheckedTool, Facts, Found, Rule } from './types.ts';
import { findUnmetRegistration } from './unmet-registrations.ts';

const imports: Rule = {
  id: 'any/import',
  level: 'error',
  what: 'an import that is neither the host’s, nor declared, nor in the archive; warn where the compiler drops it because nothing uses it',
  why: 'the agent cannot load the file: pi does not start, SlopCode ends the session',
  fix: 'add the file to the package, or declare the npm package under `dependencies`',
  *find(facts) {
    const seen = new Set<string>();
    for (const found of [...brokenImports(facts), ...droppedImports(facts)]) {
      const { specifier, ...rest } = found;
      const key = JSON.stringify([rest.file, specifier]);
      if (!seen.has(key)) yield rest;
      seen.add(key);
    }
  },
};

type FoundImport = Found & { readonly specifier: string };

/** What the bundler met on its way from the entries. */
function* brokenImports(facts: Facts): Generator<FoundImport, void, undefined> {
  for (const { agent, imports: uses } of facts.inspections) {
    for (const { specifier, file, line, kind } of uses) {
      // pi runs on Node, where nothing answers to `bun:`.
      const isMissing = kind === 'missing' || (kind === 'bun' && agent === 'pi');
      if (isMissing) yield { agent, file, line, specifier, message: importText(file, specifier) };
    }
  }
}

/** TypeScript drops an import whose names are used as types only, or not at all: no error, until somebody uses one. */
function* droppedImports(facts: Facts): Generator<FoundImport, void, undefined> {
  const reached = listReached(facts);
  for (const source of facts.listParsed()) {
    const file = source.path;
    if (!reached.has(file) || /\.d\.[cm]?ts$/.test(file)) continue;
    for (const { specifier, line } of listImports(source)) {
      if (isKnown(specifier, file, facts)) continue;
      const message = `${importText(file, specifier)}; it is dropped only as long as nothing uses it`;
      yield { level: 'warn', file, line, specifier, message };
    }
  }
}

/** The entries and all that their imports lead to, also those that the compiler drops: nothing else is ever loaded. */
const listReached = (facts: Facts): ReadonlySet<string> => {
  const parsed = new Map(facts.listParsed().map((source) => [source.path, source]));
  const reached = new Set(
    facts.inspections.flatMap(({ entry, imports: uses }) => [entry, ...uses.flatMap(({ target }) => target ?? [])]),
  );
  for (const file of reached) {
    const source = parsed.get(file);
    for (const { specifier } of source === undefined ? [] : listImports(source)) {
      const target = isRelative(specifier) ? findImported(file, specifier, (path) => facts.paths.has(path)) : undefined;
      if (target !== undefined) reached.add(target);
    }
  }
  return reached;
};

const importText = (file: string, specifier: string): string =>
  `\`${showText(file)}\` imports \`${showText(specifier)}\`, which ${missingWhy(specifier)}`;

const isKnown = (specifier: string, from: string, facts: Facts): boolean => {
  if (isRelative(specifier)) return findImported(from, specifier, (path) => facts.paths.has(path)) !== undefined;
  if (
    isBuiltin(specifier) ||
    /^(?:bun$|bun:|node:|#|data:)/.test(specifier) ||
    findHostPackage(specifier) !== undefined
  )
    return true;
  const name = specifier.split('/', specifier.startsWith('@') ? 2 : 1).join('/');
  const { dependencies, optionalDependencies, peerDependencies, name: own } = facts.packageJson;
  const { devDependencies } = facts.packageJson as { devDependencies?: unknown };
  const lists: unknown[] = [dependencies, optionalDependencies, peerDependencies, devDependencies];
  return name === own || lists.some((list) => isRecord(list) && Object.hasOwn(list, name));
};

const missingWhy = (specifier: string): string => {
  if (specifier.startsWith('bun:')) return 'pi does not have';
  if (/^[@~]\//.test(specifier))
    return 'is an alias of `tsconfig.json`, which pi-tools does not follow: write `../…`, or `imports` in package.json';
  if (specifier.startsWith('/')) return 'is a path of one machine';
  return /^\.{1,2}\//.test(specifier) ? 'is not in the package' : 'is neither the host’s nor declared';
};

const duplicateName: Rule = {
  id: 'any/duplicate-name',
  level: 'error',
  what: 'two entries of one agent that give a tool of the same name',
  why: 'pi does not start when a name is registered twice; SlopCode and opencode keep the last one without a word',
  fix: 'rename one of them',
  *find(facts) {
    const first = new Map<string, string>();
    for (const { agent, name, entry, file, line } of facts.tools) {
      if (name === null) continue;
      const key = `${agent} ${name}`;
      const other = first.get(key);
      first.set(key, other ?? entry);
      if (other !== undefined)
        yield {
          agent,
          tool: name,
          file: file ?? entry,
          line,
          field: 'name',
          message: `\`${showText(name)}\` is given by \`${showText(other)}\` and by \`${showText(entry)}\``,
        };
    }
  },
};

const TYPES = new Set(['string', 'number', 'integer', 'boolean', 'object', 'array', 'null']);

const invalidSchema: Rule = {
  id: 'any/invalid-schema',
  level: 'error',
  what: 'parameters that are no JSON Schema: a property that is no schema, an unknown type, `required` that is no list',
  why: 'a provider refuses the request and every tool in it, or the model sees no parameters',
  fix: 'build the parameters with TypeBox or Zod: `Type.String()`, `tool.schema.string()`',
  *find(facts) {
    for (const tool of facts.tools) {
      for (const { schema, field } of tool.parameters === null ? [] : walkSchema(tool.parameters)) {
        const wrong = wrongSchema(schema);
        if (wrong === null) continue;
        const place = { agent: tool.agent, tool: tool.name, file: tool.file ?? tool.entry, line: tool.line };
        yield { ...place, field, message: `\`${showText(field)}\` is no JSON Schema: ${wrong}` };
      }
    }
  },
};

const wrongSchema = (schema: Readonly<Record<string, unknown>>): string | null => {
  const { type, properties, required, enum: values } = schema;
  const types: unknown[] = type === undefined ? [] : [type].flat();
  const wrongType = types.find((one) => typeof one !== 'string' || !TYPES.has(one));
  if (wrongType !== undefined) return `\`${showText(JSON.stringify(wrongType), 60)}\` is no type`;
  if (properties !== undefined && !isRecord(properties)) return '`properties` is no object';
  const wrong = Object.entries(properties ?? {}).find(([, one]) => !isRecord(one) && typeof one !== 'boolean');
  if (wrong !== undefined)
    return `\`${showText(wrong[0])}\` is \`${showText(JSON.stringify(wrong[1]) ?? 'undefined', 60)}\`, wanted a schema`;
  if (required !== undefined && !(Array.isArray(required) && required.every((one) => typeof one === 'string')))
    return '`required` is no list of names';
  return values !== undefined && !(Array.isArray(values) && values.length > 0) ? '`enum` is no list of values' : null;
};

const unknownTool: Rule = {
  id: 'any/unknown-tool',
  level: 'warn',
  what: '`piTools.overrides` or `piTools.examples` that name a tool which the package does not have',
  why: 'a user is asked to agree to something that does not happen; an example cannot be run',
  fix: 'name the tool as the model sees it, or take the line out',
  *find(facts) {
    const names = new Set(facts.tools.flatMap(({ name }) => (name === null ? [] : [name])));
    // Where an entry could not be read, a name may well be in it.
    if (facts.inspections.some(({ problem, tools }) => problem !== null || tools.some(({ name }) => name === null)))
      return;
    const { overrides = [], examples = [] } = facts.packageJson.piTools ?? {};
    const listed = [
      ...overrides.map(({ tool }, index) => ({ tool, field: `piTools.overrides[${index}]` })),
      ...examples.map(({ tool }, index) => ({ tool, field: `piTools.examples[${index}]` })),
    ];
    for (const { tool, field } of listed) {
      if (!names.has(tool))
        yield inPackageJson(field, `\`${field}\` names \`${showText(tool)}\`, which the package does not have`);
    }
  },
};

const unread: Rule = {
  id: 'inspect/unread',
  level: 'review',
  what: 'a field or an entry that neither evaluation nor a parse could read',
  why: 'what the model will see is not known before the tool runs',
  fix: 'write the definition with constants; what comes from a file, a process or the network belongs into `execute`',
  *find(facts) {
    for (const inspection of facts.inspections) {
      const { agent, entry, problem } = inspection;
      const unmet = findUnmetRegistration(facts, inspection);
      if (unmet !== undefined)
        yield {
          agent,
          ...unmet,
          message: `\`${showText(entry)}\` registers tools only later, or where something is set up: what they are is not known`,
        };
      if (problem === null || hasRule(agent, problem.kind)) continue;
      yield {
        agent,
        file: problem.file ?? entry,
        line: problem.line,
        message: `\`${showText(entry)}\` could not be read: ${showText(problem.message, 300)}`,
      };
    }
    for (const tool of facts.tools) yield* unreadFields(tool);
  },
};

/** One finding for what comes from one place: a tool that a server names is one matter, not four. */
function* unreadFields(tool: CheckedTool): Generator<Found, void, undefined> {
  const subject = tool.name === null ? 'a tool' : `\`${showText(tool.name)}\``;
  const place = { agent: tool.agent, tool: tool.name, file: tool.file ?? tool.entry, line: tool.line };
  for (const from of new Set(tool.unread.map((each) => each.from))) {
    const fields = tool.unread.filter((each) => each.from === from).map(({ field }) => field);
    const what = `${fields.map((field) => `\`${showText(field)}\``).join(', ')} of ${subject}`;
    yield {
      ...place,
      field: fields[0] ?? null,
      message: fields.every((field) => isShown(tool, field))
        ? `${what}: made from files of the machine (\`${showText(from)}\`); shown is what it is without them`
        : `${what} could not be read: it comes from \`${showText(from)}\``,
    };
  }
}

const isShown = (tool: CheckedTool, field: string): boolean =>
  (field === 'description' || field === 'parameters') && tool[field] !== null;

/** What is certain to fail, and pi's missing factory, have rules of their own. */
const hasRule = (agent: Agent, kind: ProblemKind): boolean =>
  kind === 'syntax' || kind === 'throws' || (agent === 'pi' && kind === 'no-default-function');

const hostDependency: Rule = {
  id: 'any/host-dependency',
  level: 'warn',
  what: 'a package that the agent supplies under `dependencies`, or pinned under `peerDependencies`',
  why: 'a second copy of the host is installed and ignored, or two copies of its classes do not know each other; a pinned peer makes npm fail',
  fix: 'move it to `peerDependencies` with the range `*`',
  *find(facts) {
    const { dependencies, optionalDependencies, peerDependencies } = facts.packageJson;
    for (const name of Object.keys({ ...dependencies, ...optionalDependencies })) {
      if (isHosts(name, facts))
        yield inPackageJson(name, `the agent supplies \`${showText(name)}\` itself, but it is under \`dependencies\``);
    }
    for (const [name, range] of Object.entries(peerDependencies ?? {})) {
      const isBounded = /^[\d=v]|^[~^<]|\s<|-/.test(range.trim());
      if (isHosts(name, facts) && isBounded)
        yield inPackageJson(
          name,
          `\`peerDependencies\` pins the agent’s own \`${showText(name)}\` to \`${showText(range)}\``,
        );
    }
  },
};

const inPackageJson = (field: string, message: string): Found => ({ file: 'package.json', field, message });

/** Zod is SlopCode's and opencode's, not pi's. */
const isHosts = (name: string, facts: Facts): boolean => {
  const host = findHostPackage(name);
  if (host === undefined) return false;
  return host.kind !== 'zod' || facts.packageJson.pi === undefined;
};

export const ANY_RULES: readonly Rule[] = [
  ...LOAD_RULES,
  imports,
  ambiguousImport,
  duplicateName,
  invalidSchema,
  unknownTool,
  unread,
  hostDependency,
];
