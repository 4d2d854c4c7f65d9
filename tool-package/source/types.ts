/** What the analysis of a package's sources gives. */
import type { ApiCall } from './api-calls.ts';
import type { Machine } from './machine.ts';
import type { NotAnalysed } from './parse.ts';
import type { Program } from './program.ts';
import type { Send } from './sends.ts';
import type { UseKind } from './uses.ts';

export type { NotAnalysed, UseKind };

/** One thing that the code uses, at one place. `value` null: it cannot be decided from the source. */
export type Use = {
  kind: UseKind;
  value: string | null;
  /** Only asks about a file: covered by permission to read or to write it. */
  light: boolean;
  /** The path is not known, but joined to the working folder. */
  near?: boolean;
  file: string;
  line: number;
  /** The line of source, as written: escape it before it is shown. */
  text: string;
};

export type Analysis = {
  program: Program;
  machine: Machine;
  calls: readonly ApiCall[];
  uses: readonly Use[];
  /** Data written to connections. */
  sends: readonly Send[];
  /** Constant lists that the code looks values up in: what it checks a program or a host against. */
  allowLists: readonly string[][];
  notAnalysed: readonly NotAnalysed[];
};
