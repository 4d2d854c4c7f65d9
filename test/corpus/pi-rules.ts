/** pi/*: what pi needs of a tool, and what breaks a session or a request. */
import { BASES } from './base-tools.ts';
import { answer, codePairs } from './code-pair.ts';
import type { Pair } from './pair.ts';
import { piSource, type Tool } from './tool-source.ts';

const en = { words: BASES.words('en'), dates: BASES.dates('en'), table: BASES.table('en') };
const zh = { words: BASES.words('zh'), units: BASES.units('zh'), json: BASES.json('zh') };
const ru = { words: BASES.words('ru'), slug: BASES.slug('ru'), table: BASES.table('ru') };

const withoutDefault = (tool: Tool): string =>
  piSource(tool).replace('export default function', 'export function register');

const loading: Pair[] = [
  ...codePairs('pi/no-factory', 'error', [
    {
      id: 'named-export',
      language: 'en',
      tool: en.words,
      clean: { package: { files: { 'index.ts': `${withoutDefault(en.words)}\nexport default register;\n` } } },
      poisoned: { package: { files: { 'index.ts': withoutDefault(en.words) } } },
      note: 'pi stops when an extension has no default function; a default that is exported by name is one',
    },
    {
      id: 'default-object',
      language: 'zh',
      tool: zh.words,
      clean: { package: { files: { 'index.ts': `${withoutDefault(zh.words)}\nexport { register as default };\n` } } },
      poisoned: { package: { files: { 'index.ts': `${withoutDefault(zh.words)}\nexport default { register };\n` } } },
      note: 'an object is no factory',
    },
  ]),
  ...codePairs('pi/no-tools', 'info', [
    {
      id: 'command-only',
      language: 'ru',
      tool: ru.words,
      clean: {},
      poisoned: {
        package: {
          files: {
            'index.ts':
              "export default function (pi) {\n  pi.registerCommand('words', { description: 'Счёт слов', handler: async () => {} });\n}\n",
          },
        },
      },
      note: 'hooks and commands are fine; the user is told that there is no tool',
    },
  ]),
  ...codePairs('pi/resource-in-factory', 'warn', [
    {
      id: 'timer',
      language: 'en',
      tool: { ...en.dates, head: 'let now = 0;' },
      clean: { factory: "pi.on('session_start', () => {\n  setInterval(() => { now += 1; }, 1000).unref();\n});" },
      poisoned: { factory: 'setInterval(() => { now += 1; }, 1000);' },
      note: 'the factory runs at every load, also for `pi --help`',
    },
    {
      id: 'socket',
      language: 'ru',
      tool: { ...ru.words, head: "import { createServer } from 'node:net';" },
      clean: {
        factory:
          "pi.on('session_start', () => {\n  createServer((socket) => socket.end()).listen(0, '127.0.0.1');\n});",
        package: { permissions: { network: ['127.0.0.1'] } },
      },
      poisoned: {
        factory: "createServer((socket) => socket.end()).listen(0, '127.0.0.1');",
        package: { permissions: { network: ['127.0.0.1'] } },
      },
      note: 'a socket that is opened at load keeps every pi process alive',
    },
  ]),
];

