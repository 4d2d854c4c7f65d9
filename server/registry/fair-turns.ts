/**
 * Who may work next where only a few can at a time. The one whose work took least lately goes first, small work before
 * large, and whoever has waited long before both: nobody waits behind another's ten archives, and nobody for ever.
 */
import { Problem } from '../../schemas/problem.ts';

export type TurnLimits = {
  /** How many work at the same time. */
  readonly places: number;
  /** How many more, if their work is small and their owner took little lately: they need not wait for an end of the large. */
  readonly quickPlaces: number;
  /** How many may wait. */
  readonly waiting: number;
  /** How many may wait for one owner. */
  readonly waitingOfOne: number;
  readonly waitMs: number;
};

export type Turn = {
  /** Whose work it is. */
  readonly owner: string;
  /** What it will take, as far as that is known. */
  readonly expectedMs: number;
};

export type FairTurns = {
  /** Works when it is its turn. Throws what `work` throws, and `busy` where too many wait or it waited too long. */
  soon<T>(turn: Turn, work: () => Promise<T>): Promise<T>;
  /** The same behind all others, and one at a time. Never `busy`. */
  later<T>(work: () => Promise<T>): Promise<T>;
};

type Waiting = { readonly turn: Turn; readonly sinceMs: number; admit(): void };

const RETRY_SECONDS = 30;
const busy = (message: string): Problem =>
  new Problem('busy', message, {
    hint: `Try again in ${RETRY_SECONDS} seconds.`,
    details: { retryAfterSeconds: RETRY_SECONDS },
  });

export const createFairTurns = (limits: TurnLimits, nowMs: () => number = () => performance.now()): FairTurns => {
  const soon = new Set<Waiting>();
  const later: (() => void)[] = [];
  const running = { soon: 0, later: 0 };
  const usage = createUsage(nowMs);

  const costOf = ({ turn, sinceMs }: Waiting): number => usage.of(turn.owner) + turn.expectedMs + sinceMs;
  const isQuick = ({ turn }: Waiting): boolean => turn.expectedMs + usage.of(turn.owner) <= QUICK_MS;
  const freePlaces = (): number => limits.places - running.soon - running.later;

  const admit = (): void => {
    while (freePlaces() > 0) {
      const next = firstOf([...soon], costOf);
      if (next !== undefined) next.admit();
      else if (running.later === 0 && later.length > 0) later.shift()?.();
      else return;
    }
    while (freePlaces() + limits.quickPlaces > 0) {
      const next = firstOf([...soon].filter(isQuick), costOf);
      if (next === undefined) return;
      next.admit();
    }
  };

  const enter = ({ owner, expectedMs }: Turn): Promise<void> => {
    if (freePlaces() <= 0) assertRoom(soon, owner, limits);
    return new Promise<void>((resolve, reject) => {
      const late = setTimeout(() => {
        soon.delete(waiting);
        reject(busy('The archive waited too long for its inspection'));
      }, limits.waitMs);
      const waiting: Waiting = {
        turn: { owner, expectedMs },
        sinceMs: nowMs(),
        admit: () => {
          clearTimeout(late);
          soon.delete(waiting);
          running.soon++;
          usage.begin(owner);
          resolve();
        },
      };
      soon.add(waiting);
      admit();
    });
  };

  return {
    soon: async (turn, work) => {
      await enter(turn);
      const startedMs = nowMs();
      try {
        return await work();
      } finally {
        usage.end(turn.owner, startedMs);
        running.soon--;
        admit();
      }
    },
    later: async (work) => {
      await new Promise<void>((resolve) => {
        later.push(() => {
          running.later++;
          resolve();
        });
        admit();
      });
      try {
        return await work();
      } finally {
        running.later--;
        admit();
      }
    },
  };
};

const assertRoom = (waiting: ReadonlySet<Waiting>, owner: string, limits: TurnLimits): void => {
  if (waiting.size >= limits.waiting) throw busy('Too many archives wait for their inspection');
  const own = [...waiting].filter(({ turn }) => turn.owner === owner).length;
  if (own >= limits.waitingOfOne) throw busy(`${own} archives of yours wait for their inspection`);
};

/** The first of those with the least cost: who came earlier stays in front. */
const firstOf = (all: readonly Waiting[], costOf: (one: Waiting) => number): Waiting | undefined => {
  let best: { one: Waiting; cost: number } | undefined;
  for (const one of all) {
    const cost = costOf(one);
    if (best === undefined || cost < best.cost) best = { one, cost };
  }
  return best?.one;
};

/** Nobody waits behind this much. */
const QUICK_MS = 1000;
/** In this time a past use comes to count half. */
const HALF_LIFE_MS = 60_000;
/** What work that has just begun counts at least: two of one owner do not go first because neither took anything yet. */
const BEGUN_MS = 2000;
const FORGOTTEN_MS = 1;

/** How long the work of each owner took lately, and takes now. */
const createUsage = (nowMs: () => number) => {
  const past = new Map<string, { ms: number; atMs: number }>();
  const now = new Map<string, number>();
  const pastOf = (owner: string): number => {
    const known = past.get(owner);
    return known === undefined ? 0 : known.ms * 0.5 ** ((nowMs() - known.atMs) / HALF_LIFE_MS);
  };
  return {
    of: (owner: string): number => pastOf(owner) + (now.get(owner) ?? 0) * BEGUN_MS,
    begin: (owner: string): void => void now.set(owner, (now.get(owner) ?? 0) + 1),
    end: (owner: string, startedMs: number): void => {
      const left = (now.get(owner) ?? 1) - 1;
      if (left === 0) now.delete(owner);
      else now.set(owner, left);
      past.set(owner, { ms: pastOf(owner) + nowMs() - startedMs, atMs: nowMs() });
      for (const each of [...past.keys()]) if (pastOf(each) < FORGOTTEN_MS) past.delete(each);
    },
  };
};
