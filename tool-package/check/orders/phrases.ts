/**
 * Known phrasings of orders which are not a tool's to give, in English, Chinese and Russian. Two lists
 * each: phrases as people write them, and ideas that make an order when they meet in one sentence, in whatever words and
 * order; phrases alone are passed by the first poisoned tool that words it otherwise. Patterns see one sentence in lower
 * case with plain blanks; gaps are bounded, so none can run long. Measured by test/corpus.
 */
import { ENGLISH_IDEAS } from './ideas-en.ts';
import { RUSSIAN_IDEAS } from './ideas-ru.ts';
import { WIDE_IDEAS } from './ideas-wide.ts';
import { CHINESE_IDEAS } from './ideas-zh.ts';
import { ORDER_KINDS, type OrderKind, type OrderPattern } from './order-pattern.ts';
import { ENGLISH } from './phrases-en.ts';
import { RUSSIAN } from './phrases-ru.ts';
import { CHINESE } from './phrases-zh.ts';

/** One pattern, or several that meet in one sentence in any order, and none of `unless`. */
export type Phrase = RegExp | { readonly all: readonly RegExp[]; readonly unless?: RegExp };
export type Phrases = Readonly<Record<OrderKind, readonly Phrase[]>>;

/** Sentences about such orders, not orders: a linter for them gives examples, or says what others try. */
const GIVES_EXAMPLES =
  /\bfor example\b|\bsuch as\b|\be\.g\.|\bthat (?:try|tries|attempt|ask)\b|例如|比如|诸如|话术|которыми|например/;