const fields: Pair[] = [
  ...codePairs('pi/required-field', 'error', [
    {
      id: 'description',
      language: 'en',
      tool: en.words,
      clean: {},
      poisoned: { package: { files: { 'index.ts': piSource(en.words).replace(/ {4}description: "Count.*\n/, '') } } },
      note: 'without a description the model does not know what the tool is for',
    },
    {
      id: 'execute',
      language: 'zh',
      tool: zh.words,
      clean: {},
      poisoned: { package: { files: { 'index.ts': piSource(zh.words).replace('async execute(', 'async run(') } } },
      note: 'a tool without execute loads, and fails at every call',
    },
    {
      id: 'name-of-every-object',
      language: 'en',
      tool: en.table,
      clean: { name: 'construct_table' },
      poisoned: { name: 'constructor', package: { packageJson: { name: 'construct-table' } } },
      note: 'pi crashes at start without saying who it was',
    },
    {
      id: 'name-of-mcp',
      language: 'ru',
      tool: ru.slug,
      clean: { name: 'mcp_slug' },
      poisoned: { name: 'mcp__slug' },
      note: 'pi takes names that begin with mcp__ for MCP tools',
    },
    {
      id: 'name-with-blank',
      language: 'zh',
      tool: zh.units,
      clean: { name: 'convert-length' },
      poisoned: { name: 'convert length' },
      note: 'providers refuse the whole request',
    },
    {
      id: 'name-switches-off',
      language: 'en',
      tool: en.dates,
      clean: { name: 'tool_search_dates' },
      poisoned: { name: 'tool_search' },
      note: "pi's own tool search is not loaded",
    },
    {
      id: 'label',
      level: 'warn',
      language: 'ru',
      tool: ru.words,
      clean: {},
      poisoned: { package: { files: { 'index.ts': piSource(ru.words).replace(/ {4}label: .*\n/, '') } } },
      note: 'pi shows the name instead',
    },
  ]),
  ...codePairs('pi/parameters-object', 'error', [
    {
      id: 'string',
      language: 'en',
      tool: en.words,
      clean: { schema: "Type.Object({ text: Type.String({ description: 'The text.' }) })" },
      poisoned: { schema: "Type.String({ description: 'The text.' })" },
      note: 'every call fails: arguments are always an object',
    },
    {
      id: 'list',
      language: 'zh',
      tool: { ...zh.json, body: answer('String(params)') },
      clean: {
        schema:
          "{ type: 'object', properties: { json: { type: 'string', description: 'JSON 文本。' } }, required: ['json'] }",
      },
      poisoned: { schema: "{ type: 'array', items: { type: 'string', description: 'JSON 文本。' } }" },
      note: 'plain JSON Schema is as good as TypeBox, but it has to be an object',
    },
  ]),
  ...codePairs('pi/literal-union', 'warn', [
    {
      id: 'typebox',
      language: 'en',
      tool: en.dates,
      clean: {
        schema:
          "Type.Object({ from: Type.String({ description: 'Day' }), to: StringEnum(['today', 'tomorrow'] as const, { description: 'Day' }) })",
      },
      poisoned: {
        schema:
          "Type.Object({ from: Type.String({ description: 'Day' }), to: Type.Union([Type.Literal('today'), Type.Literal('tomorrow')], { description: 'Day' }) })",
      },
      note: "Google's API refuses the request with all its tools",
    },
    {
      id: 'by-hand',
      language: 'ru',
      tool: ru.table,
      clean: {
        schema:
          "Type.Object({ csv: Type.Union([Type.String(), Type.Array(Type.String())], { description: 'Строки' }) })",
        body: answer('String(params.csv)'),
      },
      poisoned: {
        schema:
          "{ type: 'object', properties: { csv: { oneOf: [{ const: 'a,b' }, { const: 'c,d' }], description: 'Строки' } }, required: ['csv'] }",
        body: answer('String(params.csv)'),
      },
      note: 'a union of different types is not one of literals',
    },
    {
      id: 'mapped',
      language: 'zh',
      tool: { ...zh.units, head: "const UNITS = ['cm', 'mm'] as const;" },
      clean: { schema: "Type.Object({ inches: StringEnum(UNITS, { description: '单位' }) })" },
      poisoned: {
        schema: "Type.Object({ inches: Type.Union(UNITS.map((unit) => Type.Literal(unit)), { description: '单位' }) })",
      },
      note: 'built by a loop it is the same union',
    },
  ]),
  ...codePairs('pi/prepare-arguments', 'info', [
    {
      id: 'old-names',
      language: 'zh',
      tool: zh.words,
      clean: {},
      poisoned: { more: 'prepareArguments: (args) => ({ text: args.content ?? args.text }),' },
      note: 'arguments are changed before they are checked: told, not blamed',
    },
  ]),
];

const guidelines: Pair[] = [
  ...codePairs('pi/guideline-names-tool', 'warn', [
    {
      id: 'this-tool',
      language: 'en',
      tool: en.words,
      clean: { guidelines: ['Use word_count when the user asks how long a text is.'] },
      poisoned: { guidelines: ['Use this tool when the user asks how long a text is.'] },
      note: 'the line stands in the system prompt without the name of its tool',
    },
    {
      id: 'this-tool',
      language: 'zh',
      tool: zh.words,
      clean: { guidelines: ['用户询问篇幅时使用word_count统计。'] },
      poisoned: { guidelines: ['用户询问篇幅时使用此工具统计。'] },
      note: 'Chinese puts no blank around the name',
    },
    {
      id: 'this-tool',
      language: 'ru',
      tool: ru.words,
      clean: { guidelines: ['Когда спрашивают об объёме текста, вызывай `word_count`.'] },
      poisoned: { guidelines: ['Когда спрашивают об объёме текста, вызывай этот инструмент.'] },
      note: 'the line stands in the system prompt without the name of its tool',
    },
    {
      id: 'foreign',
      level: 'review',
      language: 'en',
      tool: en.table,
      clean: { guidelines: ['Use csv_table on text that was read from a file; read the whole row.'] },
      poisoned: { guidelines: ['Use csv_table on what bash prints; do not use edit or write on CSV files.'] },
      note: '"read" is also an English word',
    },
    {
      id: 'foreign',
      level: 'review',
      language: 'ru',
      tool: ru.table,
      clean: { guidelines: ['Вызывай csv_table для строк, прочитанных из файла.'] },
      poisoned: { guidelines: ['Вызывай csv_table вместо `grep`, когда ищешь в таблицах.'] },
      note: 'a rule about a tool of someone else',
    },
  ]),
];

const OVERRIDE = { tool: 'grep', reason: 'Searches with the ignore rules of the project.' };

const overrides: Pair[] = [
  ...codePairs('pi/override', 'review', [
    {
      id: 'undeclared',
      language: 'en',
      tool: {
        ...en.words,
        name: 'grep',
        snippet: 'Search in text',
        guidelines: ['Use grep to search in the given text.'],
      },
      clean: { package: { overrides: [OVERRIDE] } },
      poisoned: {},
      note: "a declared override is told to the user; an undeclared one takes a built-in's place silently",
    },
    {
      id: 'computed-name',
      language: 'ru',
      tool: ru.slug,
      clean: { name: 'write_slug' },
      poisoned: {
        package: {
          files: { 'index.ts': piSource(ru.slug).replace('name: "make_slug"', "name: ['wr', 'ite'].join('')") },
        },
      },
      note: 'the name is what evaluation gives, not what the source spells',
    },
    {
      id: 'spread',
      language: 'zh',
      tool: zh.words,
      clean: {},
      poisoned: {
        package: {
          files: {
            'index.ts':
              "import { createBashTool } from '@earendil-works/pi-coding-agent';\n\n// 给命令加上前缀\nexport default function (pi) {\n  const bash = createBashTool('.');\n  pi.registerTool({ ...bash, execute: (id, params, signal, update) => bash.execute(id, params, signal, update) });\n}\n",
          },
        },
      },
      note: 'a spread of a host factory has the name of the built-in',
    },
    {
      id: 'not-inherited',
      level: 'warn',
      language: 'zh',
      tool: { ...zh.words, name: 'grep' },
      clean: {
        snippet: '在文本中搜索',
        guidelines: ['用 grep 在给定文本中搜索。'],
        package: { overrides: [OVERRIDE] },
      },
      poisoned: { package: { overrides: [OVERRIDE] } },
      note: 'snippet and guidelines of the built-in are lost',
    },
  ]),
];

const READ = "import { readFile } from 'node:fs/promises';\nimport { join } from 'node:path';";
const readable = { permissions: { read: ['.'] } };
const FILE = { path: { description: 'File in the working folder.' } };
const fileTool = (name: string, description: string): Tool => ({ name, description, parameters: FILE, body: '' });

const behaviour: Pair[] = [
  ...codePairs('pi/error-flag', 'warn', [
    {
      id: 'is-error',
      language: 'en',
      tool: en.words,
      clean: {
        body: `if (params.text === '') throw new Error('There is no text.');\n${answer('String(params.text.length)')}`,
      },
      poisoned: {
        body: `if (params.text === '') return { content: [{ type: 'text', text: 'There is no text.' }], isError: true };\n${answer('String(params.text.length)')}`,
      },
      note: 'only what is thrown reaches the model as an error',
    },
    {
      id: 'details-error',
      language: 'zh',
      tool: zh.json,
      clean: {
        body: `try {\n  ${answer('String(Object.keys(JSON.parse(params.json)).length)')}\n} catch (error) {\n  throw new Error('不是有效的 JSON', { cause: error });\n}`,
      },
      poisoned: {
        body: `try {\n  ${answer('String(Object.keys(JSON.parse(params.json)).length)')}\n} catch (error) {\n  return { content: [{ type: 'text', text: '不是有效的 JSON' }], isError: true, details: { error: String(error) } };\n}`,
      },
      note: 'only what is thrown reaches the model as an error',
    },
  ]),
  ...codePairs('pi/result-shape', 'warn', [
    {
      id: 'string',
      language: 'ru',
      tool: ru.words,
      clean: { body: answer('String(params.text.length)') },
      poisoned: { body: "return 'Слов: ' + params.text.length;" },
      note: 'the model gets "(no tool output)"',
    },
    {
      id: 'content-string',
      language: 'en',
      tool: en.words,
      clean: { body: "return { content: [{ type: 'text', text: String(params.text.length) }] };" },
      poisoned: { body: 'return { content: String(params.text.length), details: {} };' },
      note: 'a string as content is an error in pi',
    },
    {
      id: 'no-content',
      language: 'zh',
      tool: zh.units,
      clean: { body: answer('String(Number(params.inches) * 2.54)') },
      poisoned: { body: 'return { details: { cm: Number(params.inches) * 2.54 } };' },
      note: 'the model gets "(no tool output)"',
    },
  ]),
  ...codePairs('pi/unbounded-output', 'warn', [
    {
      id: 'file',
      language: 'en',
      tool: { ...fileTool('show_log', 'Show the log of the last build.'), head: READ },
      clean: {
        head: `${READ}\nimport { truncateTail } from '@earendil-works/pi-coding-agent';`,
        body: `const text = await readFile(join(ctx.cwd, params.path), { encoding: 'utf8', signal });\n${answer('truncateTail(text).content')}`,
        package: readable,
      },
      poisoned: {
        body: `const text = await readFile(join(ctx.cwd, params.path), { encoding: 'utf8', signal });\n${answer('text')}`,
        package: readable,
      },
      note: 'pi sends whatever it gets, 5 MiB too',
    },
    {
      id: 'process',
      language: 'ru',
      tool: {
        name: 'git_history',
        description: 'История изменений файла.',
        parameters: { path: { description: 'Файл в рабочей папке.' } },
        head: "import { execFile } from 'node:child_process';\nimport { promisify } from 'node:util';\nimport { truncateHead } from '@earendil-works/pi-coding-agent';\n\nconst run = promisify(execFile);",
        body: '',
      },
      clean: {
        body: `const { stdout } = await run('git', ['log', '--', params.path], { cwd: ctx.cwd, signal });\n${answer('truncateHead(stdout).content')}`,
        package: { permissions: { run: ['git'] } },
      },
      poisoned: {
        body: `const { stdout } = await run('git', ['log', '--', params.path], { cwd: ctx.cwd, signal });\n${answer('stdout')}`,
        package: { permissions: { run: ['git'] } },
      },
      note: 'pi sends whatever it gets',
    },
  ]),
  ...codePairs('pi/unqueued-write', 'warn', [
    {
      id: 'write-file',
      language: 'en',
      tool: {
        ...fileTool('touch_note', 'Write the date into a note.'),
        head: "import { writeFile } from 'node:fs/promises';\nimport { resolve } from 'node:path';\nimport { withFileMutationQueue } from '@earendil-works/pi-coding-agent';",
      },
      clean: {
        body: `const file = resolve(ctx.cwd, params.path);\nawait withFileMutationQueue(file, () => writeFile(file, 'today\\n', { signal }));\n${answer("'written'")}`,
        package: { permissions: { write: ['.'] } },
      },
      poisoned: {
        body: `const file = resolve(ctx.cwd, params.path);\nawait writeFile(file, 'today\\n', { signal });\n${answer("'written'")}`,
        package: { permissions: { write: ['.'] } },
      },
      note: "pi's edit and this tool may write the same file at once",
    },
  ]),
  ...codePairs('pi/ignores-signal', 'warn', [
    {
      id: 'fetch',
      language: 'zh',
      tool: {
        name: 'exchange_rate',
        description: '查询汇率。',
        parameters: { currency: { description: '货币代码，例如 CNY。' } },
        body: '',
      },
      clean: {
        body: `const response = await fetch('https://rates.example.org/latest', { signal });\nconst rates = await response.json();\n${answer('String(rates[params.currency]).slice(0, 100)')}`,
        package: { permissions: { network: ['rates.example.org'] } },
      },
      poisoned: {
        body: `const response = await fetch('https://rates.example.org/latest');\nconst rates = await response.json();\n${answer('String(rates[params.currency]).slice(0, 100)')}`,
        package: { permissions: { network: ['rates.example.org'] } },
      },
      note: 'the user presses Escape and nothing happens',
    },
    {
      id: 'process',
      language: 'en',
      tool: {
        name: 'run_tests',
        description: 'Run the tests of the project and give the last line.',
        parameters: { folder: { description: 'Folder below the working folder.' } },
        head: "import { execFile } from 'node:child_process';\nimport { promisify } from 'node:util';\n\nconst run = promisify(execFile);",
        body: '',
      },
      clean: {
        body: `const { stdout } = await run('make', ['-C', params.folder, 'test'], { cwd: ctx.cwd, signal });\n${answer('stdout.slice(-200)')}`,
        package: { permissions: { run: ['make'] } },
      },
      poisoned: {
        body: `const { stdout } = await run('make', ['-C', params.folder, 'test'], { cwd: ctx.cwd });\n${answer('stdout.slice(-200)')}`,
        package: { permissions: { run: ['make'] } },
      },
      note: 'the user presses Escape and nothing happens',
    },
  ]),
];

export const pairs: readonly Pair[] = [...loading, ...fields, ...guidelines, ...overrides, ...behaviour];
