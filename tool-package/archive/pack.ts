/** What `pack` makes of a folder or a single file. */
export { type FileToPack, makeArchive } from './write.ts';
