/** Where `check --sarif FILE` writes, checked before anything is examined, and what it writes where nothing could be. */
import { statSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { basename, dirname, relative, resolve, sep } from 'node:path';
import type { Finding } from '../../schemas/finding.ts';
import type { Manifest } from '../../schemas/manifest.ts';
import { Problem } from '../../schemas/problem.ts';
import type { LocalPackage } from '../pack/local-package.ts';
import { fileProblem, isMissing, writeAtomic } from '../state/atomic-write.ts';
import { ruleRow } from './rules.ts';
import { type SarifInput, sarifText } from './sarif.ts';

/** The absolute path. Throws `usage` for an empty one, `file_system` where no file can be there. */
export const sarifTarget = (cwd: string, file: string): string => {
  if (file === '') throw new Problem('usage', '--sarif needs the name of a file');
  const target = resolve(cwd, file);
  if (isFolder(target)) throw new Problem('file_system', `cannot write \`${file}\`: it is a folder`);
  if (!isFolder(dirname(target)))
    throw new Problem('file_system', `cannot write \`${file}\`: there is no folder \`${dirname(target)}\``);
  return target;
};

const isFolder = (path: string): boolean => {
  try {
    return statSync(path).isDirectory();
  } catch (error) {
    if (isMissing(error)) return false;
    throw fileProblem(error, path, 'read');
  }
};

type Report = { manifest: Manifest; findings: readonly Finding[]; local: LocalPackage; cwd: string };

/** Writes the findings of what was examined. */
export const writeSarif = async (target: string, report: Report): Promise<void> => {
  const { manifest, local, cwd } = report;
  const { record, status } = manifest;
  const own = local.kind === 'file' ? basename(local.path) : 'package.json';
  const findings = report.findings.map((one) => ({ ...one, file: one.file ?? own }));
  await write(target, { record, findings, ruleSet: status.ruleSet, folder: folderOf(local, cwd), failure: null });
};

/** As a URI relative to the working folder; null for an archive, and for what lies elsewhere. */
const folderOf = ({ kind, path }: LocalPackage, cwd: string): string | null => {
  if (kind === 'archive') return null;
  const folder = relative(cwd, kind === 'file' ? dirname(path) : path);
  if (folder === '..' || folder.startsWith(`..${sep}`) || resolve(folder) === folder) return null;
  return folder === '' ? './' : `${folder.split(sep).map(encodeURIComponent).join('/')}/`;
};

/** Writes that nothing could be examined, and why: a missing file would fail the next step of a CI job instead. */
export const writeFailedSarif = async (target: string, { code, message, hint }: Problem): Promise<void> => {
  const finding: Finding = {
    ...{ rule: `problem/${code}`, level: 'error', message, hint: hint ?? null },
    ...{ agent: null, tool: null, field: null, file: null, line: null },
  };
  const { RULE_SET } = await import('../../tool-package/check/index.ts');
  await write(target, { record: null, findings: [finding], ruleSet: RULE_SET, folder: null, failure: message });
};

const write = async (target: string, input: Omit<SarifInput, 'rules' | 'toolVersion'>): Promise<void> => {
  const { RULES } = await import('../../tool-package/check/index.ts');
  const text = sarifText({ ...input, rules: RULES.map(ruleRow), toolVersion: await readVersion() });
  writeAtomic(target, text, { id: String(process.pid) });
};

const readVersion = async (): Promise<string> => {
  const source = import.meta.url.endsWith('.ts');
  const file = new URL(source ? '../../package.json' : '../../../package.json', import.meta.url);
  return (JSON.parse(await readFile(file, 'utf8')) as { version: string }).version;
};
