/**
 * Whether the configuration of SlopCode or opencode hides a tool, and the exact change that shows it again. Custom tools are allowed by default and
 * `ask` never asks for them; only a `deny` (or `tools: false`) hides one. The last matching key wins, a key that a higher file sets again keeps
 * its place, and `tools` counts before `permission`.
 */
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import {
  appendProperty,
  findProperty,
  JsonTextError,
  listProperties,
  type Node,
  parseJsonText,
  removeChild,
  replaceNode,
} from '../state/json-text.ts';
import type { PathEnvironment } from '../state/paths.ts';
import { configFolder } from '../state/paths.ts';
import { hostFolders, type ToolHost } from './tool-files.ts';

type Action = 'allow' | 'ask' | 'deny';
type Rule = { pattern: string; action: Action; file: string; key: 'tools' | 'permission'; whole: boolean };

/** The file and key that hide a tool. */
export type Hiding = { readonly file: string; readonly key: 'tools' | 'permission'; readonly whole: boolean };

/** Configuration files that may be there, lowest first. */
export function listConfigFiles(host: ToolHost, environment: PathEnvironment, cwd: string): string[] {
  const global = join(configFolder(environment), host.configName);
  const folders = hostFolders(host, environment, cwd);
  const parents = [...new Set(folders.filter((folder) => folder !== global).map(dirname))]
    .filter((parent) => parent !== environment.home)
    .reverse();
  const inFolder = (folder: string): string[] => [...host.configFiles].reverse().map((name) => join(folder, name));
  return [
    ...inFolder(global),
    ...parents.flatMap(inFolder),
    ...folders.filter((folder) => folder !== global).flatMap(inFolder),
  ];
}

const readText = (file: string): string | undefined => {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return undefined;
  }
};

const parse = (text: string): Node | undefined => {
  try {
    const root = parseJsonText(text, 'jsonc');
    return root.type === 'object' ? root : undefined;
  } catch (error) {
    if (error instanceof JsonTextError) return undefined;
    throw error;
  }
};

const isAction = (value: unknown): value is Action => value === 'allow' || value === 'ask' || value === 'deny';

/** A value of `permission`: an action, or patterns of which `*` is what matters for hiding. */
const actionOf = (value: Node): Action | undefined => {
  const node = value.type === 'object' ? findProperty(value, '*')?.value : value;
  return isAction(node?.value) ? node.value : undefined;
};

/** Sets a rule: a pattern that is there keeps its place. */
function setRule(rules: Rule[], rule: Rule): void {
  const at = rules.findIndex(
    ({ key, pattern, whole }) => key === rule.key && pattern === rule.pattern && whole === rule.whole,
  );
  if (at === -1) rules.push(rule);
  else rules[at] = rule;
}

function addFile(rules: Rule[], file: string, root: Node): void {
  const tools = findProperty(root, 'tools')?.value;
  for (const { name, value } of tools?.type === 'object' ? listProperties(tools) : []) {
    const action = value.value === false ? 'deny' : 'allow';
    setRule(rules, { pattern: name, action, file, key: 'tools', whole: false });
  }
  const permission = findProperty(root, 'permission')?.value;
  if (permission === undefined) return;
  if (isAction(permission.value)) {
    rules.splice(0, rules.length, ...rules.filter(({ key }) => key !== 'permission'));
    rules.push({ pattern: '*', action: permission.value, file, key: 'permission', whole: true });
    return;
  }
  for (const { name, value } of permission.type === 'object' ? listProperties(permission) : []) {
    const action = actionOf(value);
    if (action !== undefined) setRule(rules, { pattern: name, action, file, key: 'permission', whole: false });
  }
}

const matches = (pattern: string, tool: string): boolean =>
  new RegExp(
    `^${pattern
      .replace(/[.+^${}()|[\]\\]/g, '\\$&')
      .replaceAll('*', '.*')
      .replaceAll('?', '.')}$`,
    's',
  ).test(tool);

/** What hides a tool; undefined when it is offered. Files that do not parse are the agent's own trouble and count as empty. */
export function findHiding(files: readonly string[], tool: string): Hiding | undefined {
  const rules: Rule[] = [];
  for (const file of files) {
    const text = readText(file);
    const root = text === undefined ? undefined : parse(text);
    if (root !== undefined) addFile(rules, file, root);
  }
  const ordered = [...rules.filter(({ key }) => key === 'tools'), ...rules.filter(({ key }) => key === 'permission')];
  const last = ordered.findLast(({ pattern }) => matches(pattern, tool));
  return last?.action === 'deny' ? { file: last.file, key: last.key, whole: last.whole } : undefined;
}

/** How the change is said: one line. */
export const showingText = ({ file, key, whole }: Hiding, tool: string): string => {
  if (whole) return `in ${file}: "permission": {"*": "deny", ${JSON.stringify(tool)}: "allow"}`;
  return `in ${file}, last in "${key}": ${JSON.stringify(tool)}: ${key === 'tools' ? 'true' : '"allow"'}`;
};

const withProperty = (text: string, key: string, tool: string, value: unknown): string => {
  const root = parseJsonText(text, 'jsonc');
  const container = findProperty(root, key)?.value;
  if (container === undefined || container.type !== 'object') return text;
  return appendProperty(text, container, tool, value);
};

/** The text with the tool shown: the key goes last, since the last match wins. */
export function showTool(text: string, hiding: Hiding, tool: string): string {
  const { key, whole } = hiding;
  const root = parseJsonText(text, 'jsonc');
  const container = findProperty(root, key)?.value;
  if (container === undefined) return text;
  if (whole) return replaceNode(text, container, JSON.stringify({ '*': 'deny', [tool]: 'allow' }));
  const present = findProperty(container, tool);
  const cleared = present === undefined ? text : removeChild(text, container, present.node);
  return withProperty(cleared, key, tool, key === 'tools' ? true : 'allow');
}

/** Takes `showTool` back where its key still says what it wrote. */
export function unshowTool(text: string, hiding: Hiding, tool: string): string {
  const root = parse(text);
  const container = root === undefined ? undefined : findProperty(root, hiding.key)?.value;
  const present = container?.type === 'object' ? findProperty(container, tool) : undefined;
  if (container === undefined || present === undefined) return text;
  if (present.value.value !== (hiding.key === 'tools' ? true : 'allow')) return text;
  const next = removeChild(text, container, present.node);
  if (!hiding.whole) return next;
  const left = findProperty(parseJsonText(next, 'jsonc'), hiding.key)?.value;
  const rest = left === undefined ? [] : listProperties(left);
  const onlyDeny = rest.length === 1 && rest[0]?.name === '*' && rest[0].value.value === 'deny';
  return left !== undefined && onlyDeny ? replaceNode(next, left, '"deny"') : next;
}
