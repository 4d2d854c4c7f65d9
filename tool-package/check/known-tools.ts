/** Names that the agents have themselves. Facts read from pi 1.6.0, SlopCode 0.2.22 and opencode 1.18.33. */

/** pi's own tools: a tool of the same name takes their place. */
export const PI_BUILT_INS: ReadonlySet<string> = new Set([
  'read',
  'bash',
  'powershell',
  'edit',
  'write',
  'grep',
  'find',
  'ls',
]);

/** Names that switch something of pi's off, or that it takes for something else. */
export const PI_RESERVED: ReadonlySet<string> = new Set(['codemode', 'tool_search']);

/** Tools of SlopCode and opencode: the last loaded wins, silently, with the built-in's permission prompt. */
export const SLOPCODE_BUILT_INS: ReadonlySet<string> = new Set([
  'question',
  'bash',
  'read',
  'glob',
  'grep',
  'edit',
  'write',
  'task',
  'webfetch',
  'todowrite',
  'todoread',
  'websearch',
  'codesearch',
  'skill',
  'apply_patch',
  'lsp',
  'batch',
  'list',
  'patch',
  'multiedit',
]);

/** Ids that the hosts use for other things than tools. */
export const SLOPCODE_RESERVED: ReadonlySet<string> = new Set([
  'invalid',
  'execute',
  'plan_enter',
  'plan_exit',
  'StructuredOutput',
  'external_directory',
  'doom_loop',
]);

/** Built-in names that mean nothing else in a sentence; `read` or `find` may be verbs. */
export const UNMISTAKABLE: ReadonlySet<string> = new Set([
  'bash',
  'powershell',
  'grep',
  'ls',
  'webfetch',
  'todowrite',
  'todoread',
  'websearch',
  'codesearch',
  'apply_patch',
  'multiedit',
  'tool_search',
  'codemode',
]);

/** Every built-in name of any agent. */
export const ALL_BUILT_INS: ReadonlySet<string> = new Set([...PI_BUILT_INS, ...PI_RESERVED, ...SLOPCODE_BUILT_INS]);

/** Properties that every object has: as a tool name they crash pi, which looks tools up in a plain object. */
export const OBJECT_PROPERTIES: ReadonlySet<string> = new Set(Object.getOwnPropertyNames(Object.prototype));
