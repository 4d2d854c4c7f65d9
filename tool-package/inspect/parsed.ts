/**
 * The second try: what evaluation could not read is looked for in the text of the sources. Constants, templates,
 * concatenation and identifiers from other files are followed; what is found has the origin `parsed`.
 */
import { createMachine } from '../source/evaluate.ts';
import type { Machine } from '../source/machine.ts';
import { child, isCall, isMember, lineOf, list, type Node, text, walk } from '../source/node.ts';
import { readProgram } from '../source/program.ts';
import { findMember, toJson } from './parsed-value.ts';
import { nameOfExport } from './read-report.ts';
import type { EntryInspection, InspectedTool } from './types.ts';

/** A definition in the text: the object given to `registerTool` or `tool`, or exported. */
type Definition = { file: string; line: number; lastLine: number; node: Node; export: string | null };

const FIELDS = ['name', 'label', 'description', 'promptSnippet', 'promptGuidelines', 'parameters'] as const;

/** The inspections with what a parse adds; the same objects where nothing is missing. Never throws. */
export function fillFromSources(
  inspections: readonly EntryInspection[],
  sources: ReadonlyMap<string, Uint8Array>,
): EntryInspection[] {
  if (!inspections.some(needsParse)) return [...inspections];
  try {
    const machine = createMachine(readProgram(sources));
    const definitions = findDefinitions(machine);
    return inspections.map((inspection) =>
      needsParse(inspection) ? fill(inspection, definitions, machine) : inspection,
    );
  } catch {
    return [...inspections];
  }
}

const needsParse = (inspection: EntryInspection): boolean =>
  isUnreadable(inspection) || inspection.tools.some((tool) => tool.unread.length > 0);

/** An entry that ended before it registered anything. */
const isUnreadable = ({ problem, tools }: EntryInspection): boolean =>
  tools.length === 0 && problem !== null && problem.kind !== 'no-default-function';

function findDefinitions(machine: Machine): Definition[] {
  const found: Definition[] = [];
  for (const [file, source] of machine.program.files) {
    walk(source.program, (node) => {
      const definition = definitionOf(node, file);
      if (definition) found.push(definition);
      return true;
    });
  }
  return found;
}

function definitionOf(node: Node, file: string): Definition | undefined {
  const place = { file, line: lineOf(node), lastLine: lastLineOf(node) };
  const argument = isCall(node) ? list(node, 'arguments')[0] : undefined;
  if (argument) {
    const callee = child(node, 'callee');
    const isRegister =
      isMember(callee) && callee !== null && text(child(callee, 'property'), 'name') === 'registerTool';
    if (isRegister) return { ...place, node: argument, export: null };
    const name = text(callee, 'name') === 'tool' ? exportName(node) : null;
    return name === null ? undefined : { ...place, node: argument, export: name };
  }
  const name = node.type === 'ObjectExpression' ? exportName(node) : null;
  return name === null ? undefined : { ...place, node, export: name };
}

const lastLineOf = (node: Node): number =>
  (node.loc as { end?: { line?: number } } | null | undefined)?.end?.line ?? lineOf(node);

/** `default` for `export default X`, `add` for `export const add = X`. */
function exportName(node: Node): string | null {
  const parent = node.parent ?? null;
  if (parent?.type === 'ExportDefaultDeclaration') return 'default';
  if (parent?.type !== 'VariableDeclarator') return null;
  return parent.parent?.parent?.type === 'ExportNamedDeclaration' ? text(child(parent, 'id'), 'name') : null;
}

function fill(inspection: EntryInspection, definitions: readonly Definition[], machine: Machine): EntryInspection {
  if (isUnreadable(inspection)) return { ...inspection, tools: toolsFromText(inspection, definitions, machine) };
  const tools = inspection.tools.map((tool) => {
    const definition = tool.unread.length > 0 ? definitions.find((each) => isSame(each, tool)) : undefined;
    return definition ? withParsedFields(tool, definition, machine) : tool;
  });
  return { ...inspection, tools };
}

const isSame = (definition: Definition, tool: InspectedTool): boolean =>
  definition.file === tool.file &&
  tool.line !== null &&
  definition.export === tool.export &&
  tool.line >= definition.line &&
  tool.line <= definition.lastLine;

/** Only from the entry itself: which other files it would have reached is not known. */
function toolsFromText(
  { agent, entry }: EntryInspection,
  definitions: readonly Definition[],
  machine: Machine,
): InspectedTool[] {
  const own = definitions.filter((each) => each.file === entry && (each.export === null) === (agent === 'pi'));
  return own.map((definition) => {
    const isPi = agent === 'pi';
    const blank: InspectedTool = {
      name: isPi ? null : nameOfExport(entry, definition.export ?? 'default'),
      label: null,
      description: null,
      promptSnippet: null,
      promptGuidelines: [],
      parameters: null,
      entry,
      export: definition.export,
      flags: { prepareArguments: false, renderCall: false, renderResult: false, defaultActive: true },
      execute: true,
      file: entry,
      line: definition.line,
      unread: [...(isPi ? ['name'] : []), 'description', 'parameters'].map((field) => ({
        field,
        from: 'an entry that could not be evaluated',
      })),
      origin: isPi ? {} : { name: 'parsed' },
    };
    return withParsedFields(blank, definition, machine);
  });
}

function withParsedFields(tool: InspectedTool, definition: Definition, machine: Machine): InspectedTool {
  const value = machine.evaluate(definition.node, null);
  const filled: InspectedTool = { ...tool, unread: [...tool.unread], origin: { ...tool.origin } };
  for (const field of FIELDS) {
    const isWanted =
      tool.unread.some((each) => each.field === field) ||
      (tool.origin.description === undefined && !(field in tool.origin));
    const found = isWanted ? toJson(findMember(value, field)) : undefined;
    if (found === undefined || !setField(filled, field, found)) continue;
    filled.origin[field] = 'parsed';
    filled.unread = filled.unread.filter((each) => each.field !== field);
  }
  return filled;
}

/** False where the value has the wrong type for the field. */
function setField(tool: InspectedTool, field: (typeof FIELDS)[number], value: unknown): boolean {
  if (field === 'promptGuidelines') {
    if (!Array.isArray(value) || !value.every((each) => typeof each === 'string')) return false;
    tool.promptGuidelines = value;
    return true;
  }
  if (field === 'parameters') {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
    tool.parameters = value as Record<string, unknown>;
    return true;
  }
  if (typeof value !== 'string') return false;
  tool[field] = value;
  return true;
}
