/** The vocabulary of the rules: a rule is data with a small function; what it sees is gathered once for all of them. */
import type { Agent, Level } from '../../schemas/common.ts';
import type { ManifestRecord } from '../../schemas/manifest.ts';
import type { PackageJson } from '../../schemas/package-json.ts';
import type { EntryInspection, InspectedTool } from '../inspect/types.ts';
import type { NotAnalysed, SourceFile } from '../source/parse.ts';

export type CheckInput = {
  readonly packageJson: PackageJson;
  /** Every file of the archive. */
  readonly files: readonly { readonly path: string; readonly size: number; readonly head?: Uint8Array }[];
  /** The files whose bytes were kept. */
  readonly sources: ReadonlyMap<string, Uint8Array>;
  readonly inspections: readonly EntryInspection[];
  /** The record of the version before, for the rules that compare. */
  readonly previous?: ManifestRecord;
};

/** A tool with the agent that gets it. */
export type CheckedTool = InspectedTool & { readonly agent: Agent };

/** What a rule's function sees. */
export type Facts = CheckInput & {
  readonly tools: readonly CheckedTool[];
  readonly paths: ReadonlySet<string>;
  /** Tool name -> reason, from `piTools.overrides`. */
  readonly overrides: ReadonlyMap<string, string>;
  /** Syntax trees of the sources, parsed on first use and shared. */
  listParsed(): readonly SourceFile[];
  /** Sources that have no tree, and why. */
  listNotParsed(): readonly NotAnalysed[];
  /** Kept files as text, those that are no UTF-8 left out. */
  listTexts(): readonly { readonly path: string; readonly text: string }[];
};

/** What a rule's function gives: the place, and the level or message where they differ from the rule's. */
export type Found = {
  readonly message: string;
  readonly level?: Level;
  readonly agent?: Agent | null;
  readonly tool?: string | null;
  readonly field?: string | null;
  readonly file?: string | null;
  readonly line?: number | null;
  /** The rule's `fix` where it is left out; null where there is nothing to do. */
  readonly hint?: string | null;
};

export type Rule = {
  /** As in docs/checks.md: `pi/no-factory`. */
  readonly id: string;
  /** The level that a finding has unless it says otherwise. */
  readonly level: Level;
  /** What it finds. */
  readonly what: string;
  /** What goes wrong without it. */
  readonly why: string;
  /** How to fix it; the hint of a finding that has none of its own. */
  readonly fix: string;
  find(facts: Facts): Iterable<Found>;
};
