/** What each hostile package takes when it is examined alone, and what comes out. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Finding } from '../schemas/finding.ts';
import { Problem } from '../schemas/problem.ts';
import type { HostilePackage } from '../test/hostile/index.ts';
import { groupUse } from '../tool-package/examine/group-use.ts';
import { type Examination, examineArchive } from '../tool-package/examine/index.ts';

const LOOK_MS = 20;

/** True when every one was examined, or refused as it must be. */
export async function examineKinds(
  kinds: readonly HostilePackage[],
  word: string,
  print: (line: string) => void,
): Promise<boolean> {
  const folder = mkdtempSync(join(tmpdir(), 'pi-tools-kinds-'));
  const file = join(folder, 'a.tgz');
  let isGood = true;
  try {
    for (const kind of kinds.filter(({ id }) => id.includes(word))) {
      const bytes = kind.make('hostile');
      writeFileSync(file, bytes);
      const { outcome, use } = await examine(file);
      isGood &&= outcome.refused === kind.refused;
      print(row(kind, bytes.length, use, outcome.refused === kind.refused ? outcome.text : `WRONG ${outcome.text}`));
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  return isGood;
}

type Use = { wallMs: number; cpuMs: number; peakBytes: number };

async function examine(file: string) {
  const before = groupUse(process.pid);
  const started = performance.now();
  let peakBytes = 0;
  const timer = setInterval(() => {
    const { residentBytes, own } = groupUse(process.pid);
    peakBytes = Math.max(peakBytes, residentBytes - own);
  }, LOOK_MS);
  const outcome = await examineArchive(file).then(described, refusalOf);
  clearInterval(timer);
  const cpuMs = groupUse(process.pid).cpuMs - before.cpuMs;
  const use: Use = { wallMs: performance.now() - started, cpuMs, peakBytes };
  return { outcome, use };
}

type Outcome = { refused: string | null; text: string };

const refusalOf = (error: unknown): Outcome => {
  const code = error instanceof Problem ? error.code : 'no problem';
  return { refused: code, text: `${code}: ${(error as Error).message.slice(0, 80)}` };
};

const described = ({ findings, record }: Examination): Outcome => {
  const count = (level: Finding['level']) => findings.filter((finding) => finding.level === level).length;
  const kib = Math.round(JSON.stringify(record).length / 1024);
  const rules = new Set(findings.filter(({ level }) => level !== 'info').map(({ rule }) => rule));
  return {
    refused: null,
    text: `${count('error')} errors, ${count('review')} reviews, record ${kib} KiB  ${[...rules].slice(0, 4).join(' ')}`,
  };
};

const row = ({ id }: HostilePackage, bytes: number, use: Use, text: string): string =>
  [
    id.padEnd(44),
    `${Math.round(bytes / 1024)} KiB`.padStart(10),
    `${(use.wallMs / 1000).toFixed(1)} s`.padStart(7),
    `cpu ${(use.cpuMs / 1000).toFixed(1)} s`.padStart(10),
    `${Math.round(use.peakBytes / 1024 / 1024)} MiB`.padStart(8),
    ` ${text}`,
  ].join('  ');
