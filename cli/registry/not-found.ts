/** A name that the registry does not have: never installed by a guess, but told what is near. */
import type { PackageDocument } from '../../schemas/api/packages.ts';
import { Problem } from '../../schemas/problem.ts';
import { didYouMean, suggest } from '../suggest.ts';
import type { RegistryClient } from './client.ts';

/** The package's document. Throws `package_not_found` with near names. */
export const getPackage = async (client: RegistryClient, name: string): Promise<PackageDocument> => {
  const document = await client.findPackage(name);
  if (document !== undefined) return document;
  throw await packageNotFound(client, name);
};

/** The Problem for a name that is not there; a search that fails only costs the suggestion. */
export const packageNotFound = async (client: RegistryClient, name: string): Promise<Problem> => {
  const found = await nearNames(client, name);
  const where = client.origin === 'embedded' ? 'the embedded registry' : `\`${client.origin}\``;
  const near = didYouMean(found);
  const hint = near ?? 'look for it with `pi-tools search`, or choose another registry with --registry';
  return new Problem('package_not_found', `no package \`${name}\` in ${where}`, {
    hint,
    details: { package: name, registry: client.origin, suggestions: found },
  });
};

const nearNames = async (client: RegistryClient, name: string): Promise<string[]> => {
  const found = new Set<string>();
  const bare = name.replace('@', '');
  // A search forgives one typo and finds prefixes: the second question finds names that begin right.
  for (const text of new Set([bare, bare.slice(0, Math.max(1, Math.min(3, bare.length - 1)))])) {
    const answer = await client.search({ text, limit: 50 }).catch(() => undefined);
    for (const result of answer?.results ?? []) found.add(result.name);
  }
  return suggest(name, found);
};
