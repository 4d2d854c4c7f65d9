/** Where the catalog that was built with this pi-tools lies. */
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The sources lie one level, the compiled files two levels below the package's folder. */
const root = fileURLToPath(new URL(import.meta.url.endsWith('.ts') ? '../..' : '../../..', import.meta.url));

/** `dist/catalog`: archives, `catalog.json` and `stamp`. */
export const catalogFolder = (): string => join(root, 'dist', 'catalog');

export const catalogFile = (): string => join(catalogFolder(), 'catalog.json');

/** One line that changes with every change of the catalog. */
export const catalogStampFile = (): string => join(catalogFolder(), 'stamp');
