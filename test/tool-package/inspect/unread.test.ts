/** Values that passed through something inert are unread; nothing inert, and nothing of the machine, is ever in a result. */
import { homedir, hostname, tmpdir, userInfo } from 'node:os';
import { describe, expect, it } from 'vitest';
import { inspectFiles } from './inspect-files.ts';

const extension = (fields: string, top = '') => `
import { Type } from 'typebox';
${top}
export default (pi) => pi.registerTool({ name: 't', description: 'd', parameters: Type.Object({}), execute() {}, ${fields} });`;

const first = async (source: string, more: Record<string, string> = {}) => {
  const inspection = await inspectFiles({ 'index.ts': source, ...more });
  expect(inspection.problem).toBeNull();
  return inspection.tools[0]!;
};

describe('a value from something inert is unread, and says what from', () => {
  it.each([
    [
      'a file of the machine',
      'description',
      "import fs from 'node:fs';",
      'description: fs.readFileSync("/etc/motd", "utf8")',
      'node:fs',
    ],
    [
      'in a template',
      'description',
      "import { execSync } from 'node:child_process';",
      'description: `At ${execSync("git rev-parse HEAD")}`',
      'node:child_process execSync',
    ],
    ['concatenated', 'description', "import ms from 'ms';", 'description: "in " + ms("1h")', 'ms'],
    [
      'through JSON.parse',
      'description',
      "import { readFile } from 'node:fs/promises'; const c = JSON.parse(await readFile('/x.json', 'utf8'));",
      'description: c.text',
      'node:fs',
    ],
    ['through JSON.stringify', 'description', "import x from 'x';", 'description: JSON.stringify({ a: x.y })', 'x y'],
    [
      'cut, upper-cased and split',
      'description',
      "import x from 'x';",
      'description: `abc ${x.y} def`.toUpperCase().split(" ").slice(0, 2).join("-").slice(0, 5)',
      '',
    ],
    ['in a list', 'promptGuidelines', "import x from 'x';", 'promptGuidelines: ["fine", x.line]', 'x line'],
    ['a spread list', 'promptGuidelines', "import x from 'x';", 'promptGuidelines: [...x.lines]', 'x lines'],
    ['a whole schema', 'parameters', "import { S } from 'x';", 'parameters: S', 'x S'],
    [
      'deep in a schema',
      'parameters',
      "import { words } from 'x';",
      'parameters: Type.Object({ a: Type.String({ enum: words }) })',
      'x words',
    ],
    [
      'an argument’s name',
      'parameters',
      "import { key } from 'x';",
      'parameters: Type.Object({ [key]: Type.String() })',
      'x key',
    ],
    [
      'a number',
      'parameters',
      "import { n } from 'x';",
      'parameters: Type.Object({ a: Type.Number({ maximum: n * 2 }) })',
      '',
    ],
    [
      'a network answer',
      'description',
      'const r = await fetch("https://example.com"); const j = await r.json();',
      'description: j.description',
      'fetch',
    ],
    ['the name itself', 'name', "import { n } from 'x';", 'name: n', 'x n'],
    ['the host', 'label', '', 'label: pi.getThing().name', 'pi getThing'],
  ])('%s', async (_case, field, top, fields, from) => {
    const tool = await first(extension(fields, top));
    expect(tool.unread.map((each) => each.field)).toEqual([field]);
    expect(tool.unread[0]?.from).toContain(from);
    expect(tool[field as 'name'] ?? null).toEqual(field === 'promptGuidelines' ? [] : null);
    expect(tool.origin).not.toHaveProperty(field);
    expect(JSON.stringify(tool)).not.toMatch(/[\uf5a0-\uf5af]/);
  });

  it('all fields of a definition that is inert, and what is missing where one was spread', async () => {
    const whole = await first("import { tool } from 'x'; export default (pi) => pi.registerTool(tool);");
    expect(whole.unread.map((each) => each.field)).toEqual([
      'name',
      'label',
      'description',
      'promptSnippet',
      'promptGuidelines',
      'parameters',
    ]);
    const spread = await first(
      "import { tool } from 'x'; export default (pi) => pi.registerTool({ ...tool, name: 't' });",
    );
    expect(spread.name).toBe('t');
    expect(spread.unread.map((each) => each.field)).toContain('description');
  });

  it('a tool per file of a folder is seen, if not read', async () => {
    const source =
      "import { readdirSync } from 'node:fs'; import { Type } from 'typebox'; export default (pi) => { for (const f of readdirSync('/tools')) pi.registerTool({ name: f.replace('.json', ''), description: 'd', parameters: Type.Object({}), execute() {} }); };";
    expect((await first(source)).unread.map((each) => each.field)).toEqual(['name']);
    const each = await first(
      source
        .replace("for (const f of readdirSync('/tools')) ", "readdirSync('/tools').forEach((f) => ")
        .replace('execute() {} });', 'execute() {} }));'),
    );
    expect(each.unread.map((one) => one.field)).toEqual(['name']);
  });

  it('an inert factory is not analysed', async () => {
    const inspection = await inspectFiles({ 'index.ts': "export { default } from 'some-package';" });
    expect(inspection.problem).toMatchObject({ kind: 'not-analysed' });
  });

  it('a class that extends an inert one keeps its own members', async () => {
    const tool = await first(
      "import { Base } from 'x'; class T extends Base { name = 't'; description = 'own'; parameters = { type: 'object' }; execute() {} } export default (pi) => pi.registerTool(new T());",
    );
    expect(tool).toMatchObject({ name: 't', description: 'own', execute: true });
  });
});

