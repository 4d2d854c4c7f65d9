/** Which declaration a name means: scopes, bindings and all that is assigned to them, in one pass without recursion. */
import { child, eachChild, identifierName, isFunction, list, type Node, text, unwrap } from './node.ts';
import { type PathStep, patternTargets } from './pattern.ts';

/** One way in which a binding gets a value. `path` leads from that value to the binding (destructuring). */
export type Definition =
  | { kind: 'value'; node: Node; path: readonly PathStep[] }
  /** An element of what `node` gives: `for (const x of node)`. */
  | { kind: 'element'; node: Node; path: readonly PathStep[] }
  /** A key of what `node` gives: `for (const x in node)`. */
  | { kind: 'key'; node: Node }
  /** `x += node` */
  | { kind: 'appended'; node: Node }
  | { kind: 'param'; fn: Node; index: number; rest: boolean; path: readonly PathStep[] }
  | { kind: 'function'; node: Node }
  | { kind: 'class'; node: Node }
  | { kind: 'enum'; node: Node }
  | { kind: 'import'; source: string; imported: string }
  | { kind: 'unknown' };

export type Binding = {
  name: string;
  /** Path of the file that declares it. */
  file: string;
  definitions: Definition[];
  /** Identifiers that mean it, declarations left out. */
  references: Node[];
};

type Scope = { parent: Scope | null; names: Map<string, Binding>; isFunction: boolean };

/** What the pass over one file gives. `bindings` is shared by all files: identifier -> binding. */
export type FileScopes = {
  top: ReadonlyMap<string, Binding>;
  nodes: number;
  byType: ReadonlyMap<string, readonly Node[]>;
};

/** Kinds of nodes that somebody looks for: found once, since walking a tree costs more than anything else. */
const LISTED = new Set([
  'CallExpression',
  'OptionalCallExpression',
  'NewExpression',
  'TaggedTemplateExpression',
  'MemberExpression',
  'OptionalMemberExpression',
  'VariableDeclarator',
  'AssignmentExpression',
  'AssignmentPattern',
  'SpreadElement',
  'ForInStatement',
  'BinaryExpression',
  'ObjectProperty',
  'StringLiteral',
  'TemplateElement',
]);

type Pass = {
  file: string;
  bindings: Map<Node, Binding>;
  declared: Set<Node>;
  pending: { node: Node; scope: Scope }[];
  assignments: { node: Node; scope: Scope }[];
};

const BLOCKS = new Set([
  'BlockStatement',
  'ForStatement',
  'ForInStatement',
  'ForOfStatement',
  'SwitchStatement',
  'CatchClause',
  'ClassDeclaration',
  'ClassExpression',
  'StaticBlock',
  'TSModuleBlock',
]);

/** Sets `parent` on every node of `program`, resolves its identifiers into `bindings` and gives the top-level names. */
export function resolveScopes(file: string, program: Node, bindings: Map<Node, Binding>): FileScopes {
  const top: Scope = { parent: null, names: new Map(), isFunction: true };
  const pass: Pass = { file, bindings, declared: new Set(), pending: [], assignments: [] };
  const stack: { node: Node; scope: Scope }[] = [{ node: program, scope: top }];
  const byType = new Map<string, Node[]>();
  let nodes = 0;
  for (let entry = stack.pop(); entry; entry = stack.pop()) {
    nodes += 1;
    const { node } = entry;
    if (LISTED.has(node.type)) enlist(byType, node);
    const scope = enter(pass, node, entry.scope);
    const at = stack.length;
    eachChild(node, (item, key) => {
      item.parent = node;
      if (isCode(node, item, key)) stack.push({ node: item, scope });
    });
    // Source order: what is appended to a text must come in the order in which it is written.
    stack.splice(at, stack.length - at, ...stack.slice(at).reverse());
  }
  for (const { node, scope } of pass.pending) link(pass, node, scope, byType);
  for (const { node, scope } of pass.assignments) assign(node, scope);
  return { top: top.names, nodes, byType };
}

/** Identifiers that nobody declares are listed under this name. */
export const GLOBAL_NAME = 'GlobalName';

function enlist(byType: Map<string, Node[]>, node: Node): void {
  const nodes = byType.get(node.type);
  if (nodes) nodes.push(node);
  else byType.set(node.type, [node]);
}

