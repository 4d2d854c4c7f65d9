/** The layout of a package in a place, whatever the agent. */
import { entryLayout } from '../agents/entries.ts';
import type { Layout } from '../agents/layout.ts';
import { piLayout } from '../agents/pi.ts';
import type { Place } from '../state/paths.ts';
import type { PackageSource } from './source.ts';

export const layoutFor = (place: Place, source: PackageSource): Layout =>
  place.agent === 'pi' ? piLayout(place, source) : entryLayout(place, source);