describe('what is fixed', () => {
  it('no path, variable or clock of the machine gets in', async () => {
    process.env.PI_TOOLS_TEST_SECRET = 'do-not-leak';
    const source = extension(
      'description: all.join("|")',
      `import os, { homedir } from 'node:os'; import path from 'node:path'; import { fileURLToPath } from 'node:url'; import process2 from 'node:process'; import { getAgentDir } from '@earendil-works/pi-coding-agent';
       const all = [process.cwd(), homedir(), os.tmpdir(), import.meta.url, import.meta.dirname, import.meta.filename, __dirname, __filename, fileURLToPath(new URL('./x.txt', import.meta.url)),
         path.join(homedir(), '..', 'x'), path.resolve('a', 'b'), process.env.HOME, process.env.PI_TOOLS_TEST_SECRET, process2.env.PATH, os.hostname(), String(process.pid), process.argv.join(), getAgentDir(),
         new Date().toISOString(), String(Date.now()), String(Math.random()), String(performance.now()), new Error('x').stack ?? ''];`,
    );
    const tool = await first(source);
    expect(tool.unread).toEqual([]);
    const text = tool.description ?? '';
    for (const mine of [
      process.cwd(),
      homedir(),
      hostname(),
      userInfo().username === 'user' ? '@' : userInfo().homedir,
      'do-not-leak',
      String(process.pid === 1 ? '@' : process.pid),
      new Date().toISOString().slice(0, 10),
    ]) {
      expect(text).not.toContain(mine);
    }
    expect(tmpdir()).toBeTruthy();
    expect(text).toContain('/home/user');
    expect((await first(source)).description).toBe(text);
  });

  it('a file of the archive is read, beside or above the source', async () => {
    const source = extension(
      'description: readFileSync(join(here, "../text/description.md"), "utf8").trim(), label: existsSync(new URL("./index.ts", import.meta.url)) ? "yes" : "no"',
      "import { existsSync, readFileSync } from 'node:fs'; import { dirname, join } from 'node:path'; import { fileURLToPath } from 'node:url'; const here = dirname(fileURLToPath(import.meta.url));",
    );
    const inspection = await inspectFiles({ 'src/index.ts': source, 'text/description.md': 'From a file: 天气\n' });
    expect(inspection.tools[0]).toMatchObject({ description: 'From a file: 天气', label: 'yes', unread: [] });
  });

  it('code that checks what it read is tried on a machine without files', async () => {
    const source = extension(
      'description: settings.words ?? "default words"',
      `import { existsSync, readFileSync } from 'node:fs';
       const settings = existsSync('/home/user/.x.json') ? JSON.parse(readFileSync('/home/user/.x.json', 'utf8')) : {};
       if (typeof settings !== 'object') throw new Error('settings must be an object');`,
    );
    expect(await first(source)).toMatchObject({ description: 'default words', unread: [] });
  });

  it('tools that need a variable are there, without its value', async () => {
    const source = `import { Type } from 'typebox'; import { env } from 'node:process';
      export default (pi) => {
        const base = { parameters: Type.Object({}), execute() {} };
        pi.registerTool({ ...base, name: 'always', description: process.env.WORDS ?? 'default words' });
        if (!process.env.SERVICE_KEY) return;
        pi.registerTool({ ...base, name: 'with_key', description: 'Needs a key' });
        pi.registerTool({ ...base, name: 'told', description: 'Uses ' + env.SERVICE_URL });
        if (process.env.HOME) pi.registerTool({ ...base, name: 'at_home', description: 'd' });
      };`;
    const inspection = await inspectFiles({ 'index.ts': source });
    expect(inspection.tools.map((tool) => [tool.name, tool.description])).toEqual([
      ['always', 'default words'],
      ['with_key', 'Needs a key'],
      ['told', null],
    ]);
    expect(inspection.tools[2]?.unread).toEqual([{ field: 'description', from: 'process.env SERVICE_URL' }]);
  });

  it('what a module may expect is there', async () => {
    const source = extension(
      'description: out.join()',
      `const out = [new TextDecoder().decode(new TextEncoder().encode('é天😀')), Buffer.from('héllo').toString('base64'), Buffer.from('aGk=', 'base64').toString(), new URL('../b?c=d#e', 'https://h.example:8/a/x/y').href,
        new URLSearchParams({ a: 'b c' }).toString(), JSON.stringify(structuredClone({ a: [1, { b: null }] })), atob('aGk='), btoa('hi')];
       const c = new AbortController(); c.signal.addEventListener('abort', () => out.push('aborted')); c.abort(); setTimeout(() => out.push('never read'), 1); queueMicrotask(() => {}); console.log('x'); process.nextTick(() => {}); clearTimeout(setInterval(() => {}, 1));`,
    );
    expect((await first(source)).description).toBe(
      'é天😀,aMOpbGxv,hi,https://h.example:8/a/b?c=d#e,a=b%20c,{"a":[1,{"b":null}]},hi,aGk=,aborted',
    );
  });
});