/** Type-only parts, property names and labels are no references. */
function isCode(parent: Node, item: Node, key: string): boolean {
  if (item.type.startsWith('TS') && !CODE_TS.has(item.type)) return false;
  if (item.type !== 'Identifier') return !(parent.declare === true || text(parent, 'importKind') === 'type');
  if (key === 'property' || key === 'key') return parent.computed === true;
  if (parent.type === 'ExportSpecifier') return key === 'local' && !parent.parent?.source;
  return !(NAME_KEYS.has(key) || parent.type === 'PrivateName' || (parent.type === 'TSEnumMember' && key === 'id'));
}

const NAME_KEYS = new Set(['label', 'exported', 'imported', 'meta']);

const CODE_TS = new Set([
  'TSAsExpression',
  'TSSatisfiesExpression',
  'TSNonNullExpression',
  'TSTypeAssertion',
  'TSInstantiationExpression',
  'TSEnumDeclaration',
  'TSEnumBody',
  'TSEnumMember',
  'TSModuleDeclaration',
  'TSModuleBlock',
  'TSExportAssignment',
  'TSImportEqualsDeclaration',
  'TSParameterProperty',
]);

function enter(pass: Pass, node: Node, scope: Scope): Scope {
  if (isFunction(node)) return enterFunction(pass, node, scope);
  declareNode(pass, node, scope);
  if (node.type === 'Identifier' && !pass.declared.has(node)) pass.pending.push({ node, scope });
  if (node.type === 'AssignmentExpression') pass.assignments.push({ node, scope });
  if (!BLOCKS.has(node.type)) return scope;
  const inner: Scope = { parent: scope, names: new Map(), isFunction: node.type === 'StaticBlock' };
  const id = child(node, 'id');
  if (node.type === 'ClassExpression' && id) declare(pass, id, inner, { kind: 'class', node });
  const param = node.type === 'CatchClause' ? child(node, 'param') : null;
  if (param) for (const target of patternTargets(param)) declare(pass, target.node, inner, { kind: 'unknown' });
  return inner;
}

function enterFunction(pass: Pass, node: Node, scope: Scope): Scope {
  const id = child(node, 'id');
  if (node.type === 'FunctionDeclaration' && id) declare(pass, id, scope, { kind: 'function', node });
  const inner: Scope = { parent: scope, names: new Map(), isFunction: true };
  if (node.type === 'FunctionExpression' && id) declare(pass, id, inner, { kind: 'function', node });
  parametersOf(node).forEach((param, index) => {
    const rest = param.type === 'RestElement';
    for (const target of patternTargets(rest ? (child(param, 'argument') ?? param) : param)) {
      declare(pass, target.node, inner, { kind: 'param', fn: node, index, rest, path: target.path });
      addDefaults(pass, target.node, inner, target.defaults);
    }
  });
  return inner;
}

/** The parameters of a function; TypeScript's `this` is none. */
export function parametersOf(fn: Node): Node[] {
  return list(fn, 'params')
    .map((param) => (param.type === 'TSParameterProperty' ? (child(param, 'parameter') ?? param) : param))
    .filter((param) => identifierName(param) !== 'this');
}

function declareNode(pass: Pass, node: Node, scope: Scope): void {
  const id = child(node, 'id');
  // `declare const Bun: …` describes the global, it does not hide it.
  if (node.declare === true) return;
  if (node.type === 'VariableDeclaration') declareVariables(pass, node, scope);
  else if (node.type === 'ImportDeclaration') declareImports(pass, node, scope);
  else if (node.type === 'ClassDeclaration' && id) declare(pass, id, scope, { kind: 'class', node });
  else if (node.type === 'TSEnumDeclaration' && id) declare(pass, id, scope, { kind: 'enum', node });
  else if (node.type === 'TSModuleDeclaration' && id?.type === 'Identifier')
    declare(pass, id, scope, { kind: 'unknown' });
  else if (node.type === 'TSImportEqualsDeclaration' && id) declareImportEquals(pass, node, id, scope);
}

