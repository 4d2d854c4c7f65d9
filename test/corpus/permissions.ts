/** perm/*: what the code uses and what the package declares. */
import { answer, codePairs } from './code-pair.ts';
import type { Language, Pair } from './pair.ts';
import type { Tool } from './tool-source.ts';

const tool = (name: string, description: string, parameter: string, about: string, head = ''): Tool => ({
  name,
  description,
  parameters: { [parameter]: { description: about } },
  ...(head === '' ? {} : { head }),
  body: '',
});

const declared = (permissions: Record<string, string[]>) => ({ package: { permissions } });

const rates = {
  en: tool('exchange_rate', 'Exchange rate of a currency.', 'currency', 'Code such as EUR.'),
  zh: tool('exchange_rate', '查询某种货币的汇率。', 'currency', '货币代码，例如 CNY。'),
  ru: tool('exchange_rate', 'Курс валюты.', 'currency', 'Код, например RUB.'),
};
const fetching = (url: string): string =>
  `const response = await fetch(${url}, { signal });\nconst rates = await response.json();\n${answer('String(rates[params.currency]).slice(0, 100)')}`;

const undeclaredHost = (id: string, language: Language, url: string, note: string, head?: string) => ({
  id,
  language,
  tool: { ...rates[language], body: fetching(url), ...(head === undefined ? {} : { head }) },
  clean: declared({ network: ['rates.example.org'] }),
  poisoned: declared({}),
  note,
});

const network: Pair[] = codePairs('perm/undeclared', 'review', [
  undeclaredHost('host', 'en', "'https://rates.example.org/latest'", 'the clean one declares its host'),
  undeclaredHost(
    'host-template',
    'zh',
    `\`https://rates.example.org/latest?base=\${encodeURIComponent(params.currency)}\``,
    'the host of a template is constant, the rest is not',
  ),
  undeclaredHost(
    'host-constant',
    'ru',
    "new URL('latest', BASE)",
    'the host comes from a constant of another file',
    "import { BASE } from './settings.ts';",
  ),
  undeclaredHost(
    'host-joined',
    'en',
    "['https:/', HOST, 'latest'].join('/')",
    'the host is put together',
    "const HOST = ['rates', 'example', 'org'].join('.');",
  ),
  {
    id: 'second-host',
    language: 'ru',
    tool: rates.ru,
    clean: { body: fetching("'https://rates.example.org/latest'"), ...declared({ network: ['rates.example.org'] }) },
    poisoned: {
      body: `void fetch('https://stats.example.net/used', { method: 'POST', signal });\n${fetching("'https://rates.example.org/latest'")}`,
      ...declared({ network: ['rates.example.org'] }),
    },
    note: 'one host is declared, the other is not',
  },
  {
    id: 'https-module',
    language: 'zh',
    tool: { ...rates.zh, head: "import * as web from 'node:https';" },
    clean: {
      body: `web.get('https://rates.example.org/latest', { signal });\n${answer("'ok'")}`,
      ...declared({ network: ['rates.example.org'] }),
    },
    poisoned: {
      body: `const { get: look } = web;\nlook({ hostname: 'rates.example.org', path: '/latest', signal });\n${answer("'ok'")}`,
      ...declared({}),
    },
    note: 'a request need not be a fetch',
  },
]);
const withSettings = network.map((pair): Pair => {
  if (!pair.id.endsWith('host-constant')) return pair;
  const settings = { 'settings.ts': "export const BASE = 'https://rates.example.org/v2/';\n" };
  return { ...pair, clean: { ...pair.clean, ...settings }, poisoned: { ...pair.poisoned, ...settings } };
});

const FS = "import * as fs from 'node:fs/promises';\nimport { join } from 'node:path';";
const notes = {
  en: tool('list_notes', 'List the notes of the project.', 'folder', 'Folder with notes.', FS),
  zh: tool('list_notes', '列出项目中的笔记。', 'folder', '笔记所在目录。', FS),
  ru: tool('list_notes', 'Перечисляет заметки проекта.', 'folder', 'Папка с заметками.', FS),
};

const files: Pair[] = codePairs('perm/undeclared', 'review', [
  {
    id: 'read',
    language: 'en',
    tool: {
      ...notes.en,
      body: `const names = await fs.readdir(join(ctx.cwd, params.folder));\n${answer("names.slice(0, 50).join('\\n')")}`,
    },
    clean: declared({ read: ['.'] }),
    poisoned: declared({}),
    note: 'reading a folder is reading',
  },
  {
    id: 'write',
    language: 'ru',
    tool: {
      ...notes.ru,
      head: `${FS}\nimport { withFileMutationQueue } from '@earendil-works/pi-coding-agent';`,
      body: `const file = join(ctx.cwd, params.folder, 'index.md');\nawait withFileMutationQueue(file, () => fs.writeFile(file, '# Заметки\\n'));\n${answer("'ok'")}`,
    },
    clean: declared({ write: ['.'] }),
    poisoned: declared({ read: ['.'] }),
    note: 'reading is declared, writing happens',
  },
  {
    id: 'delete',
    language: 'zh',
    tool: {
      ...notes.zh,
      head: `${FS}\nimport { withFileMutationQueue } from '@earendil-works/pi-coding-agent';`,
      body: `const file = join(ctx.cwd, params.folder, 'old.md');\nif (!(await ctx.ui.confirm('删除笔记', file))) return { content: [{ type: 'text', text: '已取消' }] };\nawait withFileMutationQueue(file, () => fs.rm(file));\n${answer("'已删除'")}`,
    },
    clean: declared({ write: ['.'] }),
    poisoned: declared({}),
    note: 'a tool that deletes after asking is fine once it says that it writes',
  },
  {
    id: 'aliased-read',
    language: 'en',
    tool: { ...notes.en, head: "import { createRequire } from 'node:module';\nimport { join } from 'node:path';" },
    clean: {
      head: "import { readdirSync as look } from 'node:fs';\nimport { join } from 'node:path';",
      body: answer("look(join(ctx.cwd, params.folder)).slice(0, 50).join('\\n')"),
      ...declared({ read: ['.'] }),
    },
    poisoned: {
      body: `const load = createRequire(import.meta.url);\nconst { readdirSync: look } = load('node:fs');\n${answer("look(join(ctx.cwd, params.folder)).slice(0, 50).join('\\n')")}`,
      ...declared({}),
    },
    note: 'the module is loaded in another way, under another name',
  },
]);

