/** Files that are written and files that are run, under keys by which they can be told to be the same. */
import type { ApiCall } from '../source/api-calls.ts';
import { pathText } from '../source/locations.ts';
import { startOf } from '../source/run-uses.ts';
import { programName } from '../source/shell-command.ts';
import type { Analysis } from '../source/types.ts';
import { type Abstract, knownText, piecesOf } from '../source/value.ts';

/** Functions that write a file whole. */
export const WRITES =
  /^(?:node:fs(?:\/promises)?\.(?:writeFile|writeFileSync|appendFile|appendFileSync|createWriteStream)|global\.Bun\.write)$/;
const INTERPRETERS = new Set([
  'sh',
  'bash',
  'zsh',
  'node',
  'bun',
  'deno',
  'python',
  'python3',
  'perl',
  'ruby',
  'pwsh',
  'powershell',
]);

/** One name for a place, as good for an unknown one as for a known. */
export function placeKeys(analysis: Analysis, call: ApiCall, argument: Abstract | undefined, index: number): string[] {
  const paths = (argument?.values ?? []).flatMap((value) => {
    const path = pathText(piecesOf(value));
    return path === null ? [] : [`path:${path}`];
  });
  const node = (call.node.arguments as unknown[] | undefined)?.[index];
  const binding =
    typeof node === 'object' && node !== null ? analysis.program.bindings.get(node as ApiCall['node']) : undefined;
  return binding ? [...paths, `name:${call.file}:${binding.name}`] : paths;
}

/** A place, or one in a folder that is such a place. */
export function isBelow(key: string, places: ReadonlySet<string>): boolean {
  for (let end = key.length; end > 5; end = key.lastIndexOf('/', end - 1))
    if (places.has(key.slice(0, end))) return true;
  return false;
}

/** The file that a call runs: the program itself, an interpreter's first argument, or an imported file. */
export function runPlaces(analysis: Analysis, call: ApiCall): string[] {
  if (call.path === 'import' || call.path === 'global.require') return placeKeys(analysis, call, call.args[0], 0);
  const start = startOf(call);
  if (!start || start.form === 'shell') return [];
  const program = start.command.map((value) => programName(knownText(value) ?? ''));
  if (!program.some((name) => INTERPRETERS.has(name))) return placeKeys(analysis, call, call.args[0], 0);
  return start.args.slice(0, 3).flatMap((arg) =>
    arg.values.flatMap((value) => {
      const path = pathText(piecesOf(value));
      return path === null ? [] : [`path:${path}`];
    }),
  );
}
