/** Rules for the text that the model reads: what is hidden in it, and what is missing. */

import { showText } from '../show-text.ts';
import { isSourcePath } from '../source/parse.ts';
import { findHidden, type Hidden } from './hidden-text.ts';
import { listModelTexts } from './model-text.ts';
import { walkSchema } from './schema-walk.ts';
import type { CheckedTool, Facts, Found, Rule } from './types.ts';

const hidden: Rule = {
  id: 'text/hidden',
  level: 'error',
  what: 'characters that a reader does not see: Unicode tags, bidi overrides, variation selectors outside emoji, zero-width characters, terminal escapes; in other text files of the package: review',
  why: 'the model reads what the user cannot: orders are smuggled in this way',
  fix: 'delete the characters; `pi-tools check` shows them escaped',
  *find(facts) {
    for (const { tool, field, text } of listModelTexts(facts)) {
      for (const one of findHidden(text)) {
        yield {
          agent: tool.agent,
          tool: tool.name,
          field,
          file: tool.file ?? tool.entry,
          line: tool.line,
          message: `\`${showText(field)}\` holds ${describe(one)}: "${excerpt(text, one.index)}"`,
        };
      }
    }
    yield* hiddenInFiles(facts);
  },
};

function* hiddenInFiles(facts: Facts): Generator<Found, void, undefined> {
  for (const { path, text } of facts.listTexts()) {
    for (const one of findHidden(text)) {
      // A program may well print colours, and old files end their lines with a carriage return.
      if (one.kind === 'terminal escapes') continue;
      const line = text.slice(0, one.index).split('\n').length;
      const kind = isSourcePath(path) ? 'the source' : 'the file';
      yield {
        level: 'review',
        file: path,
        line,
        message: `${kind} \`${showText(path)}\` holds ${describe(one)}: "${excerpt(text, one.index)}"`,
      };
    }
  }
}

const describe = (one: Hidden): string =>
  `${one.kind} (U+${one.codePoint.toString(16).toUpperCase().padStart(4, '0')})`;

const excerpt = (text: string, index: number): string => showText(text.slice(Math.max(0, index - 20), index + 40));

const undescribed: Rule = {
  id: 'text/undescribed',
  level: 'warn',
  what: 'a tool or a parameter without a description',
  why: 'the model guesses what it is for',
  fix: 'describe it: what it is, its unit or form, an example',
  *find(facts) {
    for (const tool of facts.tools) yield* undescribedIn(tool);
  },
};

function* undescribedIn(tool: CheckedTool): Generator<Found, void, undefined> {
  const place = { agent: tool.agent, tool: tool.name, file: tool.file ?? tool.entry, line: tool.line };
  const subject = tool.name === null ? 'a tool' : `\`${showText(tool.name)}\``;
  const isUnread = tool.unread.some((one) => one.field === 'description');
  if ((tool.description ?? '').trim() === '' && !isUnread) {
    yield { ...place, field: 'description', message: `${subject} has no description` };
  }
  for (const { schema, field, property } of tool.parameters === null ? [] : walkSchema(tool.parameters)) {
    if (property === null || hasDescription(schema) || isConstant(schema)) continue;
    yield { ...place, field, message: `the parameter \`${showText(property)}\` of ${subject} has no description` };
  }
}

/** Its own, or that of what it refers to. */
const hasDescription = (schema: Readonly<Record<string, unknown>>): boolean =>
  '$ref' in schema ||
  (typeof schema.description === 'string' && schema.description.trim() !== '') ||
  (typeof schema.title === 'string' && schema.title.trim() !== '');

/** One value is all that it can be: the tag of a union says what it is. */
const isConstant = ({ const: constant, enum: values }: Readonly<Record<string, unknown>>): boolean =>
  constant !== undefined || (Array.isArray(values) && values.length === 1);

export const TEXT_RULES: readonly Rule[] = [hidden, undescribed];