function declareVariables(pass: Pass, node: Node, scope: Scope): void {
  const target = node.kind === 'var' ? functionScope(scope) : scope;
  for (const declarator of list(node, 'declarations')) {
    const id = child(declarator, 'id');
    for (const { node: name, path, defaults } of id ? patternTargets(id) : []) {
      declare(pass, name, target, variableDefinition(node, child(declarator, 'init'), path));
      addDefaults(pass, name, target, defaults);
    }
  }
}

/** Null: declared without a value. */
function variableDefinition(declaration: Node, init: Node | null, path: readonly PathStep[]): Definition | null {
  const loop = declaration.parent;
  const isLoop = loop?.type === 'ForOfStatement' || loop?.type === 'ForInStatement';
  const iterated = loop && isLoop && loop.left === declaration ? child(loop, 'right') : null;
  if (iterated)
    return loop?.type === 'ForOfStatement'
      ? { kind: 'element', node: iterated, path }
      : { kind: 'key', node: iterated };
  return init ? { kind: 'value', node: init, path } : null;
}

function declareImports(pass: Pass, node: Node, scope: Scope): void {
  const source = text(child(node, 'source'), 'value');
  if (source === null || node.importKind === 'type') return;
  for (const specifier of list(node, 'specifiers')) {
    const local = child(specifier, 'local');
    if (!local || specifier.importKind === 'type') continue;
    declare(pass, local, scope, { kind: 'import', source, imported: importedName(specifier) });
  }
}

function importedName(specifier: Node): string {
  if (specifier.type === 'ImportNamespaceSpecifier') return '*';
  if (specifier.type === 'ImportDefaultSpecifier') return 'default';
  const imported = child(specifier, 'imported');
  return text(imported, 'name') ?? text(imported, 'value') ?? 'default';
}

function declareImportEquals(pass: Pass, node: Node, id: Node, scope: Scope): void {
  const reference = child(node, 'moduleReference');
  const source = reference ? text(child(reference, 'expression'), 'value') : null;
  declare(pass, id, scope, source === null ? { kind: 'unknown' } : { kind: 'import', source, imported: '*' });
}

function declare(pass: Pass, id: Node, scope: Scope, definition: Definition | null): void {
  const name = identifierName(id);
  if (name === null) return;
  pass.declared.add(id);
  const known = scope.names.get(name);
  const binding = known ?? { name, file: pass.file, definitions: [], references: [] };
  if (definition) binding.definitions.push(definition);
  scope.names.set(name, binding);
  pass.bindings.set(id, binding);
}

function addDefaults(
  pass: Pass,
  id: Node,
  scope: Scope,
  defaults: readonly { node: Node; path: readonly PathStep[] }[],
) {
  for (const { node, path } of defaults) declare(pass, id, scope, { kind: 'value', node, path });
}

function functionScope(scope: Scope): Scope {
  let current = scope;
  while (!current.isFunction && current.parent) current = current.parent;
  return current;
}

function lookUp(scope: Scope, name: string): Binding | undefined {
  for (let current: Scope | null = scope; current; current = current.parent) {
    const binding = current.names.get(name);
    if (binding) return binding;
  }
  return undefined;
}

function link(pass: Pass, node: Node, scope: Scope, byType: Map<string, Node[]>): void {
  const binding = lookUp(scope, text(node, 'name') ?? '');
  if (!binding) {
    const known = byType.get(GLOBAL_NAME);
    if (known) known.push(node);
    else byType.set(GLOBAL_NAME, [node]);
    return;
  }
  binding.references.push(node);
  pass.bindings.set(node, binding);
}

function assign(node: Node, scope: Scope): void {
  const left = child(node, 'left');
  const right = child(node, 'right');
  if (!left || !right) return;
  for (const target of patternTargets(unwrap(left))) {
    const binding = lookUp(scope, text(target.node, 'name') ?? '');
    if (!binding) continue;
    if (node.operator === '+=') binding.definitions.push({ kind: 'appended', node: right });
    else if (isPlainAssignment(node.operator))
      binding.definitions.push({ kind: 'value', node: right, path: target.path });
    else binding.definitions.push({ kind: 'unknown' });
    for (const { node: value, path } of target.defaults) binding.definitions.push({ kind: 'value', node: value, path });
  }
}

const isPlainAssignment = (operator: unknown): boolean =>
  operator === '=' || operator === '??=' || operator === '||=' || operator === '&&=';
