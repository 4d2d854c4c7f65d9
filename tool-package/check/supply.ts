/** Rules for where code comes from: install scripts, unpinned dependencies, who to ask. */
import { parseJson } from '../parse-json.ts';
import { showText } from '../show-text.ts';
import { isRecord } from './schema-walk.ts';
import type { Facts, Found, Rule } from './types.ts';

const PIN_HINT =
  '`pi-tools pack` writes npm-shrinkwrap.json (or `npm install --package-lock-only --legacy-peer-deps --ignore-scripts`, and rename package-lock.json)';
const RUN_AT_INSTALL = ['preinstall', 'install', 'postinstall'];

const scripts: Rule = {
  id: 'supply/scripts',
  level: 'error',
  what: '`preinstall`, `install`, `postinstall` or a binding.gyp; other scripts: info',
  why: 'they run with all rights before anyone has looked; pi-tools never runs a script of a package',
  fix: 'remove it; build before you pack, and pack what was built',
  *find(facts) {
    const names = Object.keys(facts.packageJson.scripts ?? {});
    for (const name of names.filter((one) => RUN_AT_INSTALL.includes(one))) {
      yield { file: 'package.json', field: `scripts.${name}`, message: `\`scripts.${name}\` would run at install` };
    }
    for (const path of facts.paths) {
      if (path.toLowerCase() === 'binding.gyp')
        yield { file: path, message: '`binding.gyp` makes npm compile and run code at install' };
    }
    const others = names.filter((one) => !RUN_AT_INSTALL.includes(one));
    if (others.length > 0) {
      const shown = others.slice(0, 10).map((one) => `\`${showText(one)}\``);
      yield {
        level: 'info',
        file: 'package.json',
        field: 'scripts',
        message: `scripts that are never run: ${shown.join(', ')}`,
        hint: null,
      };
    }
  },
};

const unpinned: Rule = {
  id: 'supply/unpinned',
  level: 'error',
  what: 'npm dependencies without npm-shrinkwrap.json, or from git, a URL or a file',
  why: 'two users of one version would run different code',
  fix: PIN_HINT,
  *find(facts) {
    const asked = Object.entries({ ...facts.packageJson.dependencies, ...facts.packageJson.optionalDependencies });
    for (const [name, range] of asked) {
      if (!isFromRegistry(range))
        yield inPackageJson(name, `\`${showText(name)}\` comes from \`${showText(range)}\`, not from npm’s registry`);
    }
    if (asked.length === 0) return;
    const bytes = facts.sources.get('npm-shrinkwrap.json');
    if (bytes === undefined)
      yield inPackageJson(
        'dependencies',
        `npm dependencies are not pinned: ${asked
          .slice(0, 10)
          .map(([name]) => `\`${showText(name)}\``)
          .join(', ')}`,
      );
    else
      yield* wrongPins(
        bytes,
        asked.map(([name]) => name),
      );
  },
};

const inPackageJson = (field: string, message: string): Found => ({ file: 'package.json', field, message });

const isFromRegistry = (range: string): boolean =>
  !/^(?:git|github|gitlab|bitbucket|gist|file|link|portal|workspace|https?|ssh)[:+]|^[\w.-]+\/[\w.-]+|^\.{0,2}\/|^~\//i.test(
    range.trim(),
  );

const MAX_LOCK = { maxBytes: 20 * 1024 * 1024, maxDepth: 32, what: 'npm-shrinkwrap.json' };

function* wrongPins(bytes: Uint8Array, asked: readonly string[]): Generator<Found, void, undefined> {
  const say = (field: string, message: string): Found => ({ file: 'npm-shrinkwrap.json', field, message });
  const packages = packagesOf(bytes);
  if (packages === null) {
    yield say('packages', 'npm-shrinkwrap.json is unreadable, or older than npm 7');
    return;
  }
  for (const name of asked) {
    if (!packages.has(`node_modules/${name}`))
      yield say(name, `\`${showText(name)}\` is not pinned in npm-shrinkwrap.json`);
  }
  for (const [path, one] of packages) {
    if (path === '' || one.inBundle === true) continue;
    const wrong = wrongPin(one);
    if (wrong !== null) yield say(showText(path), `\`${showText(path)}\` in npm-shrinkwrap.json ${wrong}`);
  }
}

const packagesOf = (bytes: Uint8Array): Map<string, Record<string, unknown>> | null => {
  try {
    const lock = parseJson(bytes, MAX_LOCK);
    const packages = isRecord(lock) ? lock.packages : undefined;
    if (!isRecord(packages)) return null;
    return new Map(Object.entries(packages).map(([path, one]) => [path, isRecord(one) ? one : {}]));
  } catch {
    return null;
  }
};

const wrongPin = (one: Readonly<Record<string, unknown>>): string | null => {
  if (one.link === true) return 'is a link';
  if (typeof one.resolved === 'string' && !/^https:\/\//.test(one.resolved))
    return `comes from \`${showText(one.resolved)}\``;
  return typeof one.integrity === 'string' && /^sha(?:512|384|256|1)-/.test(one.integrity) ? null : 'has no integrity';
};

const noSource: Rule = {
  id: 'supply/no-source',
  level: 'warn',
  what: 'no `repository` and no `homepage` in package.json',
  why: 'nobody can look at the history, or report a fault',
  fix: 'add `"repository": "https://…"`',
  *find(facts) {
    const { repository } = facts.packageJson as { repository?: unknown };
    const isThere =
      (typeof repository === 'string' && repository !== '') ||
      isRecord(repository) ||
      (facts.packageJson.homepage ?? '') !== '';
    if (!isThere) yield inPackageJson('repository', 'package.json names no repository');
  },
};

const noReadme: Rule = {
  id: 'supply/no-readme',
  level: 'warn',
  what: 'no README at the top of the package',
  why: 'nobody knows what it does before it is installed',
  fix: 'add a README.md: what the tools do, what they need, an example',
  *find(facts) {
    if (!hasTopFile(facts, /^readme(?:\.[a-z-]+)*$/i)) yield { message: 'the package has no README' };
  },
};

const noLicense: Rule = {
  id: 'supply/no-license',
  level: 'warn',
  what: 'no `license` in package.json and no licence file',
  why: 'nobody may use it',
  fix: 'add `"license": "MIT"`, or what you want',
  *find(facts) {
    const isThere =
      (facts.packageJson.license ?? '') !== '' || hasTopFile(facts, /^(?:licen[cs]e|copying|unlicense)(?:[.-].*)?$/i);
    if (!isThere) yield inPackageJson('license', 'the package has no license');
  },
};

const hasTopFile = (facts: Facts, pattern: RegExp): boolean => [...facts.paths].some((path) => pattern.test(path));

export const SUPPLY_RULES: readonly Rule[] = [scripts, unpinned, noSource, noReadme, noLicense];
