/** What `check --fix` can mend in a package's folder: worked out first, shown, and only then written. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Finding } from '../../schemas/finding.ts';
import type { PackageJson } from '../../schemas/package-json.ts';
import { Problem } from '../../schemas/problem.ts';
import { readArchive } from '../../tool-package/archive/read.ts';
import { createKeep, sourcesOf } from '../../tool-package/examine/kept-files.ts';
import { isSourcePath } from '../../tool-package/source/parse.ts';
import { observePermissions } from '../../tool-package/source/permissions.ts';
import { readProgram } from '../../tool-package/source/program.ts';
import { writeAtomic } from '../state/atomic-write.ts';
import { declareMissing } from './fix-declarations.ts';
import { fixLiteralUnions } from './fix-unions.ts';

/** One change, for people and `--json`; `before` null where something is added. Text of the package, unescaped. */
export type FixChange = {
  kind: 'permission' | 'literal-union' | 'import';
  file: string;
  line: number | null;
  before: string | null;
  after: string;
};

export type NotFixed = { file: string; line: number | null; reason: string };

/** What mending one file gives. */
export type FixedText = { text: string; changes: FixChange[]; notFixed: NotFixed[] };

/** New contents of files, and what of the old ones has been read. */
type FixedFile = { path: string; before: Buffer; after: string };

export type FixPlan = { files: FixedFile[]; changes: FixChange[]; notFixed: NotFixed[] };

type FixInput = {
  /** The package's folder, or the one of a single file; and what was packed from it. */
  folder: string;
  kind: 'folder' | 'file';
  bytes: Buffer;
  findings: readonly Finding[];
};

const isAuthors = (path: string): boolean =>
  isSourcePath(path) && !/(?:^|\/)node_modules\//.test(path) && !/\.d\.[cm]?ts$/.test(path);

/** Works out the changes; writes nothing. Throws what the archive reader throws. */
export const planFix = async ({ folder, kind, bytes, findings }: FixInput): Promise<FixPlan> => {
  const archive = await readArchive(bytes, { keep: createKeep() });
  const sources = sourcesOf(archive);
  const plan: FixPlan = { files: [], changes: [], notFixed: [] };
  const take = (path: string, before: Buffer, fixed: FixedText): void => {
    plan.changes.push(...fixed.changes);
    plan.notFixed.push(...fixed.notFixed);
    if (fixed.changes.length > 0) plan.files.push({ path, before, after: fixed.text });
  };
  const unions = findings.filter(({ rule }) => rule === 'pi/literal-union');
  const whole = unions.length === 0 ? undefined : readProgram(sources);
  for (const [path, content] of whole === undefined ? [] : sources) {
    if (isAuthors(path)) take(path, Buffer.from(content), fixLiteralUnions(path, content, whole));
  }
  if (plan.changes.length + plan.notFixed.length === 0) plan.notFixed.push(...unions.map(notWritten));
  const undeclared = findings.find(({ rule }) => rule === 'perm/undeclared');
  if (undeclared !== undefined && kind === 'file')
    plan.notFixed.push({ file: undeclared.file ?? '', line: undeclared.line, reason: FILE_CANNOT_DECLARE });
  else if (undeclared !== undefined) {
    const before = readFileSync(join(folder, 'package.json'));
    take('package.json', before, await fixDeclarations(before, archive.packageJson, sources));
  }
  return plan;
};

const FILE_CANNOT_DECLARE = 'a single file cannot declare what it uses: `pi-tools init` makes a folder that can';

/** A schema that a variable holds, or one that a function makes. */
const notWritten = ({ file, line, field }: Finding): NotFixed => ({
  file: file ?? 'package.json',
  line,
  reason: `\`${field ?? 'parameters'}\` is not written as \`Type.Union([Type.Literal(…)])\`: give it \`type\` and \`enum\` by hand`,
});

const fixDeclarations = (
  before: Buffer,
  packageJson: PackageJson,
  sources: ReadonlyMap<string, Uint8Array>,
): Promise<FixedText> =>
  declareMissing(before.toString('utf8'), packageJson.piTools?.permissions ?? {}, observePermissions(sources));

/** Writes what was planned, each file as a whole. Problem `state_conflict` where a file has changed since, `file_system`. */
export const writeFix = (folder: string, { files }: FixPlan, id: string): void => {
  for (const { path, before } of files) {
    if (readFileSync(join(folder, path)).equals(before)) continue;
    throw new Problem('state_conflict', `\`${path}\` has changed since it was read: nothing was written`, {
      hint: 'run `pi-tools check --fix` again',
    });
  }
  for (const { path, after } of files) writeAtomic(join(folder, path), after, { id });
};
