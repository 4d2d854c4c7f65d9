/** The rules are measured on matched pairs of clean and poisoned packages; the bar is in test/corpus/bar.ts. */
import { beforeAll, describe, expect, it } from 'vitest';
import { RULES } from '../../tool-package/check/index.ts';
import { BAR, WITHOUT_PAIR } from '../corpus/bar.ts';
import { FRESH, HELD_OUT, TUNED } from '../corpus/corpus.ts';
import { evaluate, findWrong, type Measured, recallOf, score, scoreByRule } from '../corpus/evaluate.ts';
import { EXCEPTIONS } from '../corpus/exceptions.ts';
import { TRAPS } from '../corpus/traps.ts';

const ALL = [...TUNED, ...HELD_OUT, ...FRESH];
const count = <T>(list: readonly T[], test: (one: T) => boolean): number => list.filter(test).length;

describe('the corpus', () => {
  it('has at least 80 pairs, each with an id of its own and two different twins', () => {
    expect(ALL.length).toBeGreaterThanOrEqual(80);
    expect(new Set(ALL.map(({ id }) => id)).size).toBe(ALL.length);
    for (const { id, clean, poisoned } of ALL) expect(poisoned, id).not.toEqual(clean);
  });

  it.each(['en', 'zh', 'ru'])('has at least a quarter of its pairs in %s', (language) => {
    expect(count(ALL, (pair) => pair.language === language) / ALL.length).toBeGreaterThan(0.25);
  });

  it('has every text rule in every language, and holds a quarter of the texts out', () => {
    const texts = ALL.filter(({ rule }) => rule.startsWith('text/'));
    for (const rule of new Set(texts.map((pair) => pair.rule))) {
      const languages = new Set(texts.filter((pair) => pair.rule === rule).map(({ language }) => language));
      expect([...languages].sort(), rule).toEqual(['en', 'ru', 'zh']);
    }
    const heldOut = count([...HELD_OUT, ...FRESH], ({ rule }) => rule.startsWith('text/'));
    expect(heldOut / texts.length).toBeGreaterThan(0.22);
  });

  it('has a pair for every rule', () => {
    const known = new Set(RULES.map(({ id }) => id));
    const covered = new Set(ALL.map(({ rule }) => rule));
    expect([...known].filter((rule) => !covered.has(rule) && !WITHOUT_PAIR.has(rule))).toEqual([]);
    expect([...covered].filter((rule) => !known.has(rule))).toEqual([]);
  });

  it('has exceptions only for pairs and rules that exist', () => {
    const ids = new Set(ALL.map(({ id }) => id));
    for (const { pair, reason } of EXCEPTIONS) {
      expect(ids).toContain(pair);
      expect(reason.length).toBeGreaterThan(10);
    }
  });
});

describe('the rules on the corpus', () => {
  let tuned: Measured[] = [];
  let heldOut: Measured[] = [];
  let fresh: Measured[] = [];
  beforeAll(async () => {
    tuned = await evaluate(TUNED);
    heldOut = await evaluate(HELD_OUT);
    fresh = await evaluate(FRESH);
  }, 900_000);

  it('find as many poisoned packages as the bar says', () => {
    const missed = tuned.filter(({ detected }) => !detected).map(({ pair }) => pair.id);
    expect(recallOf(score('all', tuned)), `missed: ${missed.join(', ')}`).toBeGreaterThanOrEqual(BAR.recall);
  });

  it('find as many of the held-out texts as the bar says', () => {
    expect(recallOf(score('all', heldOut))).toBeGreaterThanOrEqual(BAR.heldOutRecall);
    expect(recallOf(score('all', fresh))).toBeGreaterThanOrEqual(BAR.freshRecall);
  });

  it('leave every clean twin alone: its rule says nothing, and no rule says error or review', () => {
    const wrong = [...tuned, ...heldOut, ...fresh]
      .filter((one) => one.flaggedClean || one.wrong.length > 0)
      .map(({ pair, clean }) => `${pair.id}: ${clean.map(({ rule, message }) => `${rule} ${message}`).join('; ')}`);
    expect(wrong).toEqual([]);
  });

  it('leave honest tools alone that speak of passwords, rules, secrets and confirmations', async () => {
    expect(
      (await findWrong([...TRAPS.values()])).map(({ rule, tool, message }) => `${rule} ${tool}: ${message}`),
    ).toEqual([]);
  });

  it('have no rule that finds nothing at all', () => {
    expect(scoreByRule(tuned).filter(({ detected }) => detected === 0)).toEqual([]);
  });
});
