/** The part of pi's session that tools read: the branch with earlier tool results, and what was shown to the user. */

export type SessionEntry = {
  type: string;
  id: string;
  parentId: string | null;
  timestamp: string;
  [key: string]: unknown;
};
export type Notification = { message: string; type: string };
/** An earlier result of a tool, from which a tool restores its state. */
export type EarlierResult = { toolName: string; content?: unknown[]; details?: unknown; isError?: boolean };

/** A fixed instant: a test must not depend on the clock. */
const TIMESTAMP = '2026-01-01T00:00:00.000Z';

export type Session = {
  entries: SessionEntry[];
  append(type: string, fields: Record<string, unknown>): SessionEntry;
  appendToolResult(result: EarlierResult): void;
  manager: Readonly<Record<string, unknown>>;
};

export function createSession(cwd: string, earlier: readonly EarlierResult[]): Session {
  const entries: SessionEntry[] = [];
  const append: Session['append'] = (type, fields) => {
    const entry = {
      ...fields,
      type,
      id: `entry-${entries.length + 1}`,
      parentId: entries.at(-1)?.id ?? null,
      timestamp: TIMESTAMP,
    };
    entries.push(entry);
    return entry;
  };
  const appendToolResult: Session['appendToolResult'] = (result) => {
    const message = {
      role: 'toolResult',
      toolCallId: `call-${entries.length + 1}`,
      content: [],
      isError: false,
      ...result,
    };
    append('message', { message });
  };
  earlier.forEach(appendToolResult);
  const manager = {
    getBranch: () => [...entries],
    getEntries: () => [...entries],
    getLeafId: () => entries.at(-1)?.id ?? null,
    getLeafEntry: () => entries.at(-1),
    getEntry: (id: string) => entries.find((entry) => entry.id === id),
    getLabel: () => undefined,
    getHeader: () => null,
    getCwd: () => cwd,
    getSessionId: () => 'session-1',
    getSessionFile: () => undefined,
    getSessionDir: () => cwd,
    getSessionName: () => undefined,
    getTree: () => [],
  };
  return { entries, append, appendToolResult, manager };
}
