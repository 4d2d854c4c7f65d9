import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { cacheFolder, findProjectFolder, getPlace, listPlaces, piAgentFolder } from '../../../cli/state/paths.ts';
import { Problem } from '../../../schemas/problem.ts';

let home: string;
const environment = (env: Record<string, string> = {}) => ({ env, home });

beforeEach(() => {
  home = realpathSync(mkdtempSync(join(tmpdir(), 'pi-tools-paths-')));
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

describe('pi’s folder', () => {
  it.each([
    [undefined, '/h/.pi/agent'],
    ['', '/h/.pi/agent'],
    ['~', '/h'],
    ['~/x y', '/h/x y'],
    ['~other/x', '/w/~other/x'],
    ['rel/x', '/w/rel/x'],
    ['../x', '/x'],
    ['/abs/天', '/abs/天'],
    ['file:///abs/a%20b', '/abs/a b'],
  ])('%j is %s', (value, wanted) => {
    const env = value === undefined ? {} : { PI_CODING_AGENT_DIR: value };
    expect(piAgentFolder({ env, home: '/h' }, '/w')).toBe(wanted);
  });

  it('a file URL of another machine is wrong usage', () => {
    expect(() => piAgentFolder({ env: { PI_CODING_AGENT_DIR: 'file://host/x' }, home: '/h' }, '/w')).toThrow(Problem);
  });
});

it('a relative XDG folder is ignored, as its specification says', () => {
  expect(cacheFolder({ env: { XDG_CACHE_HOME: 'rel' }, home: '/h' })).toBe('/h/.cache/pi-tools');
  expect(cacheFolder({ env: { XDG_CACHE_HOME: '/c' }, home: '/h' })).toBe('/c/pi-tools');
});

describe('the project', () => {
  const make = (...parts: string[]): string => {
    const folder = join(home, ...parts);
    mkdirSync(folder, { recursive: true });
    return folder;
  };

  it('is the nearest parent with pi-tools.json, else with .git, else the folder itself', () => {
    const deep = make('a', 'b', 'c');
    expect(findProjectFolder(environment(), deep)).toBe(deep);
    make('a', 'b', '.git');
    expect(findProjectFolder(environment(), deep)).toBe(join(home, 'a', 'b'));
    writeFileSync(join(home, 'a', 'pi-tools.json'), '{}');
    expect(findProjectFolder(environment(), deep)).toBe(join(home, 'a'));
  });

  it('is never the home folder, whatever lies there', () => {
    writeFileSync(join(home, 'pi-tools.json'), '{}');
    make('.git');
    const inner = make('x');
    expect(findProjectFolder(environment(), inner)).toBe(inner);
    expect(findProjectFolder(environment(), home)).toBeUndefined();
    expect(listPlaces(environment(), home).every(({ scope }) => scope === 'user')).toBe(true);
    expect(() => getPlace(environment(), home, 'pi', 'project')).toThrow('home directory');
  });

  it('is not found through a link to the home folder either', () => {
    const link = `${home}-link`;
    symlinkSync(home, link);
    expect(findProjectFolder(environment(), link)).toBeUndefined();
    rmSync(link);
  });
});

it('user scope of SlopCode and opencode is the documented folder', () => {
  expect(getPlace({ env: { XDG_CONFIG_HOME: '/c' }, home: '/h' }, '/w', 'slopcode', 'user').base).toBe('/c/slopcode');
  expect(getPlace({ env: {}, home: '/h' }, '/w', 'opencode', 'user').base).toBe('/h/.config/opencode');
});
