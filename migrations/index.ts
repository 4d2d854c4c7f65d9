/** Every migration, in order. Forward only: a published migration is never edited; a mistake is mended by the next one. */
import { statements as initial } from './0001-initial.ts';
import { statements as waivers } from './0002-waivers.ts';

export type Migration = { readonly id: number; readonly name: string; readonly statements: readonly string[] };

export const MIGRATIONS: readonly Migration[] = [
  { id: 1, name: 'initial', statements: initial },
  { id: 2, name: 'waivers', statements: waivers },
];
