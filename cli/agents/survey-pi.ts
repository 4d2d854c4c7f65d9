/** All extensions in reach of a pi: both scopes, hand-made ones, and what its settings name. One name twice, and pi does not start. */
import { join } from 'node:path';
import type { Place } from '../state/paths.ts';
import { viewSettings } from './allowed-tools.ts';
import { type ExtensionUnit, hiddenBy, listConfigured, listExtensions, piSettingsFile } from './pi.ts';
import { readSteady } from './settings-file.ts';
import type { FoundTool, Inspect, OwnPackage, Survey } from './survey.ts';

async function unitsOf(place: Place, home: string): Promise<ExtensionUnit[]> {
  const file = piSettingsFile(place.base);
  const view = await readSteady(file, (text) => (text === null ? undefined : viewSettings(text, file)));
  const configured = view === undefined ? [] : listConfigured(view, place.base, home);
  return [...listExtensions(join(place.base, 'extensions')), ...configured];
}

async function inspectUnit(unit: ExtensionUnit, inspect: Inspect): Promise<{ tools: FoundTool[]; warnings: string[] }> {
  const { tools, problem } = await inspect(unit.path, 'pi');
  const found = tools.map(({ name }) => ({ name, path: unit.path, package: null, target: null }));
  const warnings =
    problem === null ? [] : [`\`${unit.path}\` could not be read, so its tool names are not known: ${problem}`];
  return { tools: found, warnings };
}

/** Surveys the given pi places. Problem `settings_invalid` for a settings file that pi could not read either. */
export async function surveyPi(
  places: readonly Place[],
  own: readonly OwnPackage[],
  home: string,
  inspect: Inspect,
): Promise<Survey> {
  const tools: FoundTool[] = own.flatMap((one) =>
    one.tools.map((name) => ({ name, path: one.folder, package: one.name, target: one.target })),
  );
  const warnings: string[] = [];
  const foreign: string[] = [];
  const ownFolders = new Set(own.map(({ folder }) => folder));
  for (const place of places) {
    const hidden = hiddenBy(join(place.base, 'extensions'));
    if (hidden !== undefined) warnings.push(`\`${hidden}\` can hide the other extensions in its folder from pi`);
    for (const unit of await unitsOf(place, home)) {
      if (ownFolders.has(unit.path) || foreign.includes(unit.path)) continue;
      foreign.push(unit.path);
      const found = await inspectUnit(unit, inspect);
      tools.push(...found.tools);
      warnings.push(...found.warnings);
    }
  }
  return { tools, foreign, warnings };
}
