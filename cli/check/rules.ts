/** The rules as data for people: what `check --rules` lists and docs/checks.md is made from. */
import type { Level } from '../../schemas/common.ts';
import type { Rule } from '../../tool-package/check/index.ts';

export type RuleRow = { id: string; level: Level; what: string; why: string; fix: string };

/** A rule without its function. */
export const ruleRow = ({ id, level, what, why, fix }: Rule): RuleRow => ({ id, level, what, why, fix });

/** What is before the slash of an id, in the order of the rules. */
export const groupsOf = (rules: readonly RuleRow[]): [group: string, rules: RuleRow[]][] => {
  const groups = new Map<string, RuleRow[]>();
  for (const rule of rules) {
    const group = rule.id.split('/', 1)[0] ?? '';
    groups.set(group, [...(groups.get(group) ?? []), rule]);
  }
  return [...groups];
};

const TITLES: ReadonlyMap<string, string> = new Map([
  ['pi', 'What pi loads'],
  ['slopcode', 'What SlopCode and opencode load'],
  ['any', 'All agents'],
  ['inspect', 'What could not be read'],
  ['text', 'Text that the model reads'],
  ['cost', 'Cost'],
  ['perm', 'Permissions'],
  ['code', 'Code'],
  ['supply', 'The package'],
  ['change', 'Next to the version before'],
]);

export const groupTitle = (group: string): string => TITLES.get(group) ?? group;

const HEAD = `# Checks

<!-- Made from the rules in tool-package/check/ by \`npm run docs:rules\`: change them there. -->

One set of rules for \`pi-tools check\`, \`publish\`, the registry, and \`install\` of a path: what one takes, all take. \`pi-tools check --rules\` lists them
(\`--json\` too), \`check --sarif FILE\` writes the findings for CI, \`check --fix\` writes missing permissions and mechanical changes of schemas.

| level  |                                                |
| ------ | ---------------------------------------------- |
| error  | the package cannot work, or is unsafe: refused |
| review | listed only after a curator says so            |
| warn   | works, with a flaw; \`check --strict\` fails     |
| info   | told, nothing to do                            |

The level is the one that a finding has unless its rule says otherwise of a case. What could not be looked at is \`review\`, never clean. A finding names
agent, tool, field, file and line; text of the package is escaped in it.
`;

/** In a table or a paragraph of Markdown, outside of code. */
const plain = (text: string): string =>
  text
    .split(/(`[^`]*`)/)
    .map((part) => (part.startsWith('`') ? part : part.replace(/[<>*_|[\]]/g, '\\$&')))
    .join('');

const sentence = (text: string): string => `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;

const ruleText = ({ id, level, what, why, fix }: RuleRow): string =>
  [`### ${id}`, `**${level}** · ${sentence(plain(what))}`, `- Why: ${plain(why)}.\n- Fix: ${plain(fix)}.`].join('\n\n');

/** The text of docs/checks.md. */
export const rulesPage = (rules: readonly RuleRow[]): string => {
  const groups = groupsOf(rules).map(([group, rows]) =>
    [`## ${groupTitle(group)}`, ...rows.map(ruleText)].join('\n\n'),
  );
  return `${[HEAD.trimEnd(), ...groups].join('\n\n')}\n`;
};
