/**
 * `createReadTool` … `createLsToolDefinition`: pi's own tools as an extension gets them. A plain tool carries no snippet
 * or guidelines, except the two shells; a definition carries all (measured on pi 1.6.0).
 */
import { BUILT_IN_TOOLS, type BuiltInTool } from '../../inspect/built-in-tools.ts';
import { BUILT_IN_OPERATIONS, type Elsewhere } from './built-in-operations.ts';

const SHELLS = new Set(['bash', 'powershell']);

type Factory = (cwd?: unknown, options?: unknown) => Record<string, unknown>;

const prompts = (tool: BuiltInTool) => ({
  promptSnippet: tool.promptSnippet,
  ...(tool.promptGuidelines.length > 0 ? { promptGuidelines: [...tool.promptGuidelines] } : {}),
});

function build(tool: BuiltInTool, cwd: unknown, options: unknown): Record<string, unknown> {
  const folder = typeof cwd === 'string' ? cwd : process.cwd();
  const elsewhere = (typeof options === 'object' && options !== null ? options : {}) as Elsewhere;
  const operation = BUILT_IN_OPERATIONS.get(tool.name);
  return {
    name: tool.name,
    label: tool.label,
    description: tool.description,
    parameters: structuredClone(tool.parameters),
    execute: (_id: string, args: Record<string, unknown>, signal?: AbortSignal) =>
      operation?.(folder, args, signal, elsewhere),
  };
}

function factoriesOf(tool: BuiltInTool): [string, Factory][] {
  const definition: Factory = (cwd, options) => ({ ...build(tool, cwd, options), ...prompts(tool) });
  const plain: Factory = SHELLS.has(tool.name) ? definition : (cwd, options) => build(tool, cwd, options);
  return [
    [`create${tool.factory}Tool`, plain],
    [`create${tool.factory}ToolDefinition`, definition],
  ];
}

const factories = new Map(BUILT_IN_TOOLS.flatMap(factoriesOf));
const several =
  (...names: string[]): ((cwd?: unknown) => unknown[]) =>
  (cwd) =>
    names.map((name) => factories.get(`create${name}Tool`)?.(cwd));

export const BUILT_IN_FACTORIES: Readonly<Record<string, unknown>> = {
  ...Object.fromEntries(factories),
  createCodingTools: several('Read', 'Bash', 'Edit', 'Write'),
  createReadOnlyTools: several('Read', 'Grep', 'Find', 'Ls'),
};
