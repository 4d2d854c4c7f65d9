import { StringEnum } from '@earendil-works/pi-ai';
import { type ExtensionAPI, type ExtensionContext, truncateHead } from '@earendil-works/pi-coding-agent';
import { type Static, Type } from 'typebox';
import { addTodo, countOpen, findOpen, formatList, markDone, readList, type TodoList } from './list.ts';

const Parameters = Type.Object({
  action: StringEnum(['list', 'add', 'done'] as const, {
    description: 'list shows every item, add appends one, done marks one as finished',
  }),
  text: Type.Optional(
    Type.String({
      description: 'For add: the new item. For done: its number, or a part of its text that no other open item has',
      maxLength: 500,
    }),
  ),
});

export default function todo(pi: ExtensionAPI) {
  let list: TodoList = [];

  // The session's own tool results are the storage: a branch or a resumed session gets exactly its list back.
  const restore = (_event: unknown, ctx: ExtensionContext) => {
    list = latestList(ctx) ?? [];
  };
  pi.on('session_start', restore);
  pi.on('session_tree', restore);

  pi.registerTool({
    name: 'todo',
    label: 'Todo list',
    description:
      'Keep a todo list for this session: list the items, add one, or mark one as done. The user sees it too.',
    promptSnippet: 'Keep a todo list for the session (list, add, done)',
    promptGuidelines: [
      'Use todo to plan work that has several steps: todo add for each step, todo done as soon as a step is finished.',
      'Keep the plan in todo itself, not in a file beside it.',
    ],
    parameters: Parameters,
    prepareArguments: (args) => withCurrentNames(args) as Static<typeof Parameters>,
    async execute(_toolCallId, params, signal, onUpdate, ctx) {
      if (signal?.aborted) throw new Error('The todo list was left as it was: the call was cancelled.');
      onUpdate?.({ content: [{ type: 'text', text: `todo ${params.action} ...` }], details: undefined });
      const outcome = change(list, params);
      list = outcome.list;
      // Not every mode of pi has a screen to show it on.
      if (outcome.notice !== undefined) ctx.ui?.notify(outcome.notice, 'info');
      return { content: [{ type: 'text', text: outcome.text }], details: { action: params.action, todos: [...list] } };
    },
  });
}

/** What one call does to the list: no side effect, so that a failed call leaves the list alone. */
function change(list: TodoList, params: Static<typeof Parameters>): { list: TodoList; text: string; notice?: string } {
  if (params.action === 'list') return { list, text: shorten(formatList(list)) };
  const text = params.text?.trim();
  if (!text)
    throw new Error(
      `todo ${params.action} needs text: ${params.action === 'add' ? 'the new item' : 'which item is done'}`,
    );
  if (params.action === 'add') {
    const { list: next, added } = addTodo(list, text);
    return {
      list: next,
      text: `Added ${added.id}. ${added.text} (${countOpen(next)} open)`,
      notice: `Todo added: ${added.text}`,
    };
  }
  const item = findOpen(list, text);
  const next = markDone(list, item.id);
  return {
    list: next,
    text: `Done: ${item.id}. ${item.text} (${countOpen(next)} open)`,
    notice: `Todo done: ${item.text}`,
  };
}

function shorten(text: string): string {
  const cut = truncateHead(text);
  return cut.truncated ? `${cut.content}\n[${cut.totalLines - cut.outputLines} more items are not shown]` : text;
}

/** Earlier releases called the parameters `oldAction` and `item`; models that saw those calls still use them. */
function withCurrentNames(args: unknown): unknown {
  if (typeof args !== 'object' || args === null || Array.isArray(args)) return args;
  const { oldAction, item, ...rest } = args as Record<string, unknown>;
  return {
    ...(oldAction === undefined ? {} : { action: oldAction }),
    ...(item === undefined ? {} : { text: item }),
    ...rest,
  };
}

function latestList(ctx: ExtensionContext): TodoList | undefined {
  let latest: TodoList | undefined;
  for (const entry of ctx.sessionManager.getBranch()) {
    if (entry.type !== 'message') continue;
    const { message } = entry;
    if (message.role === 'toolResult' && message.toolName === 'todo') latest = readList(message.details) ?? latest;
  }
  return latest;
}
