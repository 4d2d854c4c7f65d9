/** All of a package's sources, analysed once: what the rules about code and permissions ask. */
import { findAllowLists } from './allow-lists.ts';
import { findApiCalls, sourceLine } from './api-calls.ts';
import { findEnvironmentUses } from './environment-uses.ts';
import { createMachine } from './evaluate.ts';
import { fileOf, type Machine } from './machine.ts';
import { lineOf, type Node } from './node.ts';
import type { SourceFile } from './parse.ts';
import { type Program, readProgram } from './program.ts';
import { findSends } from './sends.ts';
import type { Analysis, NotAnalysed, Use } from './types.ts';
import { type UseValue, usesOfCall } from './uses.ts';

/**
 * Takes the kept files of an archive (path -> bytes). Never throws, runs nothing, and takes bounded time; what could not
 * be looked at is in `notAnalysed`. `parsed`: the syntax trees, where they have been made already.
 */
export function analyseSources(
  sources: ReadonlyMap<string, Uint8Array>,
  parsed?: readonly (SourceFile | NotAnalysed)[],
): Analysis {
  const program = readProgram(sources, parsed);
  const machine = createMachine(program);
  const calls = findApiCalls(machine);
  const uses = [
    ...calls.flatMap((call) => usesOfCall(call).map((value) => toUse(program, call.file, call.node, value))),
    ...findEnvironmentUses(machine).map(({ name, node, file }) =>
      toUse(program, file, node, { kind: 'env', value: name }),
    ),
  ];
  const exhausted = machine.exhausted || machine.gaveUp ? [tooComplex(program, machine)] : [];
  const allowLists = findAllowLists(machine);
  const sends = findSends(machine);
  return { program, machine, calls, uses, sends, allowLists, notAnalysed: [...program.notAnalysed, ...exhausted] };
}

/** Not everything was followed: what was not may be anything. */
function tooComplex(program: Program, machine: Machine): NotAnalysed {
  const [first = ''] = program.files.keys();
  const node = machine.gaveUp;
  const reason = 'is too complex to be followed to the end';
  return node ? { file: fileOf(machine, node), line: lineOf(node), reason } : { file: first, line: null, reason };
}

function toUse(program: Program, file: string, node: Node, { kind, value, light, near }: UseValue): Use {
  const source = program.files.get(file)?.text ?? '';
  return {
    kind,
    value,
    light: light === true,
    ...(near ? { near } : {}),
    file,
    line: lineOf(node),
    text: sourceLine(source, node),
  };
}
