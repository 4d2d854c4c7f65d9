/** What changed between two definitions of a tool. */
import type { Change } from '../../schemas/api/diff.ts';
import type { Tool } from '../../schemas/manifest.ts';
import { compareSchemas } from './compare-schemas.ts';
import { sameJson } from './same-json.ts';
import type { Budget } from './walk.ts';
import { compareWording } from './wording.ts';

/** A change whose tool and agents are said by the caller. */
export type ToolChange = Omit<Change, 'tool' | 'agents'>;

const TEXTS = ['label', 'description', 'promptSnippet', 'promptGuidelines'] as const;

/** All changes of the definition, the schema's first. Empty exactly when the model and the caller see the same tool. */
export function compareTools(from: Tool, to: Tool, budget: Budget): ToolChange[] {
  const texts = TEXTS.filter((field) => !sameJson(from[field], to[field])).map((field) =>
    wording(field, from[field], to[field]),
  );
  if (sameJson(from.parameters, to.parameters)) return [...compareFlags(from, to), ...texts];
  const schema = [
    ...compareSchemas(from.parameters, to.parameters, 'parameters', budget).map(asChange),
    ...compareFlags(from, to),
  ];
  const words = compareWording(from.parameters, to.parameters, 'parameters').map((change) =>
    wording(change.field, change.from, change.to),
  );
  // The order of an enum, a part that nothing refers to: the model still reads another text.
  const rewritten =
    schema.length + words.length > 0
      ? []
      : [wording('parameters', from.parameters, to.parameters, 'written differently; accepts the same arguments')];
  return [...schema, ...texts, ...words, ...rewritten];
}

const wording = (field: string, from: unknown, to: unknown, note: string | null = null): ToolChange => ({
  class: 'wording',
  field,
  from: from ?? null,
  to: to ?? null,
  note,
});

const asChange = ({ direction, ...rest }: ReturnType<typeof compareSchemas>[number]): ToolChange => ({
  class: direction === 'narrower' ? 'schema-narrower' : 'schema-wider',
  ...rest,
});

/** Code that rewrites arguments before they are checked: what it makes of them cannot be read off a schema. */
const compareFlags = (from: Tool, to: Tool): ToolChange[] =>
  from.flags.prepareArguments === to.flags.prepareArguments
    ? []
    : [
        {
          class: 'schema-narrower',
          field: 'prepareArguments',
          from: from.flags.prepareArguments,
          to: to.flags.prepareArguments,
          note: 'not decided: code rewrites the arguments before they are checked; counted as narrower',
        },
      ];
