/** SlopCode and opencode: generated entries that work, say why they do not, and are taken back; their configuration. */
import { spawnSync } from 'node:child_process';
import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { callSlopcodeTool, loadSlopcodeTools } from '../../../tool-package/run/index.ts';
import { createPiHome, type PiHome, toolSource } from '../../support/home.ts';
import { type LiveRegistry, publishTo, sketchArchive, startRegistry } from '../../support/registry.ts';

let registry: LiveRegistry;
let home: PiHome;

const MATH = `import { tool } from '@opencode-ai/plugin';
import { z } from 'zod';
const point = z.object({ x: z.number().describe('Across'), y: z.number().default(7) });
export const add = tool({ description: 'Adds </script> \\u2028', args: { a: z.number().min(1).describe('First'), b: z.number().default(2), mode: z.enum(['fast', 'slow']).optional() }, async execute({ a, b }) { return a + b; } });
export const show = tool({ description: 'Shows', args: { points: z.array(point).max(2) }, async execute(args) { return args; } });
export const fails = { description: 'Fails', args: {}, async execute() { throw new Error('exploded'); } };
`;
const both = (file: string) => ({ slopcode: { tools: [file] }, opencode: { tools: [file] } });

beforeAll(async () => {
  registry = await startRegistry({ review: 'off' });
  const publish = async (archive: Buffer) => {
    const { status, body } = await publishTo(registry.url, registry.adminToken, archive);
    expect([200, 201], JSON.stringify(body)).toContain(status);
  };
  const sketch = (name: string, version: string, file: string, source: string, more: object = {}) =>
    sketchArchive({
      name,
      version,
      packageJson: { pi: undefined, type: 'module', ...both(`./${file}`), ...more },
      files: { [file]: source },
    });
  await publish(sketch('math', '1.0.0', 'tools/math.ts', MATH));
  await publish(sketch('math', '1.1.0', 'tools/math.ts', MATH.replace('export const fails', 'export const breaks')));
  await publish(sketch('git', '1.0.0', 'git.ts', toolSource('git')));
  await publish(
    sketch('shell', '1.0.0', 'bash.ts', toolSource('bash'), {
      piTools: { overrides: [{ tool: 'bash', reason: 'safer' }] },
    }),
  );
}, 120_000);

afterAll(() => registry.end());
afterEach(() => home.remove());

const run = (args: string[]) => home.run([...args, '--json'], { env: { PI_TOOLS_REGISTRY: registry.url } });
const ok = async (args: string[], code = 0) => {
  const result = await run(args);
  expect(result.code, result.stderr + result.stdout).toBe(code);
  return result.json;
};
const refuses = async (args: string[], code: string) => {
  const before = home.snapshot();
  expect((await ok(args, 4)).error.code).toBe(code);
  expect(home.snapshot()).toEqual(before);
};
const tools = (path: string) => loadSlopcodeTools(join(home.project, path));