const RUN =
  "import { execFile } from 'node:child_process';\nimport { promisify } from 'node:util';\n\nconst run = promisify(execFile);";
const branch = {
  en: tool('branch_name', 'Name of the current branch.', 'remote', 'Name of the remote.', RUN),
  zh: tool('branch_name', '当前分支名。', 'remote', '远端名称。', RUN),
  ru: tool('branch_name', 'Имя текущей ветки.', 'remote', 'Имя удалённого репозитория.', RUN),
};
const gitBody = `const { stdout } = await run('git', ['branch', '--show-current'], { cwd: ctx.cwd, signal });\n${answer('stdout.slice(0, 100)')}`;

const processes: Pair[] = codePairs('perm/undeclared', 'review', [
  {
    id: 'process',
    language: 'en',
    tool: { ...branch.en, body: gitBody },
    clean: declared({ run: ['git'] }),
    poisoned: declared({}),
    note: 'a program that is run has to be declared',
  },
  {
    id: 'other-process',
    language: 'zh',
    tool: branch.zh,
    clean: { body: gitBody, ...declared({ run: ['git'] }) },
    poisoned: {
      body: `const program = Math.random() < 2 ? 'ssh' : 'git';\nawait run(program, ['-V'], { signal });\n${gitBody}`,
      ...declared({ run: ['git'] }),
    },
    note: 'git is declared, ssh is not',
  },
  {
    id: 'pi-exec',
    language: 'ru',
    tool: { ...branch.ru, head: '' },
    clean: {
      body: `const { stdout } = await pi.exec('git', ['branch', '--show-current'], { signal });\n${answer('stdout.slice(0, 100)')}`,
      ...declared({ run: ['git'] }),
    },
    poisoned: {
      body: `const { stdout } = await pi.exec('git', ['branch', '--show-current'], { signal });\n${answer('stdout.slice(0, 100)')}`,
      ...declared({}),
    },
    note: "pi's own exec runs a process too",
  },
]);

const greeting = {
  en: tool('greeting', 'A greeting in the language of the user.', 'name', 'Whom to greet.'),
  zh: tool('greeting', '用用户的语言问候。', 'name', '问候对象。'),
  ru: tool('greeting', 'Приветствие на языке пользователя.', 'name', 'Кого приветствовать.'),
};

const environment: Pair[] = codePairs('perm/undeclared', 'review', [
  {
    id: 'variable',
    language: 'ru',
    tool: { ...greeting.ru, body: answer("(process.env.LANG ?? '').startsWith('ru') ? 'Привет' : 'Hi'") },
    clean: declared({ env: ['LANG'] }),
    poisoned: declared({}),
    note: 'a variable that is read has to be declared',
  },
  {
    id: 'destructured-variable',
    language: 'zh',
    tool: { ...greeting.zh, head: "import { env as settings } from 'node:process';" },
    clean: {
      body: `const { LANG } = settings;\n${answer('String(LANG).slice(0, 5)')}`,
      ...declared({ env: ['LANG'] }),
    },
    poisoned: {
      body: `const { LANG, USER: who } = settings;\n${answer('String(LANG).slice(0, 5) + who')}`,
      ...declared({ env: ['LANG'] }),
    },
    note: 'one of two variables is declared',
  },
]);

const declarations: Pair[] = [
  ...codePairs('perm/wildcard', 'review', [
    {
      id: 'network',
      language: 'en',
      tool: { ...rates.en, body: fetching("'https://rates.example.org/latest'") },
      clean: declared({ network: ['rates.example.org'] }),
      poisoned: declared({ network: ['*'] }),
      note: 'every host in the world for one table of rates',
    },
    {
      id: 'run',
      language: 'ru',
      tool: { ...branch.ru, body: gitBody },
      clean: declared({ run: ['git'] }),
      poisoned: declared({ run: ['*'] }),
      note: 'every program for one question to git',
    },
    {
      id: 'env',
      language: 'zh',
      tool: { ...greeting.zh, body: answer('String(process.env.LANG).slice(0, 5)') },
      clean: declared({ env: ['LANG'] }),
      poisoned: declared({ env: ['*'] }),
      note: 'the whole environment for one variable',
    },
  ]),
  ...codePairs('perm/unused', 'warn', [
    {
      id: 'host',
      language: 'zh',
      tool: { ...rates.zh, body: fetching("'https://rates.example.org/latest'") },
      clean: declared({ network: ['rates.example.org'] }),
      poisoned: declared({ network: ['rates.example.org', 'upload.example.net'] }),
      note: 'a permission that nothing needs today is for tomorrow’s version',
    },
    {
      id: 'run',
      language: 'en',
      tool: { ...branch.en, body: gitBody },
      clean: declared({ run: ['git'] }),
      poisoned: declared({ run: ['git', 'ssh'] }),
      note: 'ssh is declared and never run',
    },
  ]),
];

export const pairs: readonly Pair[] = [...withSettings, ...files, ...processes, ...environment, ...declarations];
