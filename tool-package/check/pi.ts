/** Rules for what pi loads: what stops a session from starting, or a request from being answered. */
import { BUILT_IN_TOOLS } from '../inspect/built-in-tools.ts';
import { showText } from '../show-text.ts';
import { ALL_BUILT_INS, OBJECT_PROPERTIES, PI_BUILT_INS, PI_RESERVED, UNMISTAKABLE } from './known-tools.ts';
import { isRecord, walkSchema } from './schema-walk.ts';
import type { CheckedTool, Facts, Found, Rule } from './types.ts';
import { findUnmetRegistration } from './unmet-registrations.ts';

const NAME = /^[a-zA-Z][a-zA-Z0-9_-]{0,63}$/;

const piTools = (facts: Facts): CheckedTool[] => facts.tools.filter(({ agent }) => agent === 'pi');

/** The place of a tool; unread fields are `inspect/unread`'s business, and never "missing". */
const at = (tool: CheckedTool): Omit<Found, 'message'> => ({
  agent: 'pi',
  tool: tool.name,
  file: tool.file ?? tool.entry,
  line: tool.line,
});
const isUnread = (tool: CheckedTool, field: string): boolean => tool.unread.some((one) => one.field === field);
const nameOf = (tool: CheckedTool): string => (tool.name === null ? 'a tool' : `\`${showText(tool.name)}\``);

const noFactory: Rule = {
  id: 'pi/no-factory',
  level: 'error',
  what: 'an entry without a default-exported function',
  why: 'pi ends with an error at start when an extension has no default function, with every other extension',
  fix: 'write `export default function (pi) { pi.registerTool({ … }); }`',
  *find(facts) {
    for (const { agent, entry, problem } of facts.inspections) {
      if (agent !== 'pi' || problem?.kind !== 'no-default-function') continue;
      yield {
        agent,
        file: problem.file ?? entry,
        line: problem.line,
        message: `\`${showText(entry)}\` has no default-exported function`,
      };
    }
  },
};

const noTools: Rule = {
  id: 'pi/no-tools',
  level: 'info',
  what: 'an entry that registers no tool',
  why: 'hooks and commands are fine; the user is told that there is no tool',
  fix: 'nothing to do, if that is what it is for',
  *find(facts) {
    for (const inspection of facts.inspections) {
      const { agent, entry, problem, tools } = inspection;
      if (agent !== 'pi' || problem !== null || tools.length > 0) continue;
      if (findUnmetRegistration(facts, inspection) === undefined)
        yield { agent, file: entry, message: `\`${showText(entry)}\` registers no tool` };
    }
  },
};

const requiredField: Rule = {
  id: 'pi/required-field',
  level: 'error',
  what: 'a tool without name, description, parameters or execute, or with a name that pi or a provider cannot take',
  why: 'the tool fails at every call, or pi crashes at start, or a provider refuses the request with all its tools',
  fix: 'give the tool a name of letters, digits, `_` and `-`, a description, an object schema and `execute`',
  *find(facts) {
    for (const tool of piTools(facts)) {
      yield* missingFields(tool);
      const wrong = tool.name === null ? null : wrongName(tool.name);
      if (wrong !== null) yield { ...at(tool), field: 'name', message: `the tool name ${nameOf(tool)} ${wrong}` };
    }
  },
};

function* missingFields(tool: CheckedTool): Generator<Found, void, undefined> {
  const lacks = (field: string, isThere: boolean): boolean => !isThere && !isUnread(tool, field);
  const say = (field: string): Found => ({ ...at(tool), field, message: `${nameOf(tool)} has no \`${field}\`` });
  if (lacks('name', tool.name !== null)) yield say('name');
  if (lacks('description', (tool.description ?? '').trim() !== '')) yield say('description');
  if (lacks('parameters', tool.parameters !== null)) yield say('parameters');
  if (lacks('execute', tool.execute)) yield say('execute');
  if (lacks('label', (tool.label ?? '') !== '')) {
    yield { ...say('label'), level: 'warn', hint: 'pi shows the name instead' };
  }
}

const wrongName = (name: string): string | null => {
  if (OBJECT_PROPERTIES.has(name)) return 'is a property of every object: pi crashes at start';
  if (!NAME.test(name))
    return 'is not letters, digits, `_` and `-`, beginning with a letter, at most 64: providers refuse it';
  if (name.startsWith('mcp__')) return 'begins with `mcp__`: pi takes it for an MCP tool';
  return PI_RESERVED.has(name) ? 'switches a part of pi off' : null;
};