describe('entries', () => {
  it('hold one tool each, run the real code, and are taken back exactly', async () => {
    home = await createPiHome();
    const before = home.snapshot();
    const answer = await ok(['install', 'math@1.0.0', '--agent', 'slopcode', '--agent', 'opencode']);
    expect(answer.changes.map((row: { target: string }) => row.target)).toEqual([
      'slopcode/project',
      'opencode/project',
    ]);
    const add = await tools('.slopcode/tools/math_add.ts');
    expect([...add.keys()]).toEqual(['math_add']);
    expect(await callSlopcodeTool(add, 'math_add', { a: 1 })).toBe('3');
    expect(home.has('project/.slopcode/pi-tools/_runtime/1.js')).toBe(true);
    expect(home.read('project/.slopcode/pi-tools/.gitignore')).toContain('!package.json');
    expect(home.read('project/.slopcode/tools/math_add.ts')).not.toMatch(/<\/script|\u2028/);
    expect(JSON.parse(home.read('project/pi-tools.json'))).toEqual({
      agents: ['slopcode', 'opencode'],
      tools: { math: '1.0.0' },
    });
    await ok(['remove', 'math']);
    expect(home.snapshot()).toEqual(before);
  });

  it('validate arguments, apply defaults and give strings', async () => {
    home = await createPiHome();
    await ok(['install', 'math@1.0.0', '--agent', 'opencode']);
    const add = await tools('.opencode/tools/math_add.ts');
    await expect(callSlopcodeTool(add, 'math_add', { a: 0, c: 1, mode: 'x' })).rejects.toThrow(
      /a: expected >= 1[\s\S]*c: unknown field[\s\S]*mode: expected one of/,
    );
    await expect(callSlopcodeTool(add, 'math_add', 'text')).rejects.toThrow('Invalid arguments');
    const show = await tools('.opencode/tools/math_show.ts');
    expect(JSON.parse(await callSlopcodeTool(show, 'math_show', { points: [{ x: 1 }] }))).toEqual({
      points: [{ x: 1, y: 7 }],
    });
    await expect(callSlopcodeTool(show, 'math_show', { points: [{ y: 1 }] })).rejects.toThrow('points.0.x: missing');
    await expect(callSlopcodeTool(show, 'math_show', { points: [{ x: 1 }, { x: 1 }, { x: 1 }] })).rejects.toThrow(
      'at most 2',
    );
    await expect(callSlopcodeTool(await tools('.opencode/tools/math_fails.ts'), 'math_fails', {})).rejects.toThrow(
      'exploded',
    );
  });

  it("give the host's Zod a schema with descriptions and optional fields", async () => {
    home = await createPiHome();
    await ok(['install', 'math@1.0.0', '--agent', 'slopcode']);
    const args = (await tools('.slopcode/tools/math_add.ts')).get('math_add')?.args as z.ZodRawShape;
    for (const io of ['input', 'output'] as const) {
      const schema = z.toJSONSchema(z.object(args), { io }) as {
        required: string[];
        properties: Record<string, object>;
      };
      expect(schema.required).toEqual(['a']);
      expect(schema.properties.a).toMatchObject({ type: 'number', description: 'First', minimum: 1 });
    }
  });

  it('become a tool that says why when the code is broken', async () => {
    home = await createPiHome();
    await ok(['install', 'git', '--agent', 'slopcode']);
    const { installed } = await ok(['list']);
    const [folder] = Object.keys(
      JSON.parse(home.read('project/pi-tools.lock.json')).packages.git.targets['slopcode/project'].files,
    ).map((path) => path.split('/').slice(0, -1).join('/'));
    writeFileSync(join(home.project, folder ?? '', 'git.ts'), 'throw new Error("no luck");');
    const git = await tools('.slopcode/tools/git.ts');
    await expect(callSlopcodeTool(git, 'git', {})).rejects.toThrow('The tool git could not be loaded: no luck');
    expect(git.get('git')?.description).toContain('no luck');
    writeFileSync(join(home.project, '.slopcode/pi-tools/_runtime/1.js'), 'throw new Error("gone");\nexport {};\n');
    await expect(callSlopcodeTool(await tools('.slopcode/tools/git.ts'), 'git', {})).rejects.toThrow(
      'could not be loaded',
    );
    expect(installed[0].state).toBe('ok');
    expect((await ok(['list'])).installed[0].state).toBe('modified');
  });

  it('come and go with an update', async () => {
    home = await createPiHome();
    await ok(['install', 'math@^1.0.0', '--agent', 'slopcode']);
    await ok(['install', 'math@1.0.0']);
    expect(home.has('project/.slopcode/tools/math_fails.ts')).toBe(true);
    await ok(['install', 'math@1.1.0']);
    expect(home.has('project/.slopcode/tools/math_fails.ts')).toBe(false);
    expect(home.has('project/.slopcode/tools/math_breaks.ts')).toBe(true);
    expect((await ok(['verify'])).differences).toEqual([]);
  });

  it('go to the documented folder in user scope, wherever it is run', async () => {
    home = await createPiHome();
    await ok(['install', 'git', '--agent', 'opencode', '--scope', 'user']);
    expect(home.has('home/.config/opencode/tools/git.ts')).toBe(true);
    const result = await home.run(['list', '--json'], { cwd: join(home.home, '.config/opencode') });
    expect(result.json.installed).toHaveLength(1);
    const inside = { cwd: join(home.home, '.config/opencode'), env: { PI_TOOLS_REGISTRY: registry.url } };
    expect((await home.run(['install', 'math', '--agent', 'opencode'], inside)).code).toBe(0);
    expect(home.has('home/.config/opencode/tools/math_add.ts')).toBe(true);
    expect(home.has('home/.config/opencode/.opencode')).toBe(false);
    expect(home.has('home/.config/opencode/pi-tools.json')).toBe(false);
    expect((await home.run(['install', 'math', '--agent', 'opencode', '--scope', 'project'], inside)).code).toBe(2);
  });

  it('are committed whole, whatever the .gitignore files around say', async () => {
    home = await createPiHome();
    rmSync(join(home.project, '.git'), { recursive: true });
    const git = (...args: string[]) =>
      spawnSync('git', args, { cwd: home.project, encoding: 'utf8', env: { ...process.env, HOME: home.home } });
    if (git('init', '-q').status !== 0) return;
    home.write('project/.gitignore', 'node_modules\n');
    await ok(['install', 'math', '--agent', 'slopcode']);
    home.write('project/.slopcode/.gitignore', 'node_modules\npackage.json\nbun.lock\n.gitignore\n');
    git('add', '-A');
    const added = git('diff', '--cached', '--name-only').stdout.split('\n');
    const { files, generated } = JSON.parse(home.read('project/pi-tools.lock.json')).packages.math.targets[
      'slopcode/project'
    ];
    for (const path of [...Object.keys(files), ...Object.keys(generated)]) expect(added).toContain(path);
    expect(added.some((path) => path.includes('.pi-tools/'))).toBe(false);
  });

  it('leave the agent folder’s own files alone', async () => {
    home = await createPiHome();
    home.write('project/.slopcode/package.json', '{"private": true}');
    home.write('project/.slopcode/.gitignore', '# mine\npackage.json\n');
    const before = home.snapshot();
    await ok(['install', 'math']);
    await ok(['remove', 'math']);
    expect(home.snapshot()).toEqual(before);
  });
});

