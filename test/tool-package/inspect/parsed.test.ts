/** What evaluation cannot read is looked for in the text. */
import { describe, expect, it } from 'vitest';
import { fillFromSources } from '../../../tool-package/inspect/parsed.ts';
import { type Files, inspectFiles } from './inspect-files.ts';

const inspect = async (files: Files, agent: 'pi' | 'slopcode' = 'pi') => {
  const inspection = await inspectFiles(files, Object.keys(files)[0], agent);
  const sources = new Map(Object.entries(files).map(([path, text]) => [path, Buffer.from(text)]));
  return fillFromSources([inspection], sources)[0]!;
};

describe('an entry that cannot be evaluated', () => {
  it.each([
    ['a literal', "description: 'From the text'", {}, 'From the text'],
    ['a template', 'description: `From ${PLACE}`', {}, 'From the text'],
    ['concatenation', "description: 'From ' + PLACE", {}, 'From the text'],
    ['a constant of another file', 'description: OTHER', {}, 'other'],
  ])('%s', async (_case, field, _more, expected) => {
    const source = `import { OTHER } from './other.ts';\nconst PLACE = 'the text';\nexport default (pi) => {\n  throw new Error('needs a database');\n  pi.registerTool({ name: 'stored', ${field}, promptGuidelines: ['Use stored'], parameters: { type: 'object', properties: {} }, execute() {} });\n};`;
    const { tools, problem } = await inspect({ 'index.ts': source, 'other.ts': "export const OTHER = 'other';" });
    expect(problem?.kind).toBe('throws');
    expect(tools).toMatchObject([
      {
        name: 'stored',
        description: expected,
        promptGuidelines: ['Use stored'],
        parameters: { type: 'object', properties: {} },
        line: 5,
        origin: { name: 'parsed', description: 'parsed', parameters: 'parsed' },
        unread: [],
      },
    ]);
  });

  it('what the text does not say stays unread', async () => {
    const source =
      "import { words } from 'words';\nexport default (pi) => { throw 1; pi.registerTool({ name: 'x', description: words.d, parameters: words.p }); };";
    const { tools } = await inspect({ 'index.ts': source });
    expect(tools[0]).toMatchObject({ name: 'x', description: null, parameters: null });
    expect(tools[0]?.unread.map((each) => each.field)).toEqual(['description', 'parameters']);
  });

  it('a tool file', async () => {
    const source =
      "import { tool } from '@slopcode-ai/plugin';\nthrow new Error('no');\nexport const add = tool({ description: 'Adds', args: {}, execute: async () => '' });\nexport default { description: 'Main', args: {}, execute() {} };";
    const { tools } = await inspect({ 'math.ts': source }, 'slopcode');
    expect(tools.map((tool) => [tool.name, tool.description, tool.origin.description])).toEqual([
      ['math_add', 'Adds', 'parsed'],
      ['math', 'Main', 'parsed'],
    ]);
  });
});

describe('a field that evaluation left unread', () => {
  it('is filled where the text knows it, and the others are left alone', async () => {
    const source =
      "import { wrap } from 'wrapper';\nexport default (pi) => {\n  const d = 'Known';\n  pi.registerTool({ name: 'x', description: 'kept', label: wrap(d), parameters: {}, execute() {} });\n};";
    const { tools } = await inspect({ 'index.ts': source });
    expect(tools[0]).toMatchObject({ description: 'kept', label: null, origin: { description: 'evaluated' } });
    expect(tools[0]?.unread).toEqual([{ field: 'label', from: 'wrapper wrap' }]);
  });

  it('is never filled behind a spread of something unknown', async () => {
    const source =
      "import { base } from 'wrapper';\nexport default (pi) => pi.registerTool({ name: 'x', description: 'mine', ...base, parameters: {}, execute() {} });";
    const { tools } = await inspect({ 'index.ts': source });
    expect(tools[0]?.description).toBeNull();
    expect(tools[0]?.unread.map((each) => each.field)).toContain('description');
    expect(tools[0]?.unread.map((each) => each.field)).not.toContain('parameters');
  });
});
