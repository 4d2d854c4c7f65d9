/** Which paths a package may have: those that mean one and the same file on every system, and hide nothing from a reader. */

import { showText } from '../show-text.ts';
import type { ArchiveLimits } from './limits.ts';
import { refuseArchive, refuseSize } from './refusal.ts';

/** Windows opens the device for `aux`, `aux.js` and `aux .txt` alike, in any folder. */
const DEVICE = /^(?:con|prn|aux|nul|conin\$|conout\$|com[0-9¹²³]|lpt[0-9¹²³])(?:[ .]|$)/i;
/** `:` is a drive or an alternate data stream; the rest cannot be a file name on Windows. */
const FOREIGN = /[\\:*?"<>|]/;
/** Control, bidi, zero-width, variation selectors, tags, fillers, private use, and spaces that are not the space. */
const INVISIBLE =
  /[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\p{Noncharacter_Code_Point}]|(?! )\p{Zs}/u;
/** Folders and files that change what tools around the package do. */
const SPECIAL = new Map([
  ['node_modules', 'bundle the dependencies into your own files instead of `bundleDependencies`'],
  ['.git', 'a folder of that name runs code through git’s configuration'],
  ['.npmrc', 'npm’s configuration holds tokens and can name programs to run'],
]);

/** Throws unless `path` (without `package/`, separated by `/`) may be in an archive. */
export const checkPath = (path: string, limits: ArchiveLimits): void => {
  if (Buffer.byteLength(path) > limits.pathBytes) {
    throw refuseSize('path-too-long', `the path \`${showText(path)}\` is too long`, limits.pathBytes, showText(path));
  }
  const segments = path.split('/');
  if (segments.length > limits.depth) {
    throw refuseSize(
      'path-too-deep',
      `the path \`${showText(path)}\` has too many folders`,
      limits.depth,
      showText(path),
    );
  }
  for (const segment of segments) checkSegment(segment, path, limits);
};

const checkSegment = (segment: string, path: string, limits: ArchiveLimits): void => {
  const refuse = (reason: string, why: string, hint?: string): never => {
    const message = `the path \`${showText(path)}\` ${why}`;
    throw refuseArchive(reason, message, { path: showText(path), ...(hint === undefined ? {} : { hint }) });
  };
  if (segment === '') refuse('path-empty-segment', 'has an empty part');
  if (segment === '.' || segment === '..') refuse('path-dots', `has the part \`${segment}\``);
  if (INVISIBLE.test(segment)) refuse('path-invisible', 'has a control or invisible character');
  if (FOREIGN.test(segment)) refuse('path-character', 'has a character that is not a file name everywhere');
  if (/[. ]$/.test(segment)) refuse('path-trailing', 'has a part that ends with a dot or a space');
  if (segment.startsWith(' ')) refuse('path-leading', 'has a part that begins with a space');
  if (DEVICE.test(segment)) refuse('path-device', 'is a device on Windows');
  const hint = SPECIAL.get(foldPath(segment));
  if (hint !== undefined) refuse('path-special', `holds \`${segment}\``, hint);
  if (Buffer.byteLength(segment) > limits.segmentBytes) {
    throw refuseSize(
      'segment-too-long',
      `a name in \`${showText(path)}\` is too long`,
      limits.segmentBytes,
      showText(path),
    );
  }
};

/** What a path becomes where case and Unicode forms are not kept apart: two paths with one fold are one file there. */
const foldPath = (path: string): string =>
  path.normalize('NFKC').toLowerCase().toUpperCase().toLowerCase().normalize('NFC');

type Known = { readonly path: string; readonly kind: 'file' | 'folder'; explicit: boolean };

/** Remembers paths and throws when a new one would be the same file, or a file where a folder is. */
export const createCollisionCheck = (): { addFile(path: string): void; addFolder(path: string): void } => {
  const known = new Map<string, Known>();
  const collide = (path: string, other: Known): never => {
    const reason = path === other.path && other.explicit ? 'duplicate' : 'collision';
    throw refuseArchive(reason, `\`${showText(path)}\` and \`${showText(other.path)}\` are one name`, {
      path: showText(path),
    });
  };
  const addParents = (path: string): void => {
    for (let slash = path.indexOf('/'); slash !== -1; slash = path.indexOf('/', slash + 1)) {
      const parent = path.slice(0, slash);
      const other = known.get(foldPath(parent));
      if (other === undefined) known.set(foldPath(parent), { path: parent, kind: 'folder', explicit: false });
      else if (other.kind !== 'folder' || other.path !== parent) collide(path, other);
    }
  };
  return {
    addFile: (path) => {
      addParents(path);
      const other = known.get(foldPath(path));
      if (other !== undefined) collide(path, other);
      known.set(foldPath(path), { path, kind: 'file', explicit: true });
    },
    addFolder: (path) => {
      addParents(path);
      const other = known.get(foldPath(path));
      if (other !== undefined && (other.kind !== 'folder' || other.path !== path || other.explicit))
        collide(path, other);
      known.set(foldPath(path), { path, kind: 'folder', explicit: true });
    },
  };
};
