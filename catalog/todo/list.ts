/** The list itself: plain values, no pi. Every change gives a new list, so that the details of a result never change later. */

export interface Todo {
  /** Stays the same for the life of the list: the model refers to it. */
  readonly id: number;
  readonly text: string;
  readonly done: boolean;
}

export type TodoList = readonly Todo[];

/** A new list with `text` as its last open item. */
export function addTodo(list: TodoList, text: string): { list: TodoList; added: Todo } {
  const id = list.reduce((highest, item) => Math.max(highest, item.id), 0) + 1;
  const added: Todo = { id, text, done: false };
  return { list: [...list, added], added };
}

/** The open item meant by `wanted`: its number, its whole text, or a part that only one open item has. */
export function findOpen(list: TodoList, wanted: string): Todo {
  const open = list.filter((item) => !item.done);
  const byNumber = /^#?\d+$/.test(wanted)
    ? open.find((item) => item.id === Number(wanted.replace('#', '')))
    : undefined;
  const exact = byNumber ?? open.find((item) => item.text === wanted);
  if (exact) return exact;
  const containing = open.filter((item) => item.text.toLowerCase().includes(wanted.toLowerCase()));
  const [only] = containing;
  if (!only) throw new Error(`No open item matches "${wanted}". ${openItems(open)}`);
  if (containing.length > 1)
    throw new Error(`"${wanted}" matches ${containing.length} items; use the number. ${openItems(containing)}`);
  return only;
}

/** A new list in which the item `id` is done. */
export function markDone(list: TodoList, id: number): TodoList {
  return list.map((item) => (item.id === id ? { ...item, done: true } : item));
}

export const countOpen = (list: TodoList): number => list.filter((item) => !item.done).length;

/** The list as text: `[ ] 2. buy milk`. */
export function formatList(list: TodoList): string {
  if (list.length === 0) return 'The todo list is empty.';
  return list.map((item) => `[${item.done ? 'x' : ' '}] ${item.id}. ${item.text}`).join('\n');
}

/** The list in the details of an earlier result, or undefined when they hold none (another version, another tool). */
export function readList(details: unknown): TodoList | undefined {
  if (typeof details !== 'object' || details === null) return undefined;
  const { todos } = details as { todos?: unknown };
  if (!Array.isArray(todos) || !todos.every(isTodo)) return undefined;
  return todos.map(({ id, text, done }) => ({ id, text, done }));
}

function isTodo(value: unknown): value is Todo {
  if (typeof value !== 'object' || value === null) return false;
  const { id, text, done } = value as Partial<Todo>;
  return Number.isInteger(id) && typeof text === 'string' && typeof done === 'boolean';
}

function openItems(items: TodoList): string {
  if (items.length === 0) return 'Nothing is open.';
  return `Open: ${items
    .slice(0, 20)
    .map((item) => `${item.id}. ${item.text}`)
    .join('; ')}`;
}
