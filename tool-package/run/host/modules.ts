/** The host packages that an extension may import, as working modules. Names that we lack are undefined there, as in CommonJS. */
import * as typebox from 'typebox';
import { BUILT_IN_FACTORIES } from './built-in-factories.ts';
import { withFileMutationQueue } from './mutation-queue.ts';
import { TRUNCATION } from './truncate.ts';

type Exports = Readonly<Record<string, unknown>>;

/** One of several strings in the form that every provider accepts: `type` and `enum`, no `anyOf` of `const`. */
function stringEnum(values: readonly string[], options: { description?: string; default?: string } = {}): unknown {
  return typebox.Type.Unsafe({
    type: 'string',
    enum: [...values],
    ...(options.description ? { description: options.description } : {}),
    ...(options.default ? { default: options.default } : {}),
  });
}

const isTool = (name: string) => (event: { toolName?: unknown }) => event.toolName === name;

function codingAgent(agentDir: string): Exports {
  return {
    ...TRUNCATION,
    ...BUILT_IN_FACTORIES,
    withFileMutationQueue,
    defineTool: (tool: unknown) => tool,
    getAgentDir: () => agentDir,
    CONFIG_DIR_NAME: '.pi',
    VERSION: '1.6.0',
    isToolCallEventType: (name: string, event: { toolName?: unknown }) => event.toolName === name,
    isBashToolResult: isTool('bash'),
    isReadToolResult: isTool('read'),
    isEditToolResult: isTool('edit'),
    isWriteToolResult: isTool('write'),
  };
}

/** Lines that a terminal would show; enough for renderers to be called. */
class Text {
  text: string;
  constructor(text = '') {
    this.text = text;
  }
  render(): string[] {
    return this.text.split('\n');
  }
  setText(text: string): void {
    this.text = text;
  }
  invalidate(): void {}
}

class Container extends Text {
  children: { render(width: number): string[] }[] = [];
  addChild(child: { render(width: number): string[] }): void {
    this.children.push(child);
  }
}

const tui: Exports = {
  Text,
  Container,
  Box: Container,
  Markdown: Text,
  Spacer: Text,
  visibleWidth: (text: string) => text.length,
  truncateToWidth: (text: string, width: number) => text.slice(0, width),
  wrapTextWithAnsi: (text: string) => text.split('\n'),
};

/** Short name of a host package -> its exports. `pi-ai` also has TypeBox's `Type`, as inside pi. */
export function hostModules(agentDir: string): ReadonlyMap<string, Exports> {
  return new Map<string, Exports>([
    ['pi-coding-agent', codingAgent(agentDir)],
    ['pi-ai', { StringEnum: stringEnum, Type: typebox.Type }],
    ['pi-agent-core', {}],
    ['pi-tui', tui],
  ]);
}
