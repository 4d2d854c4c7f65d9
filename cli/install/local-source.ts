/** Packages from paths: packed and inspected here, as the registry would do it, by the same rules. */
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, relative, sep } from 'node:path';
import type { Agent } from '../../schemas/agents.ts';
import { Problem } from '../../schemas/problem.ts';
import { readArchive } from '../../tool-package/archive/read.ts';
import { examineArchive, examineExtension } from '../agents/examine.ts';
import { checkSource } from './check-source.ts';
import type { PackageSource } from './source.ts';
import type { Spec } from './spec.ts';

type PathSpec = Extract<Spec, { kind: 'path' }>;

/** `file:` and the path, relative to `base` with slashes where it lies below it or beside it: the same on every machine. */
export function fileWish(path: string, base: string | null): string {
  if (base === null) return `file:${path}`;
  const inner = relative(base, path).split(sep).join('/');
  return inner.startsWith('../') ? `file:${inner}` : `file:./${inner}`;
}

async function agentsOfFile(path: string): Promise<{ agents: Agent[]; toolNames: string[] }> {
  const reasons: string[] = [];
  for (const agent of ['pi', 'slopcode'] as const) {
    const { tools, problem } = await examineExtension(path, agent);
    if (problem === null && tools.length > 0) {
      const agents: Agent[] = agent === 'pi' ? ['pi'] : ['slopcode', 'opencode'];
      return { agents, toolNames: tools.map(({ name }) => name) };
    }
    reasons.push(`for ${agent}: ${problem ?? 'it gives no tool'}`);
  }
  throw new Problem('inspection_failed', `\`${path}\` is no tool file: ${reasons.join('; ')}`, {
    hint: 'a pi extension default-exports a function that registers tools; a SlopCode tool file exports tools',
    details: { path, reasons },
  });
}

async function packPath(spec: PathSpec): Promise<Buffer> {
  if (spec.form === 'archive') return readFile(spec.path);
  const { packFile, packFolder } = await import('../../tool-package/archive/pack.ts');
  if (spec.form === 'file') {
    return (await packFile(spec.path, { packageVersion: '0.0.0', ...(await agentsOfFile(spec.path)) })).bytes;
  }
  await refuseNpmFolder(spec.path);
  return (await packFolder(spec.path, { write: 'nothing' })).bytes;
}

/** Packing a folder with npm dependencies may ask npm for pins; an install that is refused anyway must not. */
async function refuseNpmFolder(folder: string): Promise<void> {
  let dependencies: unknown;
  try {
    dependencies = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8')).dependencies;
  } catch {
    return;
  }
  const names = Object.keys(typeof dependencies === 'object' && dependencies !== null ? dependencies : {});
  if (names.length === 0) return;
  throw new Problem(
    'npm_dependencies',
    `\`${folder}\` needs npm packages: ${names.map((name) => `\`${name}\``).join(', ')}`,
    {
      hint: 'bundle them into the entry; pi-tools does not install npm packages yet',
      details: { path: folder, dependencies: names },
    },
  );
}

/** A path as a source. Problem `findings` where a check says error, `npm_dependencies`, and what packing and reading throw. */
export async function openPath(spec: PathSpec): Promise<PackageSource> {
  const bytes = await packPath(spec);
  const archive = await readArchive(bytes);
  const folder = await mkdtemp(join(tmpdir(), 'pi-tools-'));
  try {
    const file = join(folder, 'package.tgz');
    await writeFile(file, bytes, { mode: 0o600 });
    const { record, findings } = await examineArchive(file);
    const errors = findings.filter(({ level }) => level === 'error');
    if (errors.length > 0) throw refused(spec, errors);
    checkSource({ name: record.name, version: record.version, from: spec.text }, record, archive);
    const { name, version, integrity } = record;
    return {
      name,
      version,
      integrity,
      record,
      recordDigest: null,
      registry: `file:${spec.path}`,
      archive,
      status: null,
      findings,
    };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function refused(spec: PathSpec, errors: readonly { rule: string; message: string }[]): Problem {
  const first = errors[0];
  const more = errors.length > 1 ? ` (and ${errors.length - 1} more)` : '';
  return new Problem('findings', `\`${spec.text}\`: ${first?.message ?? ''}${more}`, {
    hint: `pi-tools check ${spec.text} shows all of them`,
    details: { path: spec.path, findings: errors },
  });
}
