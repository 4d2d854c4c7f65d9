/** Missing permissions into `package.json`, as text: not one other byte of the author's file changes. */
import type { Permissions } from '../../schemas/package-json.ts';
import { Problem } from '../../schemas/problem.ts';
import { parsePackageJson } from '../../tool-package/package-json.ts';
import { covers } from '../../tool-package/source/coverage.ts';
import { missingDeclarations, type Observation, USE_KINDS } from '../../tool-package/source/permissions.ts';
import type { UseKind } from '../../tool-package/source/types.ts';
import { appendElement, appendProperty, findProperty, type Node, parseJsonText } from '../state/json-text.ts';
import type { FixChange, FixedText, NotFixed } from './fix.ts';

const FILE = 'package.json';

/** Adds to `piTools.permissions` what the code uses and it does not say. */
export const declareMissing = async (
  text: string,
  declared: Permissions,
  observed: Observation,
): Promise<FixedText> => {
  const found = missingDeclarations(declared, observed);
  const here = kindsHere(found, observed);
  const missing = inOrder(found, here);
  const changes = USE_KINDS.flatMap((kind) =>
    (missing[kind] ?? []).map(
      (value): FixChange => ({
        kind: 'permission',
        file: FILE,
        line: null,
        before: null,
        after: `piTools.permissions.${kind}: ${JSON.stringify(value)}`,
      }),
    ),
  );
  if (changes.length === 0) return { text, changes: [], notFixed: [] };
  const edited = addPermissions(text, missing);
  const refused = await whyRefused(edited);
  if (refused !== null) return { text, changes: [], notFixed: [{ file: FILE, line: null, reason: refused }] };
  return { text: edited, changes, notFixed: [...wildcards(missing), ...here.map(assumed)] };
};

/** Kinds of files of which the code does not say where they are, and that it otherwise joins to the working folder. */
const kindsHere = (missing: Permissions, { uses }: Observation): UseKind[] => {
  const isNear = uses.some(({ kind, near }) => (kind === 'read' || kind === 'write') && near === true);
  return isNear ? (['read', 'write'] as const).filter((kind) => missing[kind]?.includes('*')) : [];
};

/** In the order of docs/permissions.md; `.` for `here` covers every path that cannot be decided. */
const inOrder = (missing: Permissions, here: readonly UseKind[]): Permissions =>
  Object.fromEntries(
    USE_KINDS.flatMap((kind) => {
      const values = (missing[kind] ?? []).map((value) => (value === '*' && here.includes(kind) ? '.' : value));
      const wanted = values.filter((value) => value === '.' || !values.includes('.') || !covers(kind, '.', value));
      return wanted.length === 0 ? [] : [[kind, [...new Set(wanted)]]];
    }),
  );

const assumed = (kind: UseKind): NotFixed => ({
  file: FILE,
  line: null,
  reason: `\`${kind}\` is declared for the working folder (\`.\`), which the code does not say of every path: name what lies elsewhere`,
});

/** What is there keeps its place; new lists and objects go behind their neighbours, laid out as the file is. */
const addPermissions = (text: string, missing: Permissions): string => {
  const root = parseJsonText(text, 'json');
  const tools = findProperty(root, 'piTools');
  if (tools === undefined) return appendProperty(text, root, 'piTools', { permissions: missing });
  const permissions = findProperty(tools.value, 'permissions');
  if (permissions === undefined) return appendProperty(text, tools.value, 'permissions', missing);
  return USE_KINDS.reduce((edited, kind) => addKind(edited, kind, missing[kind] ?? []), text);
};

const permissionsNode = (text: string): Node | undefined => {
  const tools = findProperty(parseJsonText(text, 'json'), 'piTools');
  return tools === undefined ? undefined : findProperty(tools.value, 'permissions')?.value;
};

const addKind = (text: string, kind: string, values: readonly string[]): string => {
  const permissions = permissionsNode(text);
  if (values.length === 0 || permissions === undefined) return text;
  if (findProperty(permissions, kind) === undefined) return appendProperty(text, permissions, kind, values);
  return values.reduce((edited, value) => {
    const list = permissionsNode(edited);
    const node = list === undefined ? undefined : findProperty(list, kind)?.value;
    return node === undefined ? edited : appendElement(edited, node, value);
  }, text);
};

/** The same reader as the registry's: what it would not take is not written (more than 100 hosts, say). */
const whyRefused = async (text: string): Promise<string | null> => {
  try {
    await parsePackageJson(Buffer.from(text));
    return null;
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    return `the permissions could not be declared: ${error.message}`;
  }
};

/** `*` is what the code leaves no other word for; a curator will ask. */
const wildcards = (missing: Permissions): NotFixed[] =>
  USE_KINDS.filter((kind) => missing[kind]?.includes('*')).map((kind) => ({
    file: FILE,
    line: null,
    reason: `\`${kind}\` is declared for everything (\`*\`), because the code does not say what: ${instead(kind)}`,
  }));

/** What covers a value that cannot be decided: docs/permissions.md. */
const instead = (kind: (typeof USE_KINDS)[number]): string =>
  kind === 'read' || kind === 'write'
    ? 'declare `.` in its place where it stays in the working folder'
    : 'check the value against a constant list, and declare what is in it';
