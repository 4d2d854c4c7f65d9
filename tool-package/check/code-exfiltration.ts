/** `code/exfiltration`: what the environment or a credential file holds, on its way to a host. */
import type { Permissions } from '../../schemas/package-json.ts';
import { showText } from '../show-text.ts';
import type { ApiCall } from '../source/api-calls.ts';
import { covers } from '../source/coverage.ts';
import { LISTENS } from '../source/network-uses.ts';
import { startOf } from '../source/run-uses.ts';
import type { Analysis, Use } from '../source/types.ts';
import { usesOfCall } from '../source/uses.ts';
import { deepTaints, unionTaints } from '../source/value.ts';
import { analysisOf, foundAt, oncePerLine } from './code-facts.ts';
import { commandTheft } from './command-theft.ts';
import {
  belongsElsewhere,
  isCredentialFile,
  isOwnStore,
  isPrivateHost,
  isProvider,
  isSecretVariable,
} from './sensitive.ts';
import type { Found, Rule } from './types.ts';

/** Something that is sent, where to, and where it comes from. */
type Sending = {
  place: Pick<ApiCall, 'node' | 'file'>;
  hosts: readonly (string | null)[];
  taints: readonly string[];
  written: ReadonlySet<string>;
};

function sendingsOf(analysis: Analysis): Sending[] {
  // A store that the package writes itself is its own.
  const stores = new Set(
    analysis.uses.flatMap((use) => (use.kind === 'write' && use.value !== null ? [use.value] : [])),
  );
  const requests = analysis.calls.flatMap((call): Sending[] => {
    const hosts = usesOfCall(call)
      .filter((use) => use.kind === 'network')
      .map((use) => use.value);
    if (hosts.length === 0) return [];
    // The environment that a program is started with is not what it sends.
    const isProgram = startOf(call) !== null;
    const sent = call.args.filter((arg) => !(isProgram && arg.values.some((value) => value.kind === 'object')));
    return [{ place: call, hosts, taints: unionTaints(...sent.map((arg) => deepTaints(arg))), written: stores }];
  });
  const written = analysis.sends.map((send): Sending => {
    // Which connection it is, is not followed: any of the file's.
    const hosts = requests.filter((request) => request.place.file === send.file).flatMap((request) => request.hosts);
    return { place: send, hosts: hosts.length > 0 ? hosts : [null], taints: send.taints, written: stores };
  });
  return [...requests, ...written];
}

/** Why a sending looks like theft, or null: a key that is declared, sent to a declared host of its own service, is what it is for. */
function reasonOf(sending: Sending, declared: Permissions): string | null {
  const variables = sending.taints.filter((taint) => taint.startsWith('env:')).length;
  for (const taint of sending.taints) {
    const [kind = '', name = ''] = splitTaint(taint);
    const what = SOURCES.get(kind)?.(name, sending) ?? null;
    if (what !== null) return `${what} is sent to ${target(sending)}`;
    const reason = kind === 'env' ? variableReason(name, variables, sending, declared) : null;
    if (reason !== null) return reason;
  }
  return null;
}

/** Kind of a taint -> what is sent, where it must not be; null where it may. */
const SOURCES = new Map<string, (name: string, sending: Sending) => string | null>([
  [
    'file',
    (name, { written }) =>
      isCredentialFile(name) && !(isOwnStore(name) && written.has(name)) ? `what \`${showText(name)}\` holds` : null,
  ],
  [
    'modelkey',
    (_name, { hosts }) =>
      isAtHome(hosts) || hosts.some((host) => host === null || isProvider(host))
        ? null
        : 'the key of a model’s provider',
  ],
  [
    'session',
    (_name, { hosts }) => (isAtHome(hosts) ? null : 'what was said in the session, or what another tool gave,'),
  ],
  [
    'secret',
    (name, { hosts }) =>
      hosts.every((host) => isOwnService(name, host))
        ? null
        : `what \`${showText(name)}\` prints, which can be a key or password,`,
  ],
]);

/** The hosts that a program's own key is for. */
const OWN_SERVICES = new Map([
  ['gh', /(?:^|\.)github(?:usercontent)?\.com$/],
  ['glab', /gitlab/],
  ['gcloud', /(?:^|\.)google(?:apis)?\.com$/],
  ['aws', /(?:^|\.)amazonaws\.com(?:\.cn)?$/],
  ['az', /(?:^|\.)(?:azure|microsoft)\.com$/],
  ['npm', /(?:^|\.)npmjs\.org$/],
]);

