/**
 * Measures the rules on the corpus. Every twin takes the walk that publish takes: archive -> strict reader -> entries ->
 * inspection -> rules; in this process, so that hundreds of packages take a minute.
 */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Finding } from '../../schemas/finding.ts';
import type { ManifestRecord } from '../../schemas/manifest.ts';
import { Problem } from '../../schemas/problem.ts';
import { makeArchive } from '../../tool-package/archive/pack.ts';
import { examinePackage } from '../../tool-package/examine/examine-package.ts';
import { EXCEPTIONS } from './exceptions.ts';
import { type Files, isAtLeast, type Pair } from './pair.ts';

export type Measured = {
  readonly pair: Pair;
  /** The expected rule, at its level or above, on the poisoned twin. */
  readonly detected: boolean;
  /** The expected rule, at its level or above, on the clean twin. */
  readonly flaggedClean: boolean;
  /** Error and review findings of any rule on the clean twin, those of `EXCEPTIONS` left out. */
  readonly wrong: readonly Finding[];
  readonly clean: readonly Finding[];
  readonly poisoned: readonly Finding[];
};

export type Score = {
  readonly rule: string;
  readonly pairs: number;
  readonly detected: number;
  readonly flaggedClean: number;
};

/** Examines both twins of each pair. A refused archive counts as an error finding `problem/<code>`. */
export const evaluate = async (pairs: readonly Pair[]): Promise<Measured[]> => {
  const folder = await mkdtemp(join(tmpdir(), 'pi-tools-corpus-'));
  try {
    const measured: Measured[] = [];
    for (const pair of pairs) measured.push(await measure(pair, folder));
    return measured;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
};

const measure = async (pair: Pair, folder: string): Promise<Measured> => {
  const previous = pair.previous === undefined ? null : (await examine(pair.previous, folder, null)).record;
  const clean = (await examine(pair.clean, folder, previous)).findings;
  const poisoned = (await examine(pair.poisoned, folder, previous)).findings;
  const expected = ({ rule, level }: Finding): boolean => rule === pair.rule && isAtLeast(level, pair.level);
  return {
    pair,
    detected: poisoned.some(expected),
    flaggedClean: clean.some(expected),
    wrong: clean.filter(({ rule, level }) => isAtLeast(level, 'review') && !isException(pair, rule)),
    clean,
    poisoned,
  };
};

/** Error and review findings on packages that have no poisoned twin. */
export const findWrong = async (packages: readonly Files[]): Promise<Finding[]> => {
  const folder = await mkdtemp(join(tmpdir(), 'pi-tools-corpus-'));
  try {
    const findings: Finding[] = [];
    for (const files of packages) findings.push(...(await examine(files, folder, null)).findings);
    return findings.filter(({ level }) => isAtLeast(level, 'review'));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
};

const isException = (pair: Pair, rule: string): boolean =>
  EXCEPTIONS.some((exception) => exception.pair === pair.id && exception.rule === rule);

type Examined = { record: ManifestRecord | null; findings: Finding[] };

const examine = async (files: Files, folder: string, previous: ManifestRecord | null): Promise<Examined> => {
  const path = join(folder, 'package.tgz');
  const list = Object.entries(files).map(([name, content]) => ({ path: name, bytes: Buffer.from(content) }));
  await writeFile(path, makeArchive(list));
  try {
    return await examinePackage(
      { kind: 'archive', path, known: [], giveUp: null, previous },
      { onEntry: () => undefined, onEntryDone: () => undefined },
    );
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    return { record: null, findings: [refusal(error)] };
  }
};

const refusal = (problem: Problem): Finding => ({
  rule: `problem/${problem.code}`,
  level: 'error',
  agent: null,
  tool: null,
  field: null,
  file: null,
  line: null,
  message: problem.message,
  hint: problem.hint,
});

/** One line per rule, in the order of the corpus. */
export const scoreByRule = (measured: readonly Measured[]): Score[] => {
  const rules = [...new Set(measured.map(({ pair }) => pair.rule))];
  return rules.map((rule) =>
    score(
      rule,
      measured.filter(({ pair }) => pair.rule === rule),
    ),
  );
};

/** All together, under one name. */
export const score = (rule: string, measured: readonly Measured[]): Score => ({
  rule,
  pairs: measured.length,
  detected: measured.filter(({ detected }) => detected).length,
  flaggedClean: measured.filter(({ flaggedClean }) => flaggedClean).length,
});

/** Detected of all, from 0 to 1. */
export const recallOf = ({ detected, pairs }: Score): number => (pairs === 0 ? 1 : detected / pairs);
