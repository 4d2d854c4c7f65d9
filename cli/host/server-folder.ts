import { join } from 'node:path';
import type { Environment } from '../environment.ts';
import { dataFolder } from '../state/paths.ts';

/** Where `serve` keeps everything when `--data` does not say otherwise: `$XDG_DATA_HOME/pi-tools/server`. */
export const defaultServerFolder = (environment: Environment): string => join(dataFolder(environment), 'server');
