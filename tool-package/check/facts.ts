/** Gathers what the rules look at: once, lazily, within limits. */
import { analyseSources } from '../source/analyse.ts';
import type { CheckInput, Facts } from './types.ts';

/** Takes what is known of an archive, gives what a rule's function needs. */
export const gatherFacts = (input: CheckInput): Facts => {
  const analysis = once(() => analyseSources(input.sources));
  const texts = once(() => decodeAll(input.sources));
  return {
    ...input,
    tools: input.inspections.flatMap((entry) => entry.tools.map((tool) => ({ ...tool, agent: entry.agent }))),
    paths: new Set(input.files.map(({ path }) => path)),
    overrides: new Map((input.packageJson.piTools?.overrides ?? []).map(({ tool, reason }) => [tool, reason])),
    analysis,
    listParsed: () => [...analysis().program.files.values()],
    listNotParsed: () => analysis().notAnalysed,
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
