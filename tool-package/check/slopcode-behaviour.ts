/** Rules for what a SlopCode or opencode tool file does when it is copied by hand; the entries of pi-tools do without these faults. */
import { child, identifierName, isCall, isMember, lineOf, type Node, text, unwrap, walk } from '../source/node.ts';
import { parametersOf } from '../source/scopes.ts';
import { analysisOf, foundAt, oncePerLine } from './code-facts.ts';
import {
  type ExecuteFunction,
  listExecuteFunctions,
  listReachedFiles,
  listReturned,
  propertyOf,
} from './execute-functions.ts';
import { isTextual } from './pi-behaviour.ts';
import { isRecord } from './schema-walk.ts';
import { hostOf, listToolFiles, toolAt } from './slopcode.ts';
import { unsendableArgs } from './slopcode-args.ts';
import type { Facts, Found, Rule } from './types.ts';

const notAString: Rule = {
  id: 'slopcode/not-a-string',
  level: 'warn',
  what: 'an `execute` that can be seen to return something that is not a string',
  why: 'the host shortens the result as a text and crashes when the file is copied by hand; pi-tools’ entry converts it',
  fix: 'return a string: `String(sum)`, `JSON.stringify(result)`',
  *find(facts) {
    const analysis = analysisOf(facts);
    for (const execute of listExecuteFunctions(facts)) {
      if (execute.host !== 'tool-file') continue;
      const numbers = numericArguments(facts, execute);
      const wrong = listReturned(execute.node).flatMap((node): Found[] => {
        const what = isHostsResult(facts, node) ? null : notText(node, numbers);
        return what === null
          ? []
          : [
              {
                ...foundAt(analysis, { node, file: execute.file }, `\`execute\` returns ${what}`),
                agent: hostOf(facts),
                tool: toolAt(facts, execute.file, lineOf(execute.node)),
              },
            ];
      });
      yield* oncePerLine(wrong);
    }
  },
};

/** opencode also takes `{ output, title, metadata }`; SlopCode a string only. A spread may bring the `output`. */
const isHostsResult = (facts: Facts, node: Node): boolean => {
  if (hostOf(facts) !== 'opencode') return false;
  const result = unwrap(node);
  return result.type === 'ObjectExpression' && propertyOf(result, 'output') !== undefined;
};

const ARITHMETIC = new Set(['-', '*', '/', '%', '**', '|', '&', '^', '<<', '>>', '>>>']);
const COMPARISON = new Set(['==', '===', '!=', '!==', '<', '>', '<=', '>=', 'in', 'instanceof']);
const NUMBER_CALLS = new Set(['Number', 'parseInt', 'parseFloat']);

type Numbers = {
  /** The name of the arguments' parameter. */ readonly args: string | null;
  readonly fields: ReadonlySet<string>;
  readonly names: ReadonlySet<string>;
};

/** What the value is, where it is certainly no text. */
const notText = (wrapped: Node, numbers: Numbers): string | null => {
  const node = unwrap(wrapped);
  if (isTextual(node)) return null;
  if (isNumber(node, numbers)) return 'a number';
  switch (node.type) {
    case 'ObjectExpression':
      return 'an object';
    case 'ArrayExpression':
      return 'a list';
    case 'BooleanLiteral':
      return 'true or false';
    case 'NullLiteral':
      return 'null';
    case 'ReturnStatement':
    case 'BlockStatement':
      return 'nothing';
    case 'BinaryExpression':
      return COMPARISON.has(String(node.operator)) ? 'true or false' : null;
    default:
      return node.type === 'UnaryExpression' && node.operator === '!' ? 'true or false' : null;
  }
};