describe('what is in the way', () => {
  it.each([
    'project/.slopcode/tools/git.ts',
    'project/.slopcode/tools/git.js',
    'project/.slopcode/tool/git.ts',
    'project/.opencode/tools/git.ts',
    'home/.config/slopcode/tools/git.js',
    'home/.slopcode/tool/git.ts',
  ])('%s', async (path) => {
    home = await createPiHome();
    home.write(path, toolSource('mine'));
    const before = home.snapshot();
    const answer = await ok(['install', 'git', '--agent', 'slopcode', '--scope', 'project'], 4);
    expect(['tool_name_conflict', 'path_conflict']).toContain(answer.error.code);
    expect(home.snapshot()).toEqual(before);
  });

  it('an export of another file that gives the same name', async () => {
    home = await createPiHome();
    home.write(
      'project/.slopcode/tools/math.ts',
      `export const add = ${toolSource('x').replace('export default ', '')}`,
    );
    await refuses(['install', 'math', '--agent', 'slopcode'], 'tool_name_conflict');
  });

  it('a built-in, without consent', async () => {
    home = await createPiHome();
    await refuses(['install', 'shell', '--agent', 'slopcode', '--yes'], 'override_refused');
    await ok(['install', 'shell', '--agent', 'slopcode', '--allow-override', 'bash']);
  });

  it('a link that leads out of the project', async () => {
    home = await createPiHome();
    mkdirSync(join(home.home, 'victim'));
    symlinkSync(join(home.home, 'victim'), join(home.project, '.slopcode'));
    await refuses(['install', 'git', '--agent', 'slopcode', '--scope', 'project'], 'path_conflict');
  });
});

describe('a configuration that hides the tool', () => {
  const cases: [string, string, string, string][] = [
    [
      'an object',
      '.slopcode/slopcode.json',
      '{\n  // keep\n  "permission": {"*": "deny"},\n}\n',
      '{\n  // keep\n  "permission": {"*": "deny", "git": "allow"},\n}\n',
    ],
    ['a string', 'slopcode.json', '{"permission": "deny"}', '{"permission": {"*":"deny","git":"allow"}}'],
    [
      'tools',
      'opencode.jsonc',
      '{\n  "tools": {\n    "*": false, // why\n  }\n}',
      '{\n  "tools": {\n    "*": false,\n    "git": true, // why\n  }\n}',
    ],
    [
      'a place that does not count',
      'slopcode.json',
      '{"permission": {"git": "allow", "*": "deny"}}',
      '{"permission": {"*": "deny", "git": "allow"}}',
    ],
  ];

  it.each(cases)('%s: changed with consent, taken back with the package', async (kind, file, before, after) => {
    home = await createPiHome();
    home.write(`project/${file}`, before);
    const refused = await ok(['install', 'git', '--agent', 'slopcode', '--scope', 'project']);
    expect(refused.warnings.join()).toContain('hides `git`');
    expect(home.read(`project/${file}`)).toBe(before);
    await ok(['remove', 'git']);
    await ok(['install', 'git', '--agent', 'slopcode', '--scope', 'project', '--yes']);
    expect(home.read(`project/${file}`)).toBe(after);
    await ok(['remove', 'git']);
    if (kind !== 'a place that does not count') expect(home.read(`project/${file}`)).toBe(before);
  });

  it.each([
    '{"permission": {"*": "ask"}}',
    '{"permission": {"*": "deny", "gi*": "allow"}}',
    '{"permission": {"bash": "deny"}}',
    '{broken',
  ])('%s does not', async (text) => {
    home = await createPiHome();
    home.write('project/slopcode.json', text);
    const answer = await ok(['install', 'git', '--agent', 'slopcode', '--scope', 'project', '--yes']);
    expect(answer.warnings).toEqual([]);
    expect(home.read('project/slopcode.json')).toBe(text);
  });
});
