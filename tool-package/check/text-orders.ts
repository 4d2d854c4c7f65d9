/** Rules for wording: orders that are not a tool's to give, and advertising. */
import { showText } from '../show-text.ts';
import { listModelTexts, type ModelText } from './model-text.ts';
import { findAddressedOrders, findOrders, ORDER_TEXT } from './orders/index.ts';
import { findPromotion } from './promotion.ts';
import type { Facts, Found, Rule } from './types.ts';

const placeOf = ({ tool, field }: ModelText): Omit<Found, 'message'> => ({
  agent: tool.agent,
  tool: tool.name,
  field,
  file: tool.file ?? tool.entry,
  line: tool.line,
});

/** Characters: of what the model reads, where each sentence is weighed, and of files, where most are passed over at a glance. */
const MAX_READ = 512 * 1024;
const MAX_SCANNED = 2 * 1024 * 1024;

const orders: Rule = {
  id: 'text/orders',
  level: 'review',
  what: 'sentences that override the user’s or the system’s text, give orders about other tools, ask for secrecy, for credentials or for the conversation, suppress confirmations, or address a reviewer',
  why: 'the model takes a tool’s text for instructions: this is how a tool takes over an agent',
  fix: 'say what the tool does and when it is of use; leave the rest to the user',
  *find(facts) {
    let read = 0;
    for (const text of listModelTexts(facts)) {
      read += text.text.length;
      if (read > MAX_READ) {
        yield {
          ...placeOf(text),
          message: 'the texts of the tools are too long to be searched for orders to the model',
        };
        break;
      }
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

/** What a reviewer reads; changelogs, guides, prompts and skills tell people and agents what to do all the time. */
const isLookedAt = (path: string): boolean =>
  path !== 'npm-shrinkwrap.json' &&
  path !== 'package.json' &&
  (!/\.(?:md|mdx|txt|rst)$/i.test(path) || /^readme\b[^/]*$/i.test(path));

function* ordersInFiles(facts: Facts): Generator<Found, void, undefined> {
  let scanned = 0;
  for (const { path, text } of facts.listTexts()) {
    if (!isLookedAt(path)) continue;
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

const promotion: Rule = {
  id: 'text/self-promotion',
  level: 'warn',
  what: 'superlatives, "always use", "prefer over"',
  why: 'the model picks tools by their text: advertising makes it pick the wrong one',
  fix: 'say what the tool does, and what it does not',
  *find(facts) {
    for (const text of listModelTexts(facts)) {
      if (text.kind !== 'prose') continue;
      const words = findPromotion(text.text);
      if (words !== undefined)
        yield { ...placeOf(text), message: `\`${showText(text.field)}\` advertises: "${showText(words)}"` };
    }
  },
};

export const ORDER_RULES: readonly Rule[] = [orders, promotion];
