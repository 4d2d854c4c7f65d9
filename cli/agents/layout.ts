/** What a package looks like once it is installed for an agent: folders, generated files, who finds what where. */
import { join } from 'node:path';
import { shortIntegrity } from '../../tool-package/integrity.ts';
import { folderName } from '../../tool-package/name.ts';
import type { Place } from '../state/paths.ts';

/** A file that pi-tools makes. `format` says in which form, for later versions that make it differently. */
export type GeneratedFile = { readonly file: string; readonly bytes: Buffer; readonly format: number };

export type Layout = {
  /** The package's own folder: what the answer calls `location`. */
  readonly location: string;
  /** The package as published. */
  readonly folder: string;
  /** Renamed into place in order; the last rename is the commit. */
  readonly switches: readonly GeneratedFile[];
  /** Files of ours that packages share. */
  readonly shared: readonly GeneratedFile[];
  /** Host packages beside the code: paths relative to `folder`. */
  readonly extra: readonly { readonly path: string; readonly bytes: Buffer; readonly format: number }[];
};

/** Where a package's own folder lies below the agent's folder. */
export const packagesFolder = (place: Pick<Place, 'agent' | 'base'>): string =>
  join(place.base, place.agent === 'pi' ? 'extensions' : 'pi-tools');

export const packageFolder = (place: Pick<Place, 'agent' | 'base'>, name: string): string =>
  join(packagesFolder(place), folderName(name));

/** `<version>-<8 hex of its integrity>`: two contents never share a folder. */
export const versionFolder = (
  place: Pick<Place, 'agent' | 'base'>,
  name: string,
  version: string,
  integrity: string,
): string => join(packageFolder(place, name), `${version}-${shortIntegrity(integrity)}`);

/** The folder with one file per tool that SlopCode and opencode scan. */
export const toolsFolder = (place: Pick<Place, 'base'>): string => join(place.base, 'tools');
