const MAX_TEXTS = 50;

/** The texts in arguments, however deep: some of them may be paths. */
export const textsIn = (value: unknown): string[] => {
  const texts: string[] = [];
  const queue: unknown[] = [value];
  for (let at = 0; at < queue.length && texts.length < MAX_TEXTS; at += 1) {
    const next = queue[at];
    if (typeof next === 'string' && next !== '' && !next.includes('\0')) texts.push(next);
    else if (typeof next === 'object' && next !== null) queue.push(...Object.values(next));
  }
  return texts;
};