const isNumber = (wrapped: Node, numbers: Numbers): boolean => {
  const node = unwrap(wrapped);
  if (node.type === 'NumericLiteral') return true;
  if (node.type === 'UnaryExpression') return node.operator === '-' || node.operator === '+';
  if (node.type === 'BinaryExpression') return isSum(node, numbers);
  if (isCall(node)) return isNumberCall(child(node, 'callee'));
  const name = identifierName(node);
  if (name !== null) return numbers.names.has(name);
  if (!isMember(node)) return false;
  const isArgument = identifierName(child(node, 'object')) === numbers.args && numbers.args !== null;
  return isArgument && numbers.fields.has(text(child(node, 'property'), 'name') ?? '');
};

/** `a + b` is a number when both are; the other operators always. */
const isSum = (node: Node, numbers: Numbers): boolean => {
  if (node.operator !== '+') return ARITHMETIC.has(String(node.operator));
  const [left, right] = [child(node, 'left'), child(node, 'right')];
  return left !== null && right !== null && isNumber(left, numbers) && isNumber(right, numbers);
};

const isNumberCall = (callee: Node | null): boolean => {
  if (callee === null) return false;
  const object = isMember(callee) ? identifierName(child(callee, 'object')) : null;
  return NUMBER_CALLS.has(identifierName(callee) ?? '') || object === 'Math';
};

/** Which arguments are numbers, by the schemas of the file's tools. */
const numericArguments = (facts: Facts, execute: ExecuteFunction): Numbers => {
  const fields = new Set<string>();
  for (const { entry, parameters } of facts.tools) {
    const properties = entry === execute.file ? parameters?.properties : undefined;
    if (!isRecord(properties)) continue;
    for (const [name, schema] of Object.entries(properties))
      if (isRecord(schema) && (schema.type === 'number' || schema.type === 'integer')) fields.add(name);
  }
  const first = parametersOf(execute.node)[0] ?? null;
  const names = first?.type === 'ObjectPattern' ? fields : new Set<string>();
  return { args: identifierName(first), fields, names };
};

const fixedPath: Rule = {
  id: 'slopcode/fixed-path',
  level: 'warn',
  what: 'a tool that finds its own files through `.slopcode/tools/…` or the worktree',
  why: 'the file is beside the tool wherever it is installed, and there only when it was copied by hand',
  fix: '`join(import.meta.dirname, "add.py")`',
  *find(facts) {
    const analysis = analysisOf(facts);
    const files = listReachedFiles(facts, 'tool-file');
    for (const file of analysis.program.files.values()) {
      if (!files.has(file.path)) continue;
      const found: Found[] = [];
      walk(file.program, (node) => {
        if (isFixedPath(node))
          found.push({
            ...foundAt(analysis, { node, file: file.path }, 'a path of one way of installing'),
            agent: hostOf(facts),
          });
        return node.type !== 'ImportDeclaration';
      });
      yield* oncePerLine(found);
    }
  },
};

const OWN_FOLDER = /(?:^|\/)\.(?:slopcode|opencode)\/tools?(?:\/|$)/;

const isFixedPath = (node: Node): boolean => {
  if (node.type === 'StringLiteral') return OWN_FOLDER.test(text(node, 'value') ?? '');
  if (node.type !== 'TemplateElement') return false;
  return OWN_FOLDER.test(String((node.value as { cooked?: unknown } | undefined)?.cooked ?? ''));
};

const bareZod: Rule = {
  id: 'slopcode/bare-zod',
  level: 'info',
  what: 'a schema that is built with a Zod that is not the host’s',
  why: 'SlopCode loses the descriptions of the parameters when the file is copied by hand; pi-tools’ entry keeps them',
  fix: 'use `tool.schema` of `@slopcode-ai/plugin`',
  *find(facts) {
    for (const { agent, entry, imports } of listToolFiles(facts)) {
      const zod = imports.find(({ specifier }) => /^zod(?:\/|$)/.test(specifier));
      if (zod !== undefined)
        yield {
          agent,
          file: zod.file,
          line: zod.line,
          message: `\`${entry}\` builds its schema with \`${zod.specifier}\``,
        };
    }
  },
};

export const SLOPCODE_BEHAVIOUR_RULES: readonly Rule[] = [notAString, unsendableArgs, fixedPath, bareZod];
