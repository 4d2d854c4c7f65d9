import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { examineArchive } from '../../../tool-package/examine/index.ts';
import { makeArchive } from '../../../tool-package/archive/write.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'examine-test-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const tool = (name: string, top = '') =>
  `import { Type } from 'typebox';\n${top}\nexport default (pi) => pi.registerTool({ name: '${name}', label: 'L', description: 'The ${name} tool', parameters: Type.Object({ city: Type.String({ description: 'City' }) }), execute: async () => ({ content: [] }) });`;

const archive = (files: Record<string, string>, packageJson: object = {}) => {
  const entries = Object.keys(files).filter((name) => name.endsWith('.ts'));
  const manifest = JSON.stringify({ name: 'weather', version: '1.0.0', pi: { extensions: entries.map((name) => `./${name}`) }, ...packageJson });
  const all = { 'package.json': manifest, ...files };
  const file = path.join(folder, 'package.tgz');
  writeFileSync(file, makeArchive(Object.entries(all).map(([name, text]) => ({ path: name, bytes: Buffer.from(text) }))));
  return file;
};

describe('examineArchive', () => {
  it('derives the record from the archive', async () => {
    const t0 = performance.now();
    const { record, readme, packageJson } = await examineArchive(archive({ 'weather.ts': tool('weather'), 'README.md': '# Weather' }));
    console.log('cold', performance.now() - t0);
    expect(packageJson.name).toBe('weather');
    expect(readme).toBe('# Weather');
    expect(record).toMatchObject({ formatVersion: 1, name: 'weather', version: '1.0.0', description: 'The weather tool', publisher: null });
    expect(record.agents.pi?.entries).toEqual(['weather.ts']);
    expect(record.agents.pi?.tools[0]).toMatchObject({
      name: 'weather',
      parameters: { type: 'object', required: ['city'], properties: { city: { type: 'string', description: 'City' } } },
      origin: { name: 'evaluated', description: 'evaluated', parameters: 'evaluated' },
    });
  });
});