/** What the phrases take for an order and is none: an answer that waits for the user, who approved, names of secrets. */
const HARMLESS =
  /\bbefore the user (?:has|had|did|tries)\b|\bmay not know (?:what|which|how|where)\b|\bsandbox\w*\b|\brefuse to run it\b|\b(?:performance|deprecation|compiler) warnings\b|\bcollect information\b|\brunner findings\b|\bdoes(?:n't| not) know about\b|\bdefaults?(?: to|:)? ?(?:true|false)\b|密钥的名称|从不读取|若设置了|哪些审核人|кто из проверяющих|пока (?:пользователь|он|человек) не/;
/** As GIVES_EXAMPLES, for the ideas: narrower, since "for example" is a good place to hide an order. */
const DESCRIBES =
  /\bfor (?:example|instance) by\b|\b(?:sentences?|phrases?|texts?|requests?|attempts?|orders?|instructions?|injections?|payloads?) (?:such as|like|that|which)\b|\b(?:detects?|finds?|flags?|warns?|lints?|looks? for|scans? for|searches? for|counts?) (?:\w+ ){0,4}(?:attempts?|injections?|phrases|sentences|leaks?)\b|^(?:detect|find|flag|lint) |话术|(?:检测|查找|扫描|识别).{0,12}(?:注入|泄露|漏洞)|(?:фраз|предложени|просьб|попыт)\S*,? (?:которы|вроде|например|чтобы|забыть|выдать)|(?:ищет|находит|обнаруживает|выявляет) .{0,30}(?:внедр|инъекц|фраз|попыт|утеч)/;

const toPattern = (kind: OrderKind, phrase: Phrase): OrderPattern =>
  phrase instanceof RegExp ? { kind, all: [phrase] } : { kind, ...phrase };
const PHRASES = byScript(
  ORDER_KINDS.flatMap((kind) =>
    [ENGLISH, CHINESE, RUSSIAN].flatMap((phrases) => phrases[kind].map((phrase) => toPattern(kind, phrase))),
  ),
);
const ALL_IDEAS: readonly OrderPattern[] = [...ENGLISH_IDEAS, ...CHINESE_IDEAS, ...RUSSIAN_IDEAS, ...WIDE_IDEAS];
const IDEAS = byScript(ALL_IDEAS);

/** Words by which a text turns to a model. */
const TO_A_MODEL =
  /\b(?:ai|llms?|language models?|ai models?|the model|(?:ai |coding |code )?assistants?|ai (?:coding )?agents?|chat ?bots?|copilot)\b|助手|模型|智能体|помощник|ассистент|модел|нейросет/;
/** A quick look before the slow one: words by which a text turns to a model or to who or what reviews it. */
const ADDRESSES =
  /\b(?:ai|llms?|models?|assistants?|agents?|bots?|chatbots?|copilot|review\w*|audit\w*|scan\w*|classif\w*|moderat\w*|curat\w*|grad\w+|whoever|inspect\w*|analy\w*|verif\w*|detect\w*|check\w*)\b|助手|模型|智能体|审|检|扫描|评|分类|质检|负责|помощник|ассистент|модел|нейросет|провер|скан|аудит|классиф|рецензент|модератор|ревью|анализ|куратор|оцен|эксперт|инспектор|вердикт/i;
/** What reviewers and checkers do in programs that have some. */
const OF_A_PROGRAM =
  /\bpass (?:it|this|the)\b|\bstop early\b|\bapproved (?:plan|draft|p\d|notes?)|\bsubagents?\b|\brun reviewers\b|\bfallbacks?\b|\bscanner state\b|\b(?:audits|reviewers|scans) (?:do not|find|that)\b|\breviewer prose\b|\bask the reviewer\b|\bcheckers?\b|\binspectors?\b|\banaly[sz]ers?\b|\bcomputer safety\b/;
const FILE_KINDS: ReadonlySet<OrderKind> = new Set(['secrecy', 'override', 'credentials', 'conversation']);
const IN_FILES = byScript(
  ALL_IDEAS.flatMap((pattern): OrderPattern[] => {
    if (pattern.kind === 'reviewer')
      return [{ ...pattern, unless: new RegExp(`${pattern.unless?.source ?? '(?!)'}|${OF_A_PROGRAM.source}`) }];
    return FILE_KINDS.has(pattern.kind) ? [{ ...pattern, all: [TO_A_MODEL, ...pattern.all] }] : [];
  }),
);

/** The kinds of known phrasings in a sentence (`plainText`). */
export const listPhrasings = (plain: string): OrderKind[] => {
  const kinds: (OrderKind | undefined)[] = [];
  if (!DESCRIBES.test(plain)) kinds.push(kindOf(plain.replaceAll('ё', 'е'), IDEAS));
  if (!GIVES_EXAMPLES.test(plain) && !HARMLESS.test(plain)) kinds.push(kindOf(plain, PHRASES));
  return [...new Set(kinds.filter((kind) => kind !== undefined))];
};

/** As `listPhrasings`, of a sentence that turns to a model or a reviewer; undefined where there is none. */
export const findAddressedPhrasing = (plain: string): OrderKind | undefined =>
  ADDRESSES.test(plain) && !DESCRIBES.test(plain) ? kindOf(plain.replaceAll('ё', 'е'), IN_FILES) : undefined;

/** Patterns by the script that they need: a sentence is compared with those of its own scripts only. */
type ByScript = readonly { readonly script: RegExp; readonly patterns: readonly OrderPattern[] }[];

function byScript(patterns: readonly OrderPattern[]): ByScript {
  const [han, cyrillic, latin] = [/\p{Script=Han}/u, /\p{Script=Cyrillic}/u, /[a-z]/];
  // An idea in several languages (who is addressed) stands beside others that say which one it is.
  const isOnly = ({ source }: RegExp, one: RegExp, other: RegExp): boolean => one.test(source) && !other.test(source);
  const scriptOf = ({ all }: OrderPattern): RegExp => {
    if (all.some((idea) => isOnly(idea, cyrillic, han))) return cyrillic;
    return all.some((idea) => isOnly(idea, han, cyrillic)) ? han : latin;
  };
  return [han, cyrillic, latin].map((script) => ({
    script,
    patterns: patterns.filter((pattern) => scriptOf(pattern) === script),
  }));
}

const kindOf = (plain: string, groups: ByScript): OrderKind | undefined => {
  for (const { script, patterns } of groups) {
    if (!script.test(plain)) continue;
    const found = patterns.find(
      ({ all, unless }) => all.every((idea) => idea.test(plain)) && unless?.test(plain) !== true,
    );
    if (found !== undefined) return found.kind;
  }
  return undefined;
};