const parametersObject: Rule = {
  id: 'pi/parameters-object',
  level: 'error',
  what: '`parameters` that is not an object schema',
  why: 'arguments are always an object, so every call fails',
  fix: 'use `Type.Object({ … })`, also for a tool without parameters',
  *find(facts) {
    for (const tool of piTools(facts)) {
      const { parameters } = tool;
      if (parameters === null || parameters.type === 'object') continue;
      const type = typeof parameters.type === 'string' ? `\`${showText(parameters.type)}\`` : 'no type `object`';
      yield {
        ...at(tool),
        field: 'parameters',
        message: `the parameters of ${nameOf(tool)} are ${type}, not an object schema`,
      };
    }
  },
};

const literalUnion: Rule = {
  id: 'pi/literal-union',
  level: 'warn',
  what: 'a union of literals in the parameters, however it is written',
  why: 'Google’s API refuses `const`, and with it the whole request and every tool in it',
  fix: 'use `StringEnum([…])` from `@earendil-works/pi-ai`, which gives `type` and `enum`; `pi-tools check --fix` does it where it is certain',
  *find(facts) {
    for (const tool of piTools(facts)) {
      for (const { schema, field } of tool.parameters === null ? [] : walkSchema(tool.parameters)) {
        if (isLiteralUnion(schema)) {
          const message = `\`${showText(field)}\` of ${nameOf(tool)} is a union of literals`;
          yield { ...at(tool), field, message, ...(isOfTexts(schema) ? {} : { hint: NUMBERS_HINT }) };
        }
      }
    }
  },
};

/** Two or more literals; a union of a string and a list is none. */
const isLiteralUnion = (schema: Readonly<Record<string, unknown>>): boolean =>
  ['anyOf', 'oneOf'].some((key) => {
    const branches = schema[key];
    return Array.isArray(branches) && branches.filter((branch) => isRecord(branch) && 'const' in branch).length >= 2;
  });

/** `StringEnum` is for texts. */
const isOfTexts = (schema: Readonly<Record<string, unknown>>): boolean =>
  [schema.anyOf, schema.oneOf].flat().every((branch) => !isRecord(branch) || typeof branch.const !== 'number');

const NUMBERS_HINT = 'use `Type.Unsafe({ type: "integer", enum: [1, 2] })`, or `Type.Integer({ minimum, maximum })`';

const guidelineNamesTool: Rule = {
  id: 'pi/guideline-names-tool',
  level: 'warn',
  what: 'a line of promptGuidelines that does not name its own tool, or names another one (review)',
  why: 'pi puts the line into the system prompt without the tool’s name: "this tool" tells the model nothing; an order about a foreign tool changes what that one does',
  fix: 'name the tool in each line: `Use weather when …`, and no other',
  *find(facts) {
    const own = new Set(facts.tools.flatMap(({ name }) => (name === null ? [] : [name])));
    for (const tool of piTools(facts)) {
      for (const [index, line] of tool.promptGuidelines.entries()) {
        const place = { ...at(tool), field: `promptGuidelines[${index}]` };
        const foreign = foreignTool(line, own);
        if (foreign !== null)
          yield {
            ...place,
            level: 'review',
            message: `a guideline of ${nameOf(tool)} is about the tool \`${foreign}\`: "${showText(line)}"`,
          };
        if (tool.name !== null && !hasWord(line, tool.name) && !HOST_LINES.has(line))
          yield { ...place, message: `a guideline of ${nameOf(tool)} does not name it: "${showText(line)}"` };
      }
    }
  },
};

/** Lines of the host's own tools, which a spread of its factory brings along. */
const HOST_LINES: ReadonlySet<string> = new Set(BUILT_IN_TOOLS.flatMap(({ promptGuidelines }) => promptGuidelines));

/** As a word of its own; Chinese puts no space around it. */
const hasWord = (text: string, word: string): boolean => {
  const [line, sought] = [text.toLowerCase(), word.toLowerCase()];
  for (let found = line.indexOf(sought); found !== -1; found = line.indexOf(sought, found + 1)) {
    const around = `${line[found - 1] ?? ' '}${line[found + sought.length] ?? ' '}`;
    if (!/[a-z0-9_]/.test(around)) return true;
  }
  return false;
};

