/** Reads and checks a `package.json`: the shape (schemas/package-json.ts) and what a shape cannot say. */
import type { PackageJson } from '../schemas/package-json.ts';
import { Problem } from '../schemas/problem.ts';
import { type ArchiveLimits, DEFAULT_LIMITS } from './archive/limits.ts';
import { checkPackageName } from './name.ts';
import { packageJsonShape } from './package-json-shape.ts';
import { parseJson } from './parse-json.ts';
import { checkRange, checkVersion } from './version.ts';

const WHAT = 'package.json';

/** Takes the file's bytes. Throws Problem `invalid_package_json` that names field, value and what was wanted. */
export const parsePackageJson = async (
  bytes: Uint8Array,
  limits: ArchiveLimits = DEFAULT_LIMITS,
): Promise<PackageJson> => {
  const value = parseJson(bytes, {
    maxBytes: limits.packageJsonBytes,
    maxDepth: limits.packageJsonDepth,
    what: WHAT,
    code: 'invalid_package_json',
    hint: 'strict JSON in UTF-8: no comments, no trailing comma, no byte-order mark, no key twice',
  });
  return checkPackageJson(value);
};

/** The same for a value that was parsed already. */
export const checkPackageJson = async (value: unknown): Promise<PackageJson> => {
  const packageJson = packageJsonShape(value, '') === null ? (value as PackageJson) : await explain(value);
  field('name', () => checkPackageName(packageJson.name));
  field('version', () => checkVersion(packageJson.version));
  for (const [name, range] of Object.entries(packageJson.piTools?.dependencies ?? {})) {
    field('piTools.dependencies', () => checkPackageName(name));
    field(`piTools.dependencies["${name}"]`, () => checkRange(range));
  }
  return packageJson;
};

/** The schema has the better words, and is loaded only where they are needed. */
const explain = async (value: unknown): Promise<PackageJson> => {
  const [{ PackageJson }, { checkSchema }] = await Promise.all([
    import('../schemas/package-json.ts'),
    import('./schema-error.ts'),
  ]);
  return checkSchema(PackageJson, value, { code: 'invalid_package_json', what: WHAT });
};

const field = (name: string, check: () => void): void => {
  try {
    check();
  } catch (cause) {
    if (!(cause instanceof Problem)) throw cause;
    throw new Problem('invalid_package_json', `${WHAT}: \`${name}\`: ${cause.message}`, {
      ...(cause.hint === null ? {} : { hint: cause.hint }),
      details: { field: name, ...cause.details },
      cause,
    });
  }
};
