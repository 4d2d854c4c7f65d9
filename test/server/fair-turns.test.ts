/** Who comes next, on a clock that the test moves. */
import { describe, expect, it } from 'vitest';
import { createFairTurns, type TurnLimits } from '../../server/registry/fair-turns.ts';

const LIMITS: TurnLimits = { places: 1, quickPlaces: 0, waiting: 10, waitingOfOne: 4, waitMs: 60_000 };

const turn = () => new Promise((resolve) => setImmediate(resolve));

/** Turns of which the test says when each ends, and the order in which they began. */
const start = (limits: Partial<TurnLimits> = {}) => {
  let now = 0;
  const turns = createFairTurns({ ...LIMITS, ...limits }, () => now);
  const began: string[] = [];
  const ends = new Map<string, () => void>();
  const work = (name: string) => () =>
    new Promise<string>((resolve) => {
      began.push(name);
      ends.set(name, () => resolve(name));
    });
  return {
    began,
    pass: (ms: number) => {
      now += ms;
    },
    add: (owner: string, name: string, expectedMs = 0) => turns.soon({ owner, expectedMs }, work(name)),
    later: (name: string) => turns.later(work(name)),
    fail: (owner: string) => turns.soon({ owner, expectedMs: 0 }, () => Promise.reject(new Error('no'))),
    end: async (name: string, afterMs = 0) => {
      await turn();
      now += afterMs;
      ends.get(name)?.();
      await turn();
    },
  };
};

describe('who comes next', () => {
  it('is the one whose work took least lately, not the one who sent ten', async () => {
    const { add, end, began } = start();
    const all = [add('mallory', 'm1'), add('mallory', 'm2'), add('mallory', 'm3'), add('alice', 'a1')];
    await end('m1', 10_000);
    await end('a1', 500);
    await end('m2', 10_000);
    await end('m3');
    expect(began).toEqual(['m1', 'a1', 'm2', 'm3']);
    expect(await Promise.all(all)).toEqual(['m1', 'm2', 'm3', 'a1']);
  });

  it('is also not one who has something running, where there are several places', async () => {
    const { add, end, began } = start({ places: 2 });
    const all = [add('mallory', 'm1'), add('bob', 'b1'), add('mallory', 'm2'), add('alice', 'a1')];
    await end('b1', 100);
    expect(began).toEqual(['m1', 'b1', 'a1']);
    await end('m1', 100);
    await end('m2');
    await end('a1');
    await Promise.all(all);
  });

  it('is the smaller of two strangers, unless the larger has waited that much longer', async () => {
    const { add, end, pass, began } = start();
    const first = add('x', 'x1');
    const large = add('bob', 'large', 5000);
    pass(4000);
    const small = add('alice', 'small');
    pass(2000);
    const smaller = add('carol', 'too late');
    await end('x1');
    await end('small');
    await end('large');
    await end('too late');
    await Promise.all([first, large, small, smaller]);
    expect(began).toEqual(['x1', 'small', 'large', 'too late']);
  });

  it('is small work of a stranger beside large work, one at a time', async () => {
    const { add, end, began } = start({ quickPlaces: 1 });
    const all = [add('mallory', 'm1', 9000), add('bob', 'large', 9000), add('mallory', 'm2')];
    all.push(add('alice', 'a1'), add('carol', 'c1'));
    await turn();
    expect(began).toEqual(['m1', 'a1']);
    await end('a1', 5000);
    expect(began).toEqual(['m1', 'a1', 'c1']);
    all.push(add('alice', 'a2'));
    await end('c1');
    // She took five seconds a moment ago.
    expect(began).toEqual(['m1', 'a1', 'c1']);
    await end('m1');
    for (const name of ['m2', 'a2', 'large']) await end(name, 60_000);
    await Promise.all(all);
  });

  it('is nobody behind everybody for ever: use is forgotten', async () => {
    const { add, end, pass, began } = start();
    const first = add('mallory', 'm1');
    await end('m1', 60_000);
    pass(3_600_000);
    const blocker = add('x', 'x1');
    const second = add('mallory', 'm2');
    const third = add('alice', 'a1');
    await end('x1');
    await end('m2');
    await end('a1');
    await Promise.all([first, second, third, blocker]);
    expect(began).toEqual(['m1', 'x1', 'm2', 'a1']);
  });

  it('is work that nobody waits for last, and one at a time', async () => {
    const { add, later, end, began } = start({ places: 2 });
    const all = [later('l1'), later('l2'), add('a', 'a1'), add('b', 'b1')];
    await end('a1');
    await end('l1');
    await end('b1');
    await end('l2');
    await Promise.all(all);
    expect(began).toEqual(['l1', 'a1', 'b1', 'l2']);
  });
});

describe('who is told to try again', () => {
  const BUSY = { code: 'busy', status: 503, details: { retryAfterSeconds: 30 } };

  it('is who comes when too many wait', async () => {
    const { add, end } = start({ waiting: 2 });
    const all = [add('a', 'a1'), add('b', 'b1'), add('c', 'c1')];
    await expect(add('d', 'd1')).rejects.toMatchObject(BUSY);
    for (const name of ['a1', 'b1', 'c1']) await end(name);
    await Promise.all(all);
    const again = add('d', 'd1');
    await end('d1');
    expect(await again).toBe('d1');
  });

  it('is who has too many waiting, and nobody else', async () => {
    const { add, end } = start({ waitingOfOne: 1 });
    const all = [add('mallory', 'm1'), add('mallory', 'm2')];
    await expect(add('mallory', 'm3')).rejects.toMatchObject(BUSY);
    all.push(add('alice', 'a1'));
    for (const name of ['m1', 'a1', 'm2']) await end(name, 100);
    await Promise.all(all);
  });

  it('is who waited too long, and its place in the queue is gone', async () => {
    const { add, end, began } = start({ waitMs: 30 });
    const first = add('a', 'a1');
    await expect(add('b', 'b1')).rejects.toMatchObject(BUSY);
    await end('a1');
    await first;
    expect(began).toEqual(['a1']);
  });

  it('is nobody because work failed: its place is free again', async () => {
    const { add, end, fail } = start();
    await expect(fail('a')).rejects.toThrow('no');
    const next = add('b', 'b1');
    await end('b1');
    expect(await next).toBe('b1');
  });
});
