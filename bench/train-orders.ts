/**
 * `npm run train:orders -- [--honest FILE]`: fits the model of tool-package/check/orders to the sentences in
 * test/corpus/sentences, and writes weights.ts. `--honest` names a file of texts of real tools (JSON Lines with `text` and
 * `package`), as `npm run collect:honest` makes one: they belong to their authors and are not kept here.
 *
 * A poisoned text has honest sentences too, and nobody has marked the order in it: each round learns from the sentence that
 * the round before found the most suspicious (multiple-instance learning, as mi-SVM does).
 */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { deflateRawSync } from 'node:zlib';
import { FEATURE_COUNT, type Features, featuresOf } from '../tool-package/check/orders/features.ts';
import { listPhrasings } from '../tool-package/check/orders/phrases.ts';
import { type Script, scriptOf } from '../tool-package/check/orders/script.ts';
import { plainText, windowsOf } from '../tool-package/check/orders/sentences.ts';

type Text = {
  readonly script: Script;
  readonly isOrder: boolean;
  readonly fold: number;
  readonly windows: Features[];
  readonly isReal: boolean;
  /** How often it is learned from in one go. */
  readonly times: number;
};
type Model = { readonly weights: Float64Array; readonly bias: number };
type Example = { readonly features: Features; readonly target: 0 | 1 };

const ROUNDS = 3;
const EPOCHS = 10;
const RATE = 0.5;
const DECAY = 1e-5;
const FOLDS = 4;
/** Of real texts, of honest ones written to be hard. */
const ALLOWED = { real: 0.003, written: 0.015 };

/** What everybody knows as an attack must be found for certain. */
const KNOWN = { file: 'known.jsonl', times: 8 };

const FOLDER = 'test/corpus/sentences';
const OUT = 'tool-package/check/orders/weights.ts';

type Line = { text: string; kind?: string; package?: string; times?: number };

const readLines = (file: string): Line[] =>
  readFileSync(file, 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));

/** The same for a text, or all of a package, every time. */
const foldOf = (name: string): number => {
  let hash = 7;
  for (const character of name) hash = (Math.imul(hash, 31) + (character.codePointAt(0) ?? 0)) >>> 0;
  return hash % FOLDS;
};

const seen = new Map<string, Features>();
const featuresOfText = (text: string): Features => {
  const plain = plainText(text);
  const known = seen.get(plain) ?? featuresOf(plain, listPhrasings(plain));
  seen.set(plain, known);
  return known;
};

const toText = ({ text, kind, package: owner, times = 1 }: Line): Text => ({
  script: scriptOf(plainText(text)),
  isOrder: kind !== undefined && kind !== 'none',
  isReal: owner !== undefined,
  times,
  fold: foldOf(owner ?? text),
  windows: [...windowsOf(text)].map((window) => featuresOfText(window.text)),
});

const score = ({ weights, bias }: Model, { ids, values }: Features): number =>
  ids.reduce((sum, id, at) => sum + (weights[id] ?? 0) * (values[at] ?? 0), bias);

const best = (model: Model, windows: readonly Features[]): Features[] => {
  const [first, ...rest] = windows;
  if (first === undefined) return [];
  return [rest.reduce((a, b) => (score(model, b) > score(model, a) ? b : a), first)];
};

/** Numbers from 0 to 1 in an order that is always the same. */
const randoms = (): (() => number) => {
  let state = 1;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
};

/** Logistic regression by AdaGrad. */
const learn = (examples: readonly Example[]): Model => {
  const weights = new Float64Array(FEATURE_COUNT);
  const squares = new Float64Array(FEATURE_COUNT).fill(1e-3);
  let [bias, biasSquares] = [0, 1e-3];
  const random = randoms();
  const order = examples.map((_, at) => at);
  const step = ({ features, target }: Example): void => {
    const { ids, values } = features;
    const error = 1 / (1 + Math.exp(-score({ weights, bias }, features))) - target;
    for (const [at, id] of ids.entries()) {
      const gradient = error * (values[at] ?? 0) + DECAY * (weights[id] ?? 0);
      squares[id] = (squares[id] ?? 0) + gradient * gradient;
      weights[id] = (weights[id] ?? 0) - (RATE * gradient) / Math.sqrt(squares[id]);
    }
    biasSquares += error * error;
    bias -= (RATE * error) / Math.sqrt(biasSquares);
  };
  for (let epoch = 0; epoch < EPOCHS; epoch += 1) {
    for (let at = order.length - 1; at > 0; at -= 1) {
      const other = Math.floor(random() * (at + 1));
      [order[at], order[other]] = [order[other] ?? 0, order[at] ?? 0];
    }
    for (const at of order) {
      const example = examples[at];
      if (example !== undefined) step(example);
    }
  }
  return { weights, bias };
};

