/** Gathers what the rules look at: once, lazily, within limits. */
import { isSourcePath, type NotAnalysed, parseSource, type SourceFile } from '../source/parse.ts';
import type { CheckInput, Facts } from './types.ts';

/** All sources together; beyond it a file is "not analysed", which is a finding and never clean. */
const MAX_PARSED_BYTES = 16 * 1024 * 1024;

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

const parseAll = (sources: CheckInput['sources']): (SourceFile | NotAnalysed)[] => {
  let total = 0;
  return [...sources]
    .filter(([path]) => isSourcePath(path))
    .map(([path, bytes]) => {
      total += bytes.byteLength;
      return total > MAX_PARSED_BYTES
        ? {
            file: path,
            reason: `is beyond the ${MAX_PARSED_BYTES / 1024 / 1024} MiB of sources that are analysed`,
            line: null,
          }
        : parseSource(path, bytes);
    });
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
