/** What inspection takes and gives. Inspection finds what an archive's entries register by evaluating them in a sandbox. */
import type { Agent } from '../../schemas/common.ts';
import type { Origin } from '../../schemas/manifest.ts';
import type { PackageJson } from '../../schemas/package-json.ts';

export type InspectionInput = {
  packageJson: PackageJson;
  /** All files of the archive. */
  paths: readonly string[];
  /** The kept text files: path -> bytes. Nothing else is ever read. */
  sources: ReadonlyMap<string, Uint8Array>;
};

/**
 * `syntax` and `throws` are certain: no agent can load the entry. `load-failed` is what happened in the sandbox, which
 * lacks most of a machine.
 */
export type ProblemKind =
  | 'no-default-function'
  | 'syntax'
  | 'throws'
  | 'load-failed'
  | 'time'
  | 'memory'
  | 'not-analysed';

/** Why an entry could not be read whole. `message` never names a path of the machine. */
export type EntryProblem = { kind: ProblemKind; message: string; file: string | null; line: number | null };

export type ImportKind = 'host' | 'node' | 'bun' | 'npm' | 'relative' | 'missing';

/** An import of the entry or of a file that it reaches. `missing`: neither the host's nor in the archive. */
export type ImportUse = {
  specifier: string;
  /** The importing file. */
  file: string;
  line: number;
  kind: ImportKind;
  /** The file that a relative import means. */
  target: string | null;
};

/** A field that neither evaluation nor a parse could read, and the import that its value came from. */
export type UnreadField = { field: string; from: string };

export type InspectedTool = {
  /** Null where it is missing, no string, or unread. */
  name: string | null;
  label: string | null;
  description: string | null;
  promptSnippet: string | null;
  promptGuidelines: string[];
  /** JSON Schema; null where it is missing, no object, or unread. */
  parameters: Record<string, unknown> | null;
  entry: string;
  /** SlopCode and opencode: `default` or the export's name. */
  export: string | null;
  flags: { prepareArguments: boolean; renderCall: boolean; renderResult: boolean; defaultActive: boolean };
  /** Whether `execute` is a function. */
  execute: boolean;
  /** Where it is registered, as far as that is known. */
  file: string | null;
  line: number | null;
  unread: UnreadField[];
  /** Per field that has a value. */
  origin: Record<string, Origin>;
};

export type EntryInspection = {
  agent: Agent;
  entry: string;
  tools: InspectedTool[];
  /** SlopCode and opencode: exports that are no tool; copied by hand, the host would make a broken tool of each. */
  otherExports: { name: string; line: number | null }[];
  problem: EntryProblem | null;
  imports: ImportUse[];
};
