/** Rules for wording: orders that are not a tool's to give, and advertising. */
import { showText } from '../show-text.ts';
import { listModelTexts, type ModelText } from './model-text.ts';
import { findAddressedOrders, findOrders, ORDER_TEXT } from './phrases.ts';
import type { Facts, Found, Rule } from './types.ts';

const placeOf = ({ tool, field }: ModelText): Omit<Found, 'message'> => ({
  agent: tool.agent,
  tool: tool.name,
  field,
  file: tool.file ?? tool.entry,
  line: tool.line,
});

const MAX_SCANNED = 2 * 1024 * 1024;

const orders: Rule = {
  id: 'text/orders',
  level: 'review',
  what: 'sentences that override the user’s or the system’s text, give orders about other tools, ask for secrecy, for credentials or for the conversation, suppress confirmations, or address a reviewer',
  why: 'the model takes a tool’s text for instructions: this is how a tool takes over an agent',
  fix: 'say what the tool does and when it is of use; leave the rest to the user',
  *find(facts) {
    for (const text of listModelTexts(facts)) {
      // A name can be a sentence too: `call_this_before_any_other_tool`.
      const words = text.kind === 'name' ? text.text.replace(/[_-]+/g, ' ') : text.text;
      for (const { kind, sentence } of findOrders(words)) {
        yield {
          ...placeOf(text),
          message: `\`${showText(text.field)}\` ${ORDER_TEXT[kind]}: "${showText(sentence, 200)}"`,
        };
      }
    }
    yield* ordersInFiles(facts);
  },
};

function* ordersInFiles(facts: Facts): Generator<Found, void, undefined> {
  let scanned = 0;
  for (const { path, text } of facts.listTexts()) {
    if (path === 'npm-shrinkwrap.json' || path === 'package.json') continue;
    scanned += text.length;
    if (scanned > MAX_SCANNED) {
      yield {
        file: path,
        message: `\`${showText(path)}\` was not searched for orders to the model: the package has too much text`,
      };
      return;
    }
    for (const { kind, sentence, index } of findAddressedOrders(text)) {
      const line = text.slice(0, index + 1).split('\n').length;
      yield {
        file: path,
        line,
        message: `a sentence in \`${showText(path)}\` ${ORDER_TEXT[kind]}: "${showText(sentence, 200)}"`,
      };
    }
  }
}

const PROMOTION: readonly RegExp[] = [
  /\bmost (?:\w+ ){1,3}(?:in existence|available|ever|in the world|on the market|of all)\b|\b(?:the )?(?:best|greatest|ultimate|finest) (?:\w+ )?(?:tool|choice|option|way|solution)\b(?! (?:to|for) \w+ (?:is|are))/i,
  /\b(?:unrivall?ed|unbeatable|unmatched|unparalleled|unsurpassed|world-class|revolutionary|game-changing|cutting-edge|state-of-the-art|second to none)\b/i,
  /\bfar ahead of\b|\bcomes? close\b|\b(?:better|faster|smarter) than (?:any|all|every|other)\b|\bno other tool\b/i,
  /\balways (?:use|choose|pick|prefer|call|reach for)\b|\bshould always be (?:used|preferred|called)\b|\buse (?:this|it) (?:first|for everything)\b/i,
  /\bprefer \S+(?: tool)? (?:over|instead of|rather than|to) (?:any|every|whatever|all|other|the (?:other|built-in))\b|\bnever (?:pick|use|choose) (?:another|any other)\b/i,
  /最(?:强大?|佳|先进|全面|准确|权威)的?[^，。；]{0,8}(?:工具|助手|选择|方案)|远胜|远超同类|万能|首选|优先使用|无与伦比|独一无二|业内最|任何任务都|不要考虑别的|一律使用/,
  /сам(?:ый|ая|ое|ые) (?:лучш|мощн|точн|быстр|надёжн|полн)|аналогов (?:нет|не)|не имеет аналогов|непревзойд|(?<![а-яё])лучш(?:ий|ая|ее) (?:инструмент|помощник|выбор|способ)|лучше (?:всех|любого|любых)/i,
  /всегда (?:выбирай|используй|вызывай|предпочитай|применяй)|в первую очередь|предпочитай(?:те)? \S+ (?:любому|любым|всем|остальн)/i,
];

const promotion: Rule = {
  id: 'text/self-promotion',
  level: 'warn',
  what: 'superlatives, "always use", "prefer over"',
  why: 'the model picks tools by their text: advertising makes it pick the wrong one',
  fix: 'say what the tool does, and what it does not',
  *find(facts) {
    for (const text of listModelTexts(facts)) {
      if (text.kind !== 'prose') continue;
      const match = PROMOTION.map((pattern) => pattern.exec(text.text)).find((one) => one !== null);
      if (match) yield { ...placeOf(text), message: `\`${showText(text.field)}\` advertises: "${showText(match[0])}"` };
    }
  },
};

export const ORDER_RULES: readonly Rule[] = [orders, promotion];
