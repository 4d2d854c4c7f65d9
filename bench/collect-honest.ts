/**
 * `npm run collect:honest -- FILE`: the texts that real tools give to a model, for `npm run train:orders`. It downloads the
 * npm packages that test/corpus/sentences/real-packages.txt names and takes the string literals at `description`,
 * `describe(…)`, `promptSnippet` and `promptGuidelines` out of their sources. Nothing of them is run.
 */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readArchive } from '../tool-package/archive/read.ts';

/** One package must not drown the others. */
const MAX_TEXTS = 250;
const LITERAL = String.raw`(?:(['"])((?:\\.|(?!\1)[^\\\n]){8,1500})\1|${'`'}((?:\\.|[^${'`'}\\$]){8,3000})${'`'})`;
const DESCRIPTIONS = new RegExp(String.raw`(?:\bdescription\s*:|\.describe\(|promptSnippet\s*:)\s*${LITERAL}`, 'g');
const GUIDELINES = /promptGuidelines\s*:\s*\[([^\]]{10,4000})\]/g;
const LITERALS = new RegExp(LITERAL, 'g');

const withoutEscapes = (text: string): string => text.replaceAll('\\n', '\n').replace(/\\(.)/g, '$1');

function* textsIn(source: string): Generator<string, void, undefined> {
  for (const match of source.matchAll(DESCRIPTIONS)) yield withoutEscapes(match[2] ?? match[3] ?? '');
  for (const list of source.matchAll(GUIDELINES)) {
    for (const match of (list[1] ?? '').matchAll(LITERALS)) yield withoutEscapes(match[2] ?? match[3] ?? '');
  }
}

const textsOf = async (name: string, folder: string): Promise<string[]> => {
  execFileSync('npm', ['pack', '--silent', '--ignore-scripts', '--pack-destination', folder, name], {
    stdio: 'ignore',
  });
  const file = readdirSync(folder).find((one) => one.endsWith('.tgz'));
  if (file === undefined) return [];
  const path = join(folder, file);
  try {
    const keep = (one: string, size: number): boolean => /(?<!\.d)\.[cm]?[jt]s$/.test(one) && size < 600_000;
    const { files } = await readArchive(readFileSync(path), { keep });
    const texts = files.flatMap(({ bytes }) => (bytes === null ? [] : [...textsIn(bytes.toString('utf8'))]));
    return [...new Set(texts)].slice(0, MAX_TEXTS);
  } finally {
    rmSync(path);
  }
};

const print = (line: string): void => void process.stdout.write(`${line}\n`);
const out = process.argv[2];
if (out === undefined) throw new Error('name the file to write');
const folder = mkdtempSync(join(tmpdir(), 'pi-tools-honest-'));
const lines: string[] = [];
for (const name of readFileSync('test/corpus/sentences/real-packages.txt', 'utf8').trim().split('\n')) {
  try {
    const texts = await textsOf(name, folder);
    lines.push(...texts.map((text) => JSON.stringify({ text, package: name })));
    print(`${name}: ${texts.length}`);
  } catch (error) {
    // A package that is gone, or that our own reader refuses, only makes the list shorter.
    print(`${name}: ${error instanceof Error ? error.message.split('\n')[0] : 'failed'}`);
  }
}
rmSync(folder, { recursive: true });
writeFileSync(out, `${lines.join('\n')}\n`);
print(`${lines.length} texts`);
