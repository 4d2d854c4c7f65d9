/** `pi-tools.json`: what a project wants. Edited as text: a hand-written file keeps its layout. */
import { readFileSync } from 'node:fs';
import { AGENTS, type Agent, PACKAGE_NAME_PATTERN } from '../../schemas/agents.ts';
import { Problem } from '../../schemas/problem.ts';
import type { ProjectFile } from '../../schemas/project-file.ts';
import { fileProblem, isMissing } from './atomic-write.ts';
import {
  appendProperty,
  findProperty,
  JsonTextError,
  listProperties,
  type Node,
  parseJsonText,
  removeChild,
  replaceNode,
} from './json-text.ts';

export type { ProjectFile } from '../../schemas/project-file.ts';

const NAME = new RegExp(PACKAGE_NAME_PATTERN);

const invalid = (file: string, message: string, place: { line?: number; column?: number } = {}): Problem => {
  const where = place.line === undefined ? '' : ` (line ${place.line}, column ${place.column})`;
  return new Problem('state_invalid', `\`${file}\`: ${message}${where}`, {
    hint: 'mend the file, then run the command again',
    details: { file, ...place },
  });
};

function parse(text: string, file: string): Node {
  let root: Node;
  try {
    root = parseJsonText(text, 'json');
  } catch (error) {
    if (error instanceof JsonTextError) throw invalid(file, error.message, { line: error.line, column: error.column });
    throw error;
  }
  if (root.type !== 'object') throw invalid(file, 'the top level is not an object', { line: 1, column: 1 });
  return root;
}

const placeOf = (text: string, node: Node): { line: number; column: number } =>
  new JsonTextError('', text, node.offset);

function textMap(text: string, file: string, root: Node, name: string): Record<string, string> | undefined {
  const property = findProperty(root, name);
  if (property === undefined) return undefined;
  const wrong = (node: Node, wanted: string): Problem => invalid(file, `\`${name}\` ${wanted}`, placeOf(text, node));
  if (property.value.type !== 'object') throw wrong(property.value, 'is not an object');
  const map: Record<string, string> = Object.create(null);
  for (const entry of listProperties(property.value)) {
    if (entry.value.type !== 'string') throw wrong(entry.value, `has a value that is not a string: \`${entry.name}\``);
    if (name === 'tools' && !NAME.test(entry.name)) throw wrong(entry.key, `has no package name: \`${entry.name}\``);
    map[entry.name] = entry.value.value as string;
  }
  return map;
}

function agentsIn(text: string, file: string, root: Node): Agent[] | undefined {
  const property = findProperty(root, 'agents');
  if (property === undefined) return undefined;
  const values = (property.value.children ?? []).map((child) => child.value as unknown);
  const known = values.filter((value): value is Agent => AGENTS.includes(value as Agent));
  if (property.value.type === 'array' && known.length === values.length) return [...new Set(known)];
  throw invalid(file, `\`agents\` is not a list of ${AGENTS.join(', ')}`, placeOf(text, property.value));
}

/** What the bytes of a project file say. Problem `state_invalid` with line and column. */
export function parseProjectFile(text: string, file: string): ProjectFile {
  const root = parse(text, file);
  const registry = findProperty(root, 'registry')?.value;
  if (registry !== undefined && registry.type !== 'string') {
    throw invalid(file, '`registry` is not a string', placeOf(text, registry));
  }
  const agents = agentsIn(text, file, root);
  const registries = textMap(text, file, root, 'registries');
  const tools = textMap(text, file, root, 'tools');
  return {
    ...(registry === undefined ? {} : { registry: registry.value as string }),
    ...(registries === undefined ? {} : { registries }),
    ...(agents === undefined ? {} : { agents }),
    ...(tools === undefined ? {} : { tools }),
  };
}

/** The text of the project file; null when there is none. Problem `file_system`. */
export function readProjectText(file: string): string | null {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    if (isMissing(error)) return null;
    throw fileProblem(error, file, 'read');
  }
}

export type ProjectEdit = { readonly tools: ReadonlyMap<string, string | null>; readonly agents: readonly Agent[] };

/** The text with tools set (a range) or taken out (null), and `agents` written when the file does not say any yet. */
export function editProjectText(text: string | null, file: string, edit: ProjectEdit): string {
  let next = text ?? '{}\n';
  parseProjectFile(next, file);
  if (edit.agents.length > 0 && findProperty(parse(next, file), 'agents') === undefined) {
    next = appendProperty(next, parse(next, file), 'agents', edit.agents);
  }
  for (const [name, range] of edit.tools) next = range === null ? removeTool(next, name) : setTool(next, name, range);
  return next;
}

const toolsNode = (text: string): Node | undefined => findProperty(parseJsonText(text, 'json'), 'tools')?.value;

function setTool(text: string, name: string, range: string): string {
  const tools = toolsNode(text);
  if (tools === undefined) return appendProperty(text, parseJsonText(text, 'json'), 'tools', { [name]: range });
  const present = findProperty(tools, name);
  if (present === undefined) return appendProperty(text, tools, name, range);
  return present.value.value === range ? text : replaceNode(text, present.value, JSON.stringify(range));
}

function removeTool(text: string, name: string): string {
  const tools = toolsNode(text);
  const present = tools === undefined ? undefined : findProperty(tools, name);
  return tools === undefined || present === undefined ? text : removeChild(text, tools, present.node);
}
