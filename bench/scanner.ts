/**
 * `npm run bench:scanner`: recall and false positives of every rule on the corpus, and in all. `--missed` names the pairs
 * that a rule missed and the clean twins that it flagged; of the held-out pairs only numbers are ever printed.
 */
import { FRESH, HELD_OUT, TUNED } from '../test/corpus/corpus.ts';
import {
  evaluate,
  findWrong,
  type Measured,
  recallOf,
  type Score,
  score,
  scoreByRule,
} from '../test/corpus/evaluate.ts';
import { TRAPS } from '../test/corpus/traps.ts';

const print = (line: string): void => void process.stdout.write(`${line}\n`);
const percent = (value: number): string => `${Math.round(value * 100)} %`.padStart(6);

const row = (one: Score): string =>
  [
    one.rule.padEnd(26),
    `${one.detected} of ${one.pairs}`.padStart(11),
    percent(recallOf(one)),
    `${one.flaggedClean} clean flagged`.padStart(18),
  ].join('  ');

const findingsOf = (findings: Measured['clean']): string =>
  findings
    .filter(({ level }) => level === 'error' || level === 'review')
    .map(({ rule, message }) => `${rule} (${message})`)
    .join('; ') || 'nothing';

const printDetails = (measured: readonly Measured[]): void => {
  for (const one of measured.filter(({ detected }) => !detected))
    print(`missed ${one.pair.id}: ${findingsOf(one.poisoned)}`);
  for (const one of measured.filter(({ flaggedClean, wrong }) => flaggedClean || wrong.length > 0))
    print(`clean ${one.pair.id}: ${findingsOf(one.clean)}`);
};

const only = process.argv.slice(2).find((word) => !word.startsWith('--'));
const wanted = TUNED.filter(({ id }) => only === undefined || id.startsWith(only));
const tuned = await evaluate(wanted);
const heldOut = await evaluate(HELD_OUT.filter(({ id }) => only === undefined || id.startsWith(only)));
const fresh = await evaluate(FRESH.filter(({ id }) => only === undefined || id.startsWith(only)));

for (const one of scoreByRule(tuned)) print(row(one));
print(row(score('all', tuned)));
print('\nheld out (written before the rules, but by a later author of them: see test/corpus/bar.ts)');
for (const one of scoreByRule(heldOut)) print(row(one));
print(row(score('all', heldOut)));
print('\nfresh (written after the rules, to evade them; see test/corpus/bar.ts)');
print(row(score('all', fresh)));
const all = [...tuned, ...heldOut, ...fresh];
const wrong = all.filter((one) => one.wrong.length > 0).length;
print(`\nclean twins with an error or review finding of any rule: ${wrong} of ${all.length}`);
const trapped = await findWrong([...TRAPS.values()]);
print(`honest tools with suspicious words: ${trapped.length} wrong findings`);
for (const { rule, tool, message } of trapped) print(`  ${rule} ${tool}: ${message}`);
if (process.argv.includes('--missed')) printDetails(tuned);
