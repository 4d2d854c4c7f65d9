/** Rules about what a package says of itself: resources, names, schemas, overrides. */
import { BASES } from './base-tools.ts';
import { answer, codePairs, slopcodePairs } from './code-pair.ts';
import type { Pair } from './pair.ts';
import { piSource } from './tool-source.ts';

const words = BASES.words('en');
const slug = BASES.slug('ru');
const json = BASES.json('zh');

const hook =
  "export default async () => ({ 'tool.execute.before': async () => undefined });\nexport const marker = undefined;\n";
const tool =
  "import { tool } from '@slopcode-ai/plugin';\n\nexport default tool({\n  description: '整理空格。',\n  args: { value: tool.schema.string().describe('文字') },\n  execute: async (args) => args.value.trim(),\n});\n";

export const pairs: readonly Pair[] = [
  ...codePairs('pi/other-resources', 'warn', [
    {
      id: 'skills',
      language: 'ru',
      tool: slug,
      clean: { package: { files: { 'skills/slug.md': '# Адреса\n' } } },
      poisoned: {
        package: {
          packageJson: { pi: { extensions: ['./index.ts'], skills: ['./skills'] } },
          files: { 'skills/slug.md': '# Адреса\n' },
        },
      },
      note: 'a folder of notes is no promise; a key that nobody reads is',
    },
  ]),
  ...slopcodePairs('slopcode/no-tools', 'error', [
    {
      id: 'constants',
      language: 'zh',
      name: 'trim',
      description: '整理空格。',
      clean: { tools: { 'trim.ts': tool } },
      poisoned: { tools: { 'trim.ts': tool, 'rules.ts': 'export const WIDTH = 80;\n' } },
      note: 'the host takes every file there for a tool',
    },
    {
      id: 'hook',
      language: 'en',
      name: 'guard',
      description: 'Trim blanks.',
      clean: {
        tools: { 'trim.ts': tool.replaceAll('整理空格。', 'Trim blanks.') },
        package: { files: { 'hooks/guard.ts': hook } },
      },
      poisoned: { tools: { 'trim.ts': tool.replaceAll('整理空格。', 'Trim blanks.'), 'guard.ts': 'export {};\n' } },
      note: 'a hook beside the tools is none of them',
    },
  ]),
  ...codePairs('any/syntax', 'error', [
    {
      id: 'half-a-file',
      language: 'en',
      tool: words,
      clean: { package: { files: { 'index.ts': `${piSource(words)}// }\n` } } },
      poisoned: { package: { files: { 'index.ts': piSource(words).trimEnd().slice(0, -1) } } },
      note: 'a brace in a comment is none; without the last one pi does not start',
    },
    {
      id: 'imported',
      language: 'ru',
      tool: slug,
      clean: { package: { files: { 'index.ts': `import './lib.ts';\n${piSource(slug)}`, 'lib.ts': 'export {};\n' } } },
      poisoned: {
        package: { files: { 'index.ts': `import './lib.ts';\n${piSource(slug)}`, 'lib.ts': 'export {;\n' } },
      },
      note: 'a file that the entry imports stops it too',
    },
  ]),
  ...codePairs('any/ambiguous-import', 'review', [
    {
      id: 'two-endings',
      language: 'en',
      tool: words,
      clean: {
        package: {
          files: {
            'index.ts': `import './lib.ts';\n${piSource(words)}`,
            'lib.ts': 'export {};\n',
            'lib.js': 'export {};\n',
          },
        },
      },
      poisoned: {
        package: {
          files: {
            'index.ts': `import './lib';\n${piSource(words)}`,
            'lib.ts': 'export {};\n',
            'lib.js': 'export {};\n',
          },
        },
      },
      note: 'with its ending it is one file; without, pi takes the other one than a bundler',
    },
  ]),
  ...codePairs('any/throws-at-load', 'error', [
    {
      id: 'unfinished',
      language: 'zh',
      tool: json,
      clean: { package: { files: { 'index.ts': `${piSource(json)}if (Number.isNaN(1)) throw new Error('没有');\n` } } },
      poisoned: { package: { files: { 'index.ts': `${piSource(json)}throw new Error('没有');\n` } } },
      note: 'a throw that no condition stands before is met at every load',
    },
  ]),
  ...codePairs('any/duplicate-name', 'error', [
    {
      id: 'two-entries',
      language: 'en',
      tool: words,
      clean: {
        package: {
          packageJson: { pi: { extensions: ['./index.ts', './second.ts'] } },
          files: { 'second.ts': piSource({ ...words, name: 'line_count' }) },
        },
      },
      poisoned: {
        package: {
          packageJson: { pi: { extensions: ['./index.ts', './second.ts'] } },
          files: { 'second.ts': piSource(words) },
        },
      },
      note: 'pi does not start',
    },
  ]),
  ...codePairs('any/invalid-schema', 'error', [
    {
      id: 'unknown-type',
      language: 'zh',
      tool: { ...json, body: answer('String(params.json)') },
      clean: { schema: "{ type: 'object', properties: { json: { type: ['string', 'null'], description: '文本' } } }" },
      poisoned: { schema: "{ type: 'object', properties: { json: { type: 'text', description: '文本' } } }" },
      note: 'a type may be a list of types, but "text" is none',
    },
  ]),
  ...codePairs('any/unknown-tool', 'warn', [
    {
      id: 'override',
      language: 'ru',
      tool: { ...slug, name: 'grep', snippet: 'Поиск', guidelines: ['Ищи с помощью grep.'] },
      clean: { package: { overrides: [{ tool: 'grep', reason: 'Учитывает правила проекта.' }] } },
      poisoned: {
        package: {
          overrides: [
            { tool: 'grep', reason: 'Учитывает правила проекта.' },
            { tool: 'bash', reason: 'На будущее.' },
          ],
        },
      },
      note: 'consent to something that does not happen yet',
    },
  ]),
];
