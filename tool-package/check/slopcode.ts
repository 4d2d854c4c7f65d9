/** Rules for what SlopCode and opencode load. One file may serve both: it is looked at once. */
import type { Agent } from '../../schemas/common.ts';
import { showText } from '../show-text.ts';
import { OBJECT_PROPERTIES, SLOPCODE_BUILT_INS, SLOPCODE_RESERVED } from './known-tools.ts';
import type { CheckedTool, Facts, Found, Rule } from './types.ts';

const NAME = /^[a-z][a-z0-9_-]{0,63}$/;

/** SlopCode's inspections, and opencode's of files that SlopCode does not get. */
export const listToolFiles = (facts: Facts): Facts['inspections'] => {
  const slopcode = new Set(facts.inspections.flatMap(({ agent, entry }) => (agent === 'slopcode' ? [entry] : [])));
  return facts.inspections.filter(
    ({ agent, entry }) => agent === 'slopcode' || (agent === 'opencode' && !slopcode.has(entry)),
  );
};

/** Whose faults are told: SlopCode's where it gets the package, it takes less. */
export const hostOf = ({ packageJson }: Facts): 'slopcode' | 'opencode' =>
  packageJson.slopcode === undefined ? 'opencode' : 'slopcode';

/** The name of the last tool that begins before a line of a file. */
export const toolAt = (facts: Facts, file: string, line: number): string | null => {
  const before = facts.tools.filter((tool) => tool.file === file && tool.line !== null && tool.line <= line);
  return before.toSorted((a, b) => (b.line ?? 0) - (a.line ?? 0))[0]?.name ?? null;
};

const listTools = (facts: Facts): CheckedTool[] =>
  listToolFiles(facts).flatMap(({ agent, tools }) => tools.map((tool) => ({ ...tool, agent })));

const at = (tool: CheckedTool): Omit<Found, 'message'> => ({
  agent: tool.agent,
  tool: tool.name,
  file: tool.file ?? tool.entry,
  line: tool.line,
});

const noTools: Rule = {
  id: 'slopcode/no-tools',
  level: 'error',
  what: 'a tool file that gives no tool; warn for one that only lies in a listed folder, beside files that do',
  why: 'the hosts take every file there for a tool; a hook or a helper is none',
  fix: 'export a tool: `export default tool({ description, args, execute })`, or take the file out of `tools`',
  *find(facts) {
    const files = listToolFiles(facts);
    const hasTools = files.some(({ tools }) => tools.length > 0);
    for (const { agent, entry, problem, tools } of files) {
      if (problem !== null || tools.length > 0) continue;
      const isHelper = hasTools && !isListed(facts, agent, entry);
      yield { agent, file: entry, ...(isHelper ? HELPER : {}), message: `\`${showText(entry)}\` gives no tool` };
    }
  },
};

/** Repositories keep helpers beside their tools: opencode passes over them, and pi-tools makes no entry for them. */
const HELPER = { level: 'warn', hint: 'move it out of the folder, or list the tool files one by one' } as const;

/** Whether the file itself stands in `tools`, and not only its folder or a glob. */
const isListed = ({ packageJson }: Facts, agent: Agent, entry: string): boolean => {
  const list = agent === 'pi' ? [] : (packageJson[agent]?.tools ?? []);
  return list.some((one) => one.replace(/^\.\//, '') === entry);
};

const notATool: Rule = {
  id: 'slopcode/not-a-tool',
  level: 'warn',
  what: 'an export of a tool file that is not a tool',
  why: 'SlopCode makes a tool of every export when the file is copied by hand; pi-tools leaves it out',
  fix: 'move helpers and constants into a file of their own, and import them',
  *find(facts) {
    for (const { agent, entry, otherExports } of listToolFiles(facts)) {
      for (const { name, line } of otherExports)
        yield { agent, file: entry, line, field: name, message: `the export \`${showText(name)}\` is not a tool` };
    }
  },
};

const name: Rule = {
  id: 'slopcode/name',
  level: 'error',
  what: 'a final name (the file’s for the default export, `<file>_<export>` for the others) that the hosts or the providers cannot take',
  why: 'the host uses the name for something else, or a provider refuses the request',
  fix: 'rename the file or the export: lower-case letters, digits, `_` and `-`, beginning with a letter, at most 64',
  *find(facts) {
    const tools = listTools(facts);
    for (const tool of tools) {
      const wrong = tool.name === null ? 'is empty' : wrongName(tool.name);
      if (wrong !== null)
        yield { ...at(tool), field: 'name', message: `the tool name \`${showText(tool.name ?? '')}\` ${wrong}` };
    }
    const names = tools.flatMap((tool) => (tool.name === null ? [] : [`\`${showText(tool.name)}\``]));
    if (names.length > 0)
      yield {
        level: 'info',
        agent: tools[0]?.agent ?? null,
        message: `the names will be ${[...new Set(names)].join(', ')}`,
        hint: null,
      };
  },
};

const wrongName = (toolName: string): string | null => {
  if (SLOPCODE_RESERVED.has(toolName)) return 'is used by the host itself';
  if (OBJECT_PROPERTIES.has(toolName)) return 'is a property of every object';
  return NAME.test(toolName)
    ? null
    : 'is not lower-case letters, digits, `_` and `-`, beginning with a letter, at most 64';
};

const override: Rule = {
  id: 'slopcode/override',
  level: 'review',
  what: 'a tool with the name of one of the host’s own, not declared in `piTools.overrides`',
  why: 'the last loaded wins, silently, and gets round the built-in’s permission prompt',
  fix: 'declare it: `"piTools": {"overrides": [{"tool": "bash", "reason": "…"}]}`, or rename the file',
  *find(facts) {
    for (const tool of listTools(facts)) {
      if (tool.name === null || !SLOPCODE_BUILT_INS.has(tool.name)) continue;
      const reason = facts.overrides.get(tool.name);
      const subject = `\`${showText(tool.name)}\` replaces the host’s own tool`;
      if (reason === undefined) yield { ...at(tool), field: 'name', message: `${subject}, which is not declared` };
      else
        yield {
          ...at(tool),
          level: 'info',
          field: 'name',
          message: `${subject}: ${showText(reason, 300)}`,
          hint: null,
        };
    }
  },
};

export const SLOPCODE_RULES: readonly Rule[] = [noTools, notATool, name, override];
