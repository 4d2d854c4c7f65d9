/** What can be a tag. */
import { Problem } from '../../schemas/problem.ts';

const TAG = /^[a-z][a-z0-9-]{0,31}$/;
/** `name@x` would be read as a range. */
const RANGES = new Set(['x', 'v']);

const isTag = (text: string): boolean => TAG.test(text) && !RANGES.has(text);

/** The tag that a publish gives without being asked: the first identifier of a pre-release, when it can be one. */
export const automaticTag = (version: string): string | null => {
  const [, identifier = ''] = /^[^-]+-([^.]+)/.exec(version) ?? [];
  return isTag(identifier) && identifier !== 'latest' ? identifier : null;
};

/** Throws `reserved_tag` for `latest`, `invalid_tag` for what could be read as a version or a range. */
export const checkTag = (tag: string): void => {
  if (tag === 'latest') {
    throw new Problem('reserved_tag', '`latest` is always the highest listed stable version and cannot be set', {
      hint: 'Publish a higher version, or yank the one that should not be installed.',
    });
  }
  if (isTag(tag)) return;
  throw new Problem('invalid_tag', `\`${tag.slice(0, 64)}\` cannot be a tag`, {
    hint: 'A tag is a word: a-z first, then a-z, 0-9 and hyphens, at most 32 characters.',
  });
};
