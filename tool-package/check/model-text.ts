/** Everything of a tool that the model reads: where an order to it can hide. */
import { isRecord, walkSchema } from './schema-walk.ts';
import type { CheckedTool, Facts } from './types.ts';

export type ModelText = {
  readonly tool: CheckedTool;
  readonly field: string;
  readonly text: string;
  /** `name`: a tool's or a parameter's; what is typed, not read. */
  readonly kind: 'name' | 'prose' | 'value';
};

/** The texts of all tools; a definition that two agents get is listed once. */
export const listModelTexts = (facts: Facts): ModelText[] => {
  const seen = new Set<string>();
  return facts.tools.flatMap(textsOfTool).filter(({ tool, field, text }) => {
    const key = JSON.stringify([tool.entry, tool.name, field, text]);
    return !seen.has(key) && seen.add(key);
  });
};

const textsOfTool = (tool: CheckedTool): ModelText[] => {
  const make = (kind: ModelText['kind'], field: string, text: unknown): ModelText[] =>
    typeof text === 'string' && text !== '' ? [{ tool, field, text, kind }] : [];
  return [
    ...make('name', 'name', tool.name),
    ...make('prose', 'label', tool.label),
    ...make('prose', 'description', tool.description),
    ...make('prose', 'promptSnippet', tool.promptSnippet),
    ...tool.promptGuidelines.flatMap((line, index) => make('prose', `promptGuidelines[${index}]`, line)),
    ...(tool.parameters === null ? [] : [...walkSchema(tool.parameters)]).flatMap(({ schema, field, property }) => [
      ...make('name', field, property),
      ...make('prose', `${field}.description`, schema.description),
      ...make('prose', `${field}.title`, schema.title),
      ...make('value', `${field}.pattern`, schema.pattern),
      ...make('value', `${field}.const`, schema.const),
      ...listStrings(schema.enum).flatMap((text) => make('value', `${field}.enum`, text)),
      ...listStrings(schema.default).flatMap((text) => make('value', `${field}.default`, text)),
      ...listStrings(schema.examples).flatMap((text) => make('value', `${field}.examples`, text)),
    ]),
  ];
};

const MAX_STRINGS = 1000;

/** The strings in a JSON value, keys too. */
const listStrings = (value: unknown): string[] => {
  const found: string[] = [];
  const queue: unknown[] = [value];
  for (let at = 0; at < queue.length && found.length < MAX_STRINGS && at < MAX_STRINGS * 10; at += 1) {
    const one = queue[at];
    if (typeof one === 'string') found.push(one);
    else if (Array.isArray(one)) queue.push(...one);
    else if (isRecord(one)) queue.push(...Object.keys(one), ...Object.values(one));
  }
  return found;
};