const isOwnService = (program: string, host: string | null): boolean =>
  host !== null && (OWN_SERVICES.get(program)?.test(host) ?? false);

const isAtHome = (hosts: readonly (string | null)[]): boolean =>
  hosts.every((host) => host !== null && (host === LISTENS || isPrivateHost(host)));

/** More variables than this in one request: they come from one place that knows all keys, and which one it is was not seen. */
const MAX_TOLD_APART = 4;

function variableReason(name: string, count: number, sending: Sending, declared: Permissions): string | null {
  if (isAtHome(sending.hosts)) return null;
  if (name === '*') return `environment variables that are not named are sent to ${target(sending)}`;
  if (count <= MAX_TOLD_APART && sending.hosts.some((host) => host !== null && belongsElsewhere(name, host)))
    return `\`${showText(name)}\` is sent to ${target(sending)}, which is not the service it is for`;
  if (name === '?')
    return areDeclared(sending.hosts, declared)
      ? null
      : `an environment variable is sent to ${target(sending)}, which is not declared`;
  if (!isSecretVariable(name) || isDeclared(name, sending.hosts, declared)) return null;
  return `\`${showText(name)}\` is sent to ${target(sending)}, and not both are declared`;
}

const splitTaint = (taint: string): [string, string] => {
  const at = taint.indexOf(':');
  return at === -1 ? [taint, ''] : [taint.slice(0, at), taint.slice(at + 1)];
};

const target = (sending: Sending): string => {
  const [host] = sending.hosts;
  return host === null || host === undefined ? 'a host that cannot be decided' : `\`${showText(host)}\``;
};

function isDeclared(name: string, hosts: readonly (string | null)[], declared: Permissions): boolean {
  return (declared.env ?? []).some((pattern) => covers('env', pattern, name)) && areDeclared(hosts, declared);
}

const areDeclared = (hosts: readonly (string | null)[], declared: Permissions): boolean =>
  hosts.every(
    (host) => host?.startsWith('$') || (declared.network ?? []).some((pattern) => covers('network', pattern, host)),
  );

const talksToOthers = (analysis: Analysis): boolean =>
  analysis.uses.some((use) => use.kind === 'network' && use.value !== 'localhost');

/** A credential file that is read in a package that talks to hosts, where the way between is not seen. */
function* credentialReads(analysis: Analysis): Generator<Found, void, undefined> {
  if (!talksToOthers(analysis)) return;
  // A store that the package writes itself is its own.
  const own = new Set(analysis.uses.filter((use) => use.kind === 'write').map((use) => use.value));
  for (const use of analysis.uses) {
    if (own.has(use.value)) continue;
    if (use.kind !== 'read' || use.light || use.value === null || !isCredentialFile(use.value)) continue;
    yield { file: use.file, line: use.line, message: readMessage(use) };
  }
}

const readMessage = (use: Use): string =>
  `reads \`${showText(use.value ?? '')}\` in a package that makes requests: \`${showText(use.text, 100)}\``;

export const exfiltration: Rule = {
  id: 'code/exfiltration',
  level: 'review',
  what: 'environment variables or credential files (`~/.ssh`, `auth.json`, `.env`, browser profiles) that flow to a request',
  why: 'a key that has left the machine is lost, and the user never sees it go',
  fix: 'send only the one key that the host is for, from a variable that is declared, to a host that is declared',
  *find(facts) {
    const analysis = analysisOf(facts);
    const declared = facts.packageJson.piTools?.permissions ?? {};
    const sent = sendingsOf(analysis).flatMap((sending): Found[] => {
      const reason = reasonOf(sending, declared);
      return reason === null ? [] : [foundAt(analysis, sending.place, reason)];
    });
    const talks = talksToOthers(analysis);
    const commands = analysis.calls.flatMap((call): Found[] => {
      const reason = commandTheft(call, talks);
      return reason === null ? [] : [foundAt(analysis, call, reason)];
    });
    yield* oncePerLine([...sent, ...commands, ...credentialReads(analysis)]);
  },
};
