import { mkdir, readFile, realpath, stat, writeFile } from 'node:fs/promises';
import { dirname, isAbsolute, relative, resolve, sep } from 'node:path';
import { type ExtensionAPI, withFileMutationQueue } from '@earendil-works/pi-coding-agent';
import { type Static, Type } from 'typebox';
import { replaceOnce } from './replace.ts';

const Parameters = Type.Object({
  path: Type.String({
    description: 'File to change, relative to the working folder; must lie inside it',
    minLength: 1,
  }),
  oldText: Type.String({
    description: 'Text to replace: must occur exactly once. Empty: make a new file with newText',
  }),
  newText: Type.String({ description: 'Text that takes its place, letter for letter' }),
  createFolders: Type.Optional(
    Type.Boolean({ description: 'For a new file: also make the folders it needs (default: false)' }),
  ),
});
type Parameters = Static<typeof Parameters>;

export default function noteEdit(pi: ExtensionAPI) {
  pi.registerTool({
    name: 'note_edit',
    label: 'Edit a note',
    description:
      'Replace one exact, unique piece of text in a text file of the working folder, or make a new file. Other text is left as it is.',
    promptSnippet: 'Replace one exact piece of text in a note, or start a new note',
    promptGuidelines: [
      'Use note_edit for one small change in a note or a list; give note_edit enough of the text around the change to make oldText unique.',
    ],
    parameters: Parameters,
    async execute(_toolCallId, params, signal, _onUpdate, ctx) {
      const file = await locate(ctx.cwd, params.path);
      // The queue that pi's own edit and write use: two changes of one file never read the same old state.
      return withFileMutationQueue(file, async () => {
        if (signal?.aborted) throw new Error(`${params.path} was left as it was: the call was cancelled.`);
        const outcome = params.oldText === '' ? await create(file, params) : await edit(file, params);
        return { content: [{ type: 'text', text: outcome.text }], details: outcome.details };
      });
    },
  });
}

async function edit(file: string, params: Parameters) {
  const current = await readText(file, params.path);
  const { next, line } = replaceOnce(current, params.oldText, params.newText);
  await writeFile(file, next, 'utf8');
  return { text: `Changed ${params.path} at line ${line}.`, details: { path: params.path, line, created: false } };
}

async function create(file: string, params: Parameters) {
  if (params.createFolders) await mkdir(dirname(file), { recursive: true });
  try {
    await writeFile(file, params.newText, { encoding: 'utf8', flag: 'wx' });
  } catch (error) {
    const code = errorCode(error);
    if (code === 'EEXIST') throw new Error(`${params.path} exists already: say in oldText which part to replace.`);
    if (code === 'ENOENT')
      throw new Error(`The folder of ${params.path} does not exist. Set createFolders to make it.`);
    throw error;
  }
  return { text: `Made ${params.path}.`, details: { path: params.path, line: 1, created: true } };
}

async function readText(file: string, shown: string): Promise<string> {
  let bytes: Buffer;
  try {
    bytes = await readFile(file);
  } catch (error) {
    const code = errorCode(error);
    if (code === 'ENOENT') throw new Error(`${shown} does not exist. To make it, leave oldText empty.`);
    if (code === 'EISDIR') throw new Error(`${shown} is a folder, not a file.`);
    throw error;
  }
  const text = bytes.toString('utf8');
  // Decoding replaces what is not UTF-8, and writing it back would destroy those bytes.
  if (!Buffer.from(text, 'utf8').equals(bytes))
    throw new Error(`${shown} is not a UTF-8 text file; it was left as it was.`);
  return text;
}

/** The file meant by `path`; throws when it is outside the working folder, also by way of a link. */
async function locate(cwd: string, path: string): Promise<string> {
  const folder = await realpath(cwd);
  const file = resolve(folder, path.replace(/^@/, ''));
  const real = await realExisting(file);
  const inside = relative(folder, real);
  if (inside === '' || inside === '..' || inside.startsWith(`..${sep}`) || isAbsolute(inside)) {
    throw new Error(`${path} is not a file inside the working folder ${cwd}.`);
  }
  return real;
}

/** `file` with the links in the part of it that exists followed. */
async function realExisting(file: string): Promise<string> {
  const exists = await stat(file).then(
    () => true,
    () => false,
  );
  if (exists) return realpath(file);
  const parent = dirname(file);
  return parent === file ? file : resolve(await realExisting(parent), relative(parent, file));
}

const errorCode = (error: unknown): string | undefined => (error as NodeJS.ErrnoException).code;
