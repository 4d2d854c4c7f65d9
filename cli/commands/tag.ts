import { Problem } from '../../schemas/problem.ts';
import type { CommandModule, Context } from '../command.ts';
import { getPackage } from '../registry/not-found.ts';
import { onRegistry, parseExactRequest, pathOf } from '../registry/on-registry.ts';
import { parsePackageRequest } from '../resolve/request.ts';
import { escapeProse } from '../terminal/escape.ts';
import { table } from '../terminal/width.ts';

type TagData = { ok: true; package: string; tags: Record<string, string>; dryRun: boolean };

export const command: CommandModule<TagData> = {
  define: {
    name: 'tag',
    summary: 'List, set and remove tags',
    subcommands: [
      { name: 'ls', summary: 'List the tags of a package', arguments: '<name>' },
      { name: 'set', summary: 'Point a tag at a version', arguments: '<name@version> <tag>' },
      { name: 'rm', summary: 'Remove a tag', arguments: '<name> <tag>' },
    ],
    examples: ['pi-tools tag set weather@2.0.0-beta.1 beta', 'pi-tools tag ls weather'],
  },
  run: async (context, [action, spec = '', tag = '']) => {
    if (action === 'set') return { data: await setTag(context, spec, tag) };
    if (action === 'rm') return { data: await removeTag(context, spec, tag) };
    const { name } = parsePackageRequest(spec);
    const { tags } = await onRegistry(context, name, (client) => getPackage(client, name));
    return { data: { ok: true, package: name, tags, dryRun: false } };
  },
  human: ({ tags, dryRun }) => {
    const rows = Object.entries(tags).map(([tag, version]) => [escapeProse(tag), escapeProse(version)]);
    const text = rows.length === 0 ? 'no tags' : table(rows);
    return dryRun ? `${text}\n(nothing was changed: --dry-run)` : text;
  },
};

const refuseLatest = (tag: string): void => {
  if (tag !== 'latest') return;
  throw new Problem('reserved_tag', '`latest` cannot be set: it is always the highest listed stable version', {
    hint: 'publish a higher version, or yank the one that should not be latest',
  });
};

const setTag = async (context: Context, spec: string, tag: string): Promise<TagData> => {
  const { name, version } = parseExactRequest(spec);
  refuseLatest(tag);
  const { dryRun } = context.options;
  return onRegistry(context, name, async (client) => {
    if (!dryRun) await client.request({ method: 'PUT', path: pathOf(name, 'tags', tag), body: { version } });
    const { tags } = await getPackage(client, name);
    return { ok: true, package: name, tags: dryRun ? { ...tags, [tag]: version } : tags, dryRun };
  });
};

const removeTag = async (context: Context, spec: string, tag: string): Promise<TagData> => {
  const { name } = parsePackageRequest(spec);
  refuseLatest(tag);
  const { dryRun } = context.options;
  return onRegistry(context, name, async (client) => {
    if (!dryRun) await client.request({ method: 'DELETE', path: pathOf(name, 'tags', tag) });
    const { tags } = await getPackage(client, name);
    const left = Object.fromEntries(Object.entries(tags).filter(([one]) => one !== tag));
    return { ok: true, package: name, tags: dryRun ? left : tags, dryRun };
  });
};
