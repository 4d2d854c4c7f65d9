/** Gathers what the rules look at: once, lazily, within limits. */
import type { NotAnalysed, SourceFile } from '../source/parse.ts';
import { parseAll } from '../source/program.ts';
import type { CheckInput, Facts } from './types.ts';

/** Takes what is known of an archive, gives what a rule's function needs. */
export const gatherFacts = (input: CheckInput): Facts => {
  const parsed = once(() => parseAll(input.sources));
  const texts = once(() => decodeAll(input.sources));
  return {
    ...input,
    tools: input.inspections.flatMap((entry) => entry.tools.map((tool) => ({ ...tool, agent: entry.agent }))),
    paths: new Set(input.files.map(({ path }) => path)),
    overrides: new Map((input.packageJson.piTools?.overrides ?? []).map(({ tool, reason }) => [tool, reason])),
    listParsed: () => parsed().filter((source): source is SourceFile => 'program' in source),
    listNotParsed: () => parsed().filter((source): source is NotAnalysed => !('program' in source)),
    listTexts: texts,
  };
};

const once = <T>(make: () => T): (() => T) => {
  let made: { value: T } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
};

const decodeAll = (sources: CheckInput['sources']): { path: string; text: string }[] => {
  const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
  return [...sources].flatMap(([path, bytes]) => {
    try {
      return [{ path, text: decoder.decode(bytes) }];
    } catch {
      return [];
    }
  });
};
