/**
 * One version for each package, so that every wish and every dependency holds. Pure: the caller fetches the documents.
 * The candidates of a package are tried best first; a choice that a later one contradicts is taken back (chronological
 * backtracking, enough for graphs of a few dozen packages; a budget stops what is built to explode).
 */
import type { PackageDocument, PackageVersion } from '../../schemas/api/packages.ts';
import { Problem } from '../../schemas/problem.ts';
import { explainNone, listCandidates } from './choose.ts';
import { parseWanted, type Wanted, wantedText } from './request.ts';

export type Root = { name: string; wanted: Wanted };

export type SolveInput = {
  roots: readonly Root[];
  /** Gives the document of a package; throws `package_not_found`. Asked once per name. */
  getDocument(name: string): Promise<PackageDocument>;
  /** Versions of a lock file: kept where they still fit. */
  locked?: ReadonlyMap<string, string>;
};

export type Chosen = {
  name: string;
  version: PackageVersion;
  document: PackageDocument;
  /** Who asked for it: `null` the user, else the package's name. */
  askedBy: readonly (string | null)[];
};

type Demand = { name: string; wanted: Wanted; by: Chosen | null };

const MAX_STEPS = 20_000;
const MAX_PACKAGES = 500;

/** The solution sorted by name. Throws `no_matching_version` with who wants what, or what `getDocument` throws. */
export const solve = async (input: SolveInput): Promise<Chosen[]> => {
  const search: Search = { input, documents: new Map(), steps: 0, conflict: null };
  const demands = input.roots.map((root) => ({ ...root, by: null }));
  const solution = await extend(search, demands, new Map(), []);
  if (solution === null) throw conflictProblem(search);
  return [...solution.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
};

type Search = {
  input: SolveInput;
  documents: Map<string, PackageDocument>;
  steps: number;
  /** The deepest conflict seen so far, for the message. */
  conflict: { depth: number; name: string; demands: readonly Demand[] } | null;
};

type Picked = ReadonlyMap<string, Chosen>;

/** Meets the first demand in every way that works out with the rest; null where none does. */
const extend = async (
  search: Search,
  demands: readonly Demand[],
  picked: Picked,
  met: readonly Demand[],
): Promise<Picked | null> => {
  search.steps += 1;
  // Demands that are met already recurse without waiting: a long list of them must not grow the stack.
  if (search.steps % 100 === 0) await null;
  if (search.steps > MAX_STEPS || picked.size > MAX_PACKAGES) throw tooMuch();
  const [demand, ...rest] = demands;
  if (demand === undefined) return picked;
  const known = picked.get(demand.name);
  const nowMet = [...met, demand];
  if (known !== undefined) {
    if (fits(known, demand)) return extend(search, rest, withAsker(picked, known, demand), nowMet);
    note(search, demand.name, picked.size, nowMet);
    return null;
  }
  const document = await getDocument(search, demand.name);
  for (const version of candidates(search, document, demand)) {
    const chosen: Chosen = { name: demand.name, version, document, askedBy: [demand.by?.name ?? null] };
    const more = dependenciesOf(chosen);
    const solution = await extend(search, [...rest, ...more], new Map(picked).set(demand.name, chosen), nowMet);
    if (solution !== null) return solution;
  }
  note(search, demand.name, picked.size, nowMet);
  return null;
};

const getDocument = async (search: Search, name: string): Promise<PackageDocument> => {
  const known = search.documents.get(name);
  if (known !== undefined) return known;
  const document = await search.input.getDocument(name);
  search.documents.set(name, document);
  return document;
};

const candidates = (search: Search, document: PackageDocument, demand: Demand): PackageVersion[] => {
  const found = listCandidates(document, demand.wanted, { locked: search.input.locked?.get(demand.name) });
  // A wish of the user that nothing can meet is explained by itself, not as a conflict.
  if (found.length === 0 && demand.by === null) throw explainNone(document, demand.wanted);
  return found;
};

const fits = (chosen: Chosen, demand: Demand): boolean =>
  listCandidates(chosen.document, demand.wanted, { locked: chosen.version.version }).some(
    (one) => one.version === chosen.version.version,
  );

const withAsker = (picked: Picked, known: Chosen, demand: Demand): Picked =>
  new Map(picked).set(known.name, { ...known, askedBy: [...known.askedBy, demand.by?.name ?? null] });

const dependenciesOf = (chosen: Chosen): Demand[] =>
  Object.entries(chosen.version.dependencies).map(([name, range]) => ({
    name,
    wanted: parseWanted(range),
    by: chosen,
  }));

const note = (search: Search, name: string, depth: number, met: readonly Demand[]): void => {
  if (search.conflict !== null && search.conflict.depth >= depth) return;
  search.conflict = { depth, name, demands: met.filter((demand) => demand.name === name) };
};

const conflictProblem = (search: Search): Problem => {
  const { name, demands } = search.conflict ?? { name: '?', demands: [] };
  const wishes = demands.map(({ by, wanted }) => {
    const who = by === null ? 'you ask for' : `\`${by.name}@${by.version.version}\` needs`;
    return `${who} \`${name}${wantedText(wanted)}\``;
  });
  return new Problem('no_matching_version', `no version of \`${name}\` fits all: ${wishes.join('; ')}`, {
    hint: 'ask for other versions, or remove one of the packages',
    details: {
      package: name,
      wanted: demands.map(({ by, wanted }) => ({
        by: by?.name ?? null,
        wanted: wantedText(wanted).slice(1) || 'latest',
      })),
    },
  });
};

const tooMuch = (): Problem =>
  new Problem('no_matching_version', 'the dependencies of these packages are too many to solve', {
    hint: 'ask for exact versions',
  });