const train = (texts: readonly Text[]): Model => {
  const repeated = texts.flatMap((text) => Array.from({ length: text.times }, () => text));
  const honest = repeated.filter(({ isOrder }) => !isOrder).flatMap(({ windows }) => windows);
  const orders = repeated.filter(({ isOrder }) => isOrder);
  const examples = (chosen: readonly Features[]): Example[] => [
    ...honest.map((features): Example => ({ features, target: 0 })),
    ...chosen.map((features): Example => ({ features, target: 1 })),
  ];
  let model = learn(examples(orders.flatMap(({ windows }) => windows)));
  for (let round = 0; round < ROUNDS; round += 1) {
    const chosen = orders.flatMap(({ windows }) => best(model, windows));
    model = learn(examples(chosen));
  }
  return model;
};

type Scored = Text & { readonly score: number };

const scoreAll = (model: Model, texts: readonly Text[]): Scored[] =>
  texts.map((text) => ({ ...text, score: Math.max(...text.windows.map((window) => score(model, window)), -99) }));

/** The score that this share of the texts exceeds. */
const quantile = (texts: readonly Scored[], share: number): number => {
  const scores = texts.map((text) => text.score).sort((a, b) => b - a);
  return scores[Math.floor(scores.length * share)] ?? Number.NEGATIVE_INFINITY;
};

const SCRIPTS: readonly Script[] = ['latin', 'cyrillic', 'han'];

const chooseThresholds = (scored: readonly Scored[]): Record<Script, number> => {
  const honest = (script: Script, isReal: boolean): Scored[] =>
    // The honest twins of known attacks are attacks but for a word.
    scored.filter((text) => !text.isOrder && text.times === 1 && text.script === script && text.isReal === isReal);
  const entries = SCRIPTS.map((script) => {
    const real = script === 'latin' ? quantile(honest(script, true), ALLOWED.real) : Number.NEGATIVE_INFINITY;
    return [script, Math.max(real, quantile(honest(script, false), ALLOWED.written))] as const;
  });
  return Object.fromEntries(entries) as Record<Script, number>;
};

const print = (line: string): void => void process.stdout.write(`${line}\n`);
const share = (texts: readonly Scored[], threshold: number): string => {
  const over = texts.filter((text) => text.score > threshold).length;
  return `${over} of ${texts.length} (${((100 * over) / Math.max(1, texts.length)).toFixed(1)} %)`;
};

const report = (scored: readonly Scored[], thresholds: Record<Script, number>): void => {
  for (const script of SCRIPTS) {
    const of = scored.filter((text) => text.script === script);
    const orders = share(
      of.filter(({ isOrder }) => isOrder),
      thresholds[script],
    );
    const honest = share(
      of.filter(({ isOrder, isReal }) => !isOrder && !isReal),
      thresholds[script],
    );
    const real = share(
      of.filter(({ isReal }) => isReal),
      thresholds[script],
    );
    print(`${script}: threshold ${thresholds[script].toFixed(2)}, orders ${orders}, honest ${honest}, real ${real}`);
  }
};

const sourceOf = ({ weights, bias }: Model, thresholds: Record<Script, number>): string => {
  const scale = weights.reduce((most, weight) => Math.max(most, Math.abs(weight)), 0) / 127;
  const bytes = Int8Array.from(weights, (weight) => Math.round(weight / scale));
  const text = deflateRawSync(Buffer.from(bytes.buffer), { level: 9 }).toString('base64');
  const numbers = SCRIPTS.map((script) => `${script}: ${thresholds[script].toFixed(3)}`).join(', ');
  return `/** Made by \`npm run train:orders\`; not to be edited. */
export const BIAS = ${bias.toFixed(4)};
export const SCALE = ${scale.toFixed(6)};
/** Log odds, by script. */
export const THRESHOLDS = { ${numbers} };
/** One signed byte for each feature, deflated, in base64. */
export const WEIGHTS =
  '${text}';
`;
};

const honestFile = process.argv.includes('--honest') ? process.argv[process.argv.indexOf('--honest') + 1] : undefined;
const files = readdirSync(FOLDER)
  .filter((name) => name.endsWith('.jsonl') && !name.startsWith('held-out'))
  .sort();
const written = files.flatMap((name) =>
  readLines(join(FOLDER, name)).map((line) => ({ ...line, times: name === KNOWN.file ? KNOWN.times : 1 })),
);
const real = honestFile === undefined ? [] : readLines(honestFile);
const texts = [...written, ...real].map(toText);
print(`${written.length} written texts, ${real.length} of real tools`);
const scored = Array.from({ length: FOLDS }, (_, fold) => fold).flatMap((fold) =>
  scoreAll(
    train(texts.filter((text) => text.fold !== fold)),
    texts.filter((text) => text.fold === fold),
  ),
);
const thresholds = chooseThresholds(scored);
report(scored, thresholds);
writeFileSync(OUT, sourceOf(train(texts), thresholds));
