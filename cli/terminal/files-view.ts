/** Which files are in an archive, and which are not. Paths are the author's own or an archive's: escaped either way. */
import { escapeText } from './escape.ts';
import type { Style } from './style.ts';
import { formatBytes, plural } from './units.ts';
import { table } from './width.ts';

export type PackedFiles = {
  files: readonly { path: string; size: number }[];
  leftOut: readonly { path: string; reason: string }[];
  written: readonly string[];
};

/** Sections of lines; empty ones are left out. */
export const filesText = ({ files, leftOut, written }: PackedFiles, style: Style): string => {
  const widest = Math.max(...files.map((file) => formatBytes(file.size).length), 1);
  const rows = files.map((file) => [formatBytes(file.size).padStart(widest), escapeText(file.path)]);
  const sections = [`${style.bold(plural(files.length, 'file'))}\n${table(rows, '  ')}`];
  if (leftOut.length > 0) {
    const left = leftOut.map((one) => [escapeText(one.path), style.dim(escapeText(one.reason))]);
    sections.push(`${style.bold('Left out')}\n${table(left, '  ')}`);
  }
  if (written.length > 0)
    sections.push(`${style.bold('Written')}\n${written.map((path) => `  ${escapeText(path)}`).join('\n')}`);
  return sections.join('\n\n');
};
