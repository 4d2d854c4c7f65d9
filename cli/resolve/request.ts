/** What a user or a package asks for: a name and, behind `@`, a version, a range or a tag. Pure. */
import { Problem } from '../../schemas/problem.ts';
import { checkPackageName } from '../../tool-package/name.ts';
import { checkRange, checkVersion } from '../../tool-package/version.ts';

export type Wanted =
  | { kind: 'default' }
  | { kind: 'exact'; version: string }
  | { kind: 'range'; range: string }
  | { kind: 'tag'; tag: string };

export type PackageRequest = { name: string; wanted: Wanted };

const TAG = /^[a-z][a-z0-9-]{0,63}$/;
/** Build metadata too: it is a version, one that is refused. */
const EXACT = /^\d+\.\d+\.\d+(?:-[0-9A-Za-z.-]+)?(?:\+[0-9A-Za-z.-]+)?$/;

/** `weather`, `@team/x@^1`, `weather@beta`. Throws `invalid_name`, `invalid_version`, `invalid_range`, `invalid_tag`. */
export const parsePackageRequest = (spec: string): PackageRequest => {
  const at = spec.indexOf('@', 1);
  const name = at === -1 ? spec : spec.slice(0, at);
  checkPackageName(name);
  return { name, wanted: at === -1 ? { kind: 'default' } : parseWanted(spec.slice(at + 1)) };
};

/** What stands behind the `@`, or as a range in a file. Empty and `latest` are the default. */
export const parseWanted = (text: string): Wanted => {
  const wanted = text.trim();
  if (wanted === '' || wanted === 'latest') return { kind: 'default' };
  if (EXACT.test(wanted)) {
    checkVersion(wanted);
    return { kind: 'exact', version: wanted };
  }
  // `x` and `X` are ranges to semver; as the start of a word they are tags.
  if (TAG.test(wanted) && wanted !== 'x') return { kind: 'tag', tag: wanted };
  try {
    checkRange(wanted);
  } catch (error) {
    if (/^[A-Za-z]/.test(wanted)) throw invalidTag(wanted);
    throw error;
  }
  return { kind: 'range', range: wanted };
};

const invalidTag = (tag: string): Problem =>
  new Problem('invalid_tag', `\`${tag.slice(0, 80)}\` is no version, range or tag`, {
    hint: 'a tag is lower-case letters, digits and hyphens, as `beta`',
  });

/** As it is written behind the name in messages: `@^1.0.0`, or nothing. */
export const wantedText = (wanted: Wanted): string => {
  if (wanted.kind === 'default') return '';
  return `@${wanted.kind === 'exact' ? wanted.version : wanted.kind === 'range' ? wanted.range : wanted.tag}`;
};
