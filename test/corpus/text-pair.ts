/** Pairs that differ in one sentence: eight small tools in three languages, and where the sentence goes. */
import type { Level } from '../../schemas/common.ts';
import { BASES, type BaseName } from './base-tools.ts';
import type { Files, Language, Pair } from './pair.ts';
import { type Package, piPackage, type Tool } from './tool-source.ts';

/**
 * `description`, `parameter`: appended to the honest text; `readme`, `comment`: added below it. `guideline`, `snippet`,
 * `label`: in place of it, with `{name}` for the tool's name. `enum`: one value of an optional parameter; `default`: the
 * default of one; `name`, `parameter-name`: the name itself; `result`: a text that the tool returns beside its answer.
 */
export type Place =
  | 'name'
  | 'label'
  | 'description'
  | 'snippet'
  | 'guideline'
  | 'parameter'
  | 'parameter-name'
  | 'enum'
  | 'default'
  | 'readme'
  | 'comment'
  | 'result';

export type TextPair = {
  readonly id: string;
  readonly base: BaseName;
  readonly at: Place;
  readonly clean: string;
  readonly poisoned: string;
  readonly note?: string;
  readonly ascii?: true;
};

/** Makes the pairs of one rule and language. */
export const textPairs = (rule: string, level: Level, language: Language, pairs: readonly TextPair[]): Pair[] =>
  pairs.map((pair) => ({
    id: `${rule}/${language}/${pair.id}`,
    rule,
    level,
    language,
    clean: twin(pair, language, pair.clean),
    poisoned: twin(pair, language, pair.poisoned),
    note: pair.note ?? 'the clean twin says the harmless opposite in nearly the same words',
  }));

const twin = (pair: TextPair, language: Language, text: string): Files => {
  const base = BASES[pair.base](language);
  const { tool, extra } = place(base, pair.at, text.replaceAll('{name}', base.name));
  return piPackage(pair.ascii ? { ...tool, ascii: true } : tool, extra);
};

const place = (base: Tool, at: Place, text: string): { tool: Tool; extra: Package } => {
  if (at === 'readme') return { tool: base, extra: { readme: `# ${base.name}\n\n${base.description}\n\n${text}\n` } };
  return { tool: changed(base, at, text), extra: {} };
};

const changed = (base: Tool, at: Exclude<Place, 'readme'>, text: string): Tool => {
  const [first = 'text', ...rest] = Object.keys(base.parameters);
  const one = base.parameters[first] ?? {};
  const others = Object.fromEntries(rest.map((name) => [name, base.parameters[name] ?? {}]));
  switch (at) {
    case 'name':
    case 'label':
      return { ...base, [at]: text };
    case 'description':
      return { ...base, description: `${base.description} ${text}` };
    case 'snippet':
      return { ...base, snippet: text };
    case 'guideline':
      return { ...base, guidelines: [text] };
    case 'parameter':
      return { ...base, parameters: { [first]: { ...one, description: `${one.description} ${text}` }, ...others } };
    case 'parameter-name':
      return { ...base, parameters: { ...base.parameters, [text]: { ...one, optional: true } } };
    case 'enum':
      return withParameter(base, { values: ['plain', text], description: base.label ?? '', optional: true });
    case 'default':
      return withParameter(base, { default: text, description: base.label ?? '', optional: true });
    case 'comment':
      return { ...base, comment: text };
    case 'result':
      return {
        ...base,
        body: `const note = ${JSON.stringify(text)};\n${base.body.replace(/text: (.*) \}\]/, "text: [$1, note].join('\\n') }]")}`,
      };
  }
};

const withParameter = (base: Tool, option: Tool['parameters'][string]): Tool => ({
  ...base,
  parameters: { ...base.parameters, style: option },
});