/** Words after which `bash` is a language or a program, not the tool. */
const NOT_A_TOOL = String.raw`(?![\w-])(?!\s+(?:scripts?|code|syntax|files?|history|completions?|snippets?|shell|functions?)\b)`;

const foreignTool = (line: string, own: ReadonlySet<string>): string | null => {
  for (const name of ALL_BUILT_INS) {
    if (own.has(name)) continue;
    if (UNMISTAKABLE.has(name) && new RegExp(String.raw`(?<![\w./-])${name}${NOT_A_TOOL}`).test(line)) return name;
    const asTool = [
      String.raw`[\x60"'«“「]${name}[\x60"'»”」]`,
      String.raw`\b${name} tool\b`,
      String.raw`\b(?:use|using|call|calling|instead of|rather than) (?:the )?${name}(?=$|[.,;:)]| (?:or|and|for|to|on|when|instead|first|before|after|only|if|unless|until|once|again|with)\b)`,
    ];
    if (new RegExp(asTool.join('|')).test(line)) return name;
  }
  return null;
};

const override: Rule = {
  id: 'pi/override',
  level: 'review',
  what: 'a tool with the name of one of pi’s own, not declared in `piTools.overrides`',
  why: 'it takes the built-in’s place, and the user does not know',
  fix: 'declare it: `"piTools": {"overrides": [{"tool": "read", "reason": "…"}]}`, or rename the tool',
  *find(facts) {
    for (const tool of piTools(facts)) {
      if (tool.name === null || !PI_BUILT_INS.has(tool.name)) continue;
      const reason = facts.overrides.get(tool.name);
      if (reason === undefined) {
        yield { ...at(tool), field: 'name', message: `${nameOf(tool)} replaces pi’s own tool, which is not declared` };
        continue;
      }
      yield {
        ...at(tool),
        level: 'info',
        field: 'name',
        message: `${nameOf(tool)} replaces pi’s own tool: ${showText(reason, 300)}`,
        hint: null,
      };
      yield* notInherited(tool);
    }
  },
};

function* notInherited(tool: CheckedTool): Generator<Found, void, undefined> {
  const missing = [
    ...(tool.promptSnippet === null ? ['promptSnippet'] : []),
    ...(tool.promptGuidelines.length === 0 ? ['promptGuidelines'] : []),
  ].filter((field) => !isUnread(tool, field));
  for (const field of missing) {
    yield {
      ...at(tool),
      level: 'warn',
      field,
      message: `${nameOf(tool)} has no \`${field}\``,
      hint: 'the built-in’s is not inherited: write one',
    };
  }
}

const prepareArguments: Rule = {
  id: 'pi/prepare-arguments',
  level: 'info',
  what: 'a tool with `prepareArguments`',
  why: 'arguments are changed before they are checked',
  fix: 'nothing to do; `pi-tools try` shows what it makes of arguments',
  *find(facts) {
    for (const tool of piTools(facts)) {
      if (tool.flags.prepareArguments)
        yield {
          ...at(tool),
          field: 'prepareArguments',
          message: `${nameOf(tool)} changes its arguments before they are checked`,
        };
    }
  },
};

/** What pi takes from packages that it installs itself; from `extensions/`, where pi-tools installs, it takes extensions only. */
const OTHER_RESOURCES = ['skills', 'prompts', 'themes'];

const otherResources: Rule = {
  id: 'pi/other-resources',
  level: 'warn',
  what: '`pi.skills`, `pi.prompts` or `pi.themes`',
  why: 'pi reads them from its own packages only: after an install by pi-tools they are files that nobody reads',
  fix: 'say in the README that `pi install` is needed for them, or leave them out',
  *find(facts) {
    const keys = Object.keys(facts.packageJson.pi ?? {}).filter((key) => OTHER_RESOURCES.includes(key));
    for (const key of keys)
      yield {
        agent: 'pi',
        file: 'package.json',
        field: `pi.${key}`,
        message: `\`pi.${key}\` stays in the archive, but pi does not read it there`,
      };
  },
};

export const PI_RULES: readonly Rule[] = [
  noFactory,
  noTools,
  requiredField,
  parametersObject,
  literalUnion,
  guidelineNamesTool,
  override,
  prepareArguments,
  otherResources,
];
