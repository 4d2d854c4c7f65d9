/** A command's work on one registry: opened for the name, closed whatever happens. */
import { Problem } from '../../schemas/problem.ts';
import type { Context } from '../command.ts';
import { parsePackageRequest } from '../resolve/request.ts';
import type { RegistryClient } from './client.ts';
import { openRegistry } from './open.ts';

/** Gives what `work` gives. */
export const onRegistry = async <T>(
  context: Context,
  packageName: string | undefined,
  work: (client: RegistryClient) => Promise<T>,
): Promise<T> => {
  const client = await openRegistry(context, packageName);
  try {
    return await work(client);
  } finally {
    await client.close();
  }
};

/** `name@1.2.0`, where nothing else will do. Throws `usage`. */
export const parseExactRequest = (spec: string): { name: string; version: string } => {
  const { name, wanted } = parsePackageRequest(spec);
  if (wanted.kind === 'exact') return { name, version: wanted.version };
  throw new Problem('usage', `\`${spec}\` does not name one version`, { hint: `write it as \`${name}@1.0.0\`` });
};

/** The path of a package, of one of its versions, and of what lies below. Every segment is encoded. */
export const pathOf = (name: string, ...below: string[]): string =>
  ['/v1/packages', name, ...below].map((part, at) => (at === 0 ? part : encodeURIComponent(part))).join('/');
