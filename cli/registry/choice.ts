/** Which registry a name belongs to, and whether a token from the environment may go there. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Problem } from '../../schemas/problem.ts';
import { parseJson } from '../../tool-package/parse-json.ts';
import { fields, record, type Shape, text } from '../../tool-package/shape.ts';
import type { Context } from '../command.ts';
import { type Environment, variable } from '../environment.ts';
import { isMissing } from '../state/atomic-write.ts';
import { findProjectFolder, PROJECT_FILE_NAME, userConfigFolder } from '../state/paths.ts';
import { originOf, parseRegistryUrl } from './http.ts';

/** Who said it. A `project` file comes with a folder that anyone may have written. */
type ChoiceSource = 'flag' | 'environment' | 'user' | 'project' | 'default';

export type RegistryChoice = {
  /** Null: the embedded registry. */
  url: URL | null;
  source: ChoiceSource;
  /** Whether PI_TOOLS_TOKEN is meant for it: only for the registry that the user named, never for one that only a project file names. */
  environmentToken: 'allowed' | 'withheld';
};

type RegistryKeys = { registry?: string; registries?: Record<string, string> };

const MAX_FILE_BYTES = 256 * 1024;
const keys: Shape = fields(
  {},
  { registry: text({ min: 1, max: 2048 }), registries: record(text({ min: 1, max: 2048 })) },
);

/** `registry` and `registries` of a file; nothing where there is no file. Throws `state_invalid`. */
const readKeys = async (file: string): Promise<RegistryKeys> => {
  const bytes = await readFile(file).catch((error: unknown) => {
    if (isMissing(error)) return undefined;
    throw error;
  });
  if (bytes === undefined) return {};
  const hint = 'mend the file, or move it away, then run the command again; nothing was changed';
  const value = parseJson(bytes, { maxBytes: MAX_FILE_BYTES, maxDepth: 16, code: 'state_invalid', what: file, hint });
  const fault = keys(value, '');
  if (fault !== null) throw new Problem('state_invalid', `${file}: ${fault}`, { hint, details: { file } });
  return value as RegistryKeys;
};

/** `@team/x` -> `@team`. */
const scopeOf = (packageName: string | undefined): string | undefined =>
  packageName?.startsWith('@') ? packageName.split('/')[0] : undefined;

const findScoped = (file: RegistryKeys, scope: string | undefined): string | undefined =>
  scope !== undefined && file.registries !== undefined && Object.hasOwn(file.registries, scope)
    ? file.registries[scope]
    : undefined;

const parse = (url: string): URL | null => (url === 'embedded' ? null : parseRegistryUrl(url));

const originOrNull = (url: string | undefined): string | null => {
  const parsed = url === undefined ? null : parse(url);
  return parsed === null ? null : originOf(parsed);
};

/**
 * The registry for `packageName`. A scope that is mapped belongs to its registry whatever else is said, so that a name
 * is never looked up in two (a private name asked of a public registry could be answered by anyone); the user's map
 * comes before the project's. Otherwise: `--registry`, PI_TOOLS_REGISTRY, the project's file, the user's configuration,
 * the embedded registry. `embedded` as a value means that one.
 */
export const chooseRegistry = async (context: Context, packageName?: string): Promise<RegistryChoice> => {
  const { environment, options } = context;
  const user = await readKeys(join(userConfigFolder(environment), 'config.json'));
  const project = await readProjectKeys(environment);
  const scope = scopeOf(packageName);
  const fromEnvironment = variable(environment, 'PI_TOOLS_REGISTRY');
  const named = originOrNull(options.registry ?? fromEnvironment ?? user.registry);
  const found = (text: string, source: ChoiceSource): RegistryChoice => {
    const url = parse(text);
    const isNamed = url !== null && originOf(url) === named;
    return { url, source, environmentToken: isNamed ? 'allowed' : 'withheld' };
  };
  const scoped = findScoped(user, scope);
  if (scoped !== undefined) return found(scoped, 'user');
  const scopedByProject = findScoped(project, scope);
  if (scopedByProject !== undefined) return found(scopedByProject, 'project');
  if (options.registry !== null) return found(options.registry, 'flag');
  if (fromEnvironment !== undefined) return found(fromEnvironment, 'environment');
  if (project.registry !== undefined) return found(project.registry, 'project');
  if (user.registry !== undefined) return found(user.registry, 'user');
  return { url: null, source: 'default', environmentToken: 'withheld' };
};

const readProjectKeys = async (environment: Environment): Promise<RegistryKeys> => {
  const folder = findProjectFolder(environment, environment.cwd);
  return folder === undefined ? {} : readKeys(join(folder, PROJECT_FILE_NAME));
};
