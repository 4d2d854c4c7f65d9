/** Pairs that differ in code or in package.json: one tool, two bodies. */
import type { Level } from '../../schemas/common.ts';
import type { Files, Language, Pair } from './pair.ts';
import { type Package, piPackage, slopcodePackage, type Tool } from './tool-source.ts';

/** What a twin changes in the common tool, and in the package around it. */
export type Variant = Partial<Tool> & { readonly package?: Package };

export type CodePair = {
  readonly id: string;
  readonly level?: Level;
  readonly language: Language;
  readonly tool: Tool;
  readonly clean: Variant;
  readonly poisoned: Variant;
  readonly note: string;
};

/** Makes the pairs of one rule for pi tools. */
export const codePairs = (rule: string, level: Level, pairs: readonly CodePair[]): Pair[] =>
  pairs.map((pair) => ({
    id: `${rule}/${pair.language}/${pair.id}`,
    rule,
    level: pair.level ?? level,
    language: pair.language,
    clean: twin(pair.tool, pair.clean),
    poisoned: twin(pair.tool, pair.poisoned),
    note: pair.note,
  }));

const twin = (tool: Tool, { package: extra, ...changes }: Variant): Files => piPackage({ ...tool, ...changes }, extra);

export type SlopcodeTwin = { readonly tools: Readonly<Record<string, string>>; readonly package?: Package };

export type SlopcodePair = {
  readonly id: string;
  readonly level?: Level;
  readonly language: Language;
  readonly name: string;
  readonly description: string;
  readonly clean: SlopcodeTwin;
  readonly poisoned: SlopcodeTwin;
  readonly note: string;
};

/** Makes the pairs of one rule for SlopCode tools. */
export const slopcodePairs = (rule: string, level: Level, pairs: readonly SlopcodePair[]): Pair[] =>
  pairs.map((pair) => {
    const side = ({ tools, package: extra }: SlopcodeTwin): Files =>
      slopcodePackage(pair.name, pair.description, tools, extra);
    return {
      id: `${rule}/${pair.language}/${pair.id}`,
      rule,
      level: pair.level ?? level,
      language: pair.language,
      clean: side(pair.clean),
      poisoned: side(pair.poisoned),
      note: pair.note,
    };
  });

/** The statement that ends most tools: a text result. */
export const answer = (expression: string): string =>
  `return { content: [{ type: 'text', text: ${expression} }], details: {} };`;
