/** The files of a starter package: one small tool that works, passes `check` without a warning, and is easy to change. Pure. */
import type { Agent } from '../../schemas/agents.ts';

export type StarterFile = { path: string; text: string };

export type StarterOptions = {
  packageName: string;
  toolName: string;
  agents: readonly Agent[];
  repository?: string | undefined;
};

/** Files in the order in which they are shown. */
export const starterFiles = (options: StarterOptions): StarterFile[] => {
  const wantsPi = options.agents.includes('pi');
  const wantsTools = options.agents.some((agent) => agent !== 'pi');
  return [
    { path: 'package.json', text: packageJson(options) },
    ...(wantsPi ? [{ path: `${options.toolName}.ts`, text: piExtension(options.toolName) }] : []),
    ...(wantsTools ? [{ path: `tools/${options.toolName}.ts`, text: toolFile(options) }] : []),
    { path: 'count.ts', text: COUNT },
    { path: 'README.md', text: readme(options) },
    { path: '.gitignore', text: 'node_modules/\n*.tgz\n.env\n' },
  ];
};

const packageJson = ({ packageName, toolName, agents, repository }: StarterOptions): string => {
  const tools = { tools: [`./tools/${toolName}.ts`] };
  const json = {
    name: packageName,
    version: '0.1.0',
    description: 'Counts the words, lines and characters of a text.',
    license: 'MIT',
    type: 'module',
    ...(repository === undefined ? {} : { repository }),
    ...(agents.includes('pi') ? { pi: { extensions: [`./${toolName}.ts`] } } : {}),
    ...(agents.includes('slopcode') ? { slopcode: tools } : {}),
    ...(agents.includes('opencode') ? { opencode: tools } : {}),
    piTools: {
      permissions: {},
      examples: [{ tool: toolName, args: { text: 'two words' } }],
    },
    engines: { node: '>=20' },
  };
  return `${JSON.stringify(json, null, 2)}\n`;
};

const COUNT = `export type Counts = { words: number; lines: number; characters: number };

/** Words are runs without white space; an empty text has no line. */
export const countText = (text: string): Counts => ({
  words: text.split(/\\s+/).filter(Boolean).length,
  lines: text === '' ? 0 : text.split('\\n').length,
  characters: [...text].length,
});

export const describeCounts = ({ words, lines, characters }: Counts): string =>
  \`\${words} words, \${lines} lines, \${characters} characters\`;
`;

const piExtension = (toolName: string): string => `import type { ExtensionAPI } from '@earendil-works/pi-coding-agent';
import { Type } from 'typebox';
import { countText, describeCounts } from './count.ts';

export default function extension(pi: ExtensionAPI) {
  pi.registerTool({
    name: '${toolName}',
    label: '${labelOf(toolName)}',
    // The model reads this: say what the tool does and what comes back.
    description: 'Count the words, lines and characters of a text. Returns the three numbers.',
    promptSnippet: 'Count words, lines and characters',
    // Each line names the tool: the model sees the lines of all tools together.
    promptGuidelines: ['Use ${toolName} when the user asks how long a text is.'],
    parameters: Type.Object({
      text: Type.String({ description: 'The text to count' }),
    }),
    async execute(_toolCallId, params) {
      // To report a failure, throw: only a thrown error reaches the model as one.
      const counts = countText(params.text);
      return { content: [{ type: 'text', text: describeCounts(counts) }], details: counts };
    },
  });
}
`;

const toolFile = ({ agents, toolName }: StarterOptions): string => `import { tool } from '${
  agents.includes('slopcode') ? '@slopcode-ai/plugin' : '@opencode-ai/plugin'
}';
import { countText, describeCounts } from '../count.ts';

// The default export is the tool \`${toolName}\`, after the file's name. A named export \`add\` would be \`${toolName}_add\`.
export default tool({
  description: 'Count the words, lines and characters of a text. Returns the three numbers.',
  args: {
    text: tool.schema.string().describe('The text to count'),
  },
  async execute(args) {
    // A result is a string; to report a failure, throw.
    return describeCounts(countText(args.text));
  },
});
`;

const labelOf = (toolName: string): string => {
  const words = toolName.replaceAll('-', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
};

const AGENT_NAMES: Readonly<Record<Agent, string>> = { pi: 'pi', slopcode: 'SlopCode', opencode: 'opencode' };

const readme = ({ packageName, toolName, agents }: StarterOptions): string => `# ${packageName}

A tool for ${agents.map((agent) => AGENT_NAMES[agent]).join(', ')}: \`${toolName}\` counts the words, lines and characters of a text.

## Work on it

\`\`\`sh
pi-tools check              # what a registry would say about it
pi-tools install .          # into the agent on this machine; restart the agent afterwards
pi-tools pack               # the archive, and which files are in it
pi-tools publish            # to your registry
\`\`\`

\`count.ts\` has the logic and imports nothing of an agent, so any test runner can test it:

\`\`\`ts
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { countText } from './count.ts';

test('counts', () => assert.deepEqual(countText('two words'), { words: 2, lines: 1, characters: 9 }));
\`\`\`

What the code needs beyond computing (network hosts, files, programs, environment variables) is declared in
\`package.json\` under \`piTools.permissions\`.
`;
