/** Hosts that are talked to. */
import type { ApiCall } from './api-calls.ts';
import { type Host, hostOf, urlOf } from './locations.ts';
import type { UseValue } from './uses.ts';
import { type Abstract, isLeftOut, joinPieces, knownText, piecesOf, textOf, type Value } from './value.ts';

/** The value of a use that waits for connections instead of making one. */
export const LISTENS = '<listen>';

/** Calls whose first argument is a URL, an object with one, or the parts of one. */
const URL_FIRST =
  /^(?:global\.(?:fetch|Bun\.fetch|navigator\.sendBeacon|Bun\.connect)|npm:undici\.(?:fetch|request|stream|pipeline|connect|upgrade)|node:https?\.(?:get|request)|node:http2\.connect|node:tls\.connect|npm:(?:axios|got|ky|node-fetch|cross-fetch|isomorphic-fetch|ofetch|needle|superagent|phin|request|wretch)(?:\.(?:get|post|put|patch|delete|del|head|options|request|stream|default|fetch|ofetch|\$fetch|paginate|postForm))*|npm:socket\.io-client(?:\.io)?|npm:(?:download|make-fetch-happen|simple-get)|npm:nodemailer\.createTransport|global\.Deno\.connect)$/;
const URL_FIRST_NEW =
  /^(?:global\.(?:WebSocket|EventSource|WebTransport)|npm:ws(?:\.WebSocket)?|npm:undici\.(?:Client|Pool|WebSocket|EventSource)|npm:(?:eventsource|reconnecting-websocket)|npm:pg\.(?:Client|Pool)|npm:ioredis(?:\.Redis)?|npm:mongodb\.MongoClient)$/;
const URL_SECOND = /^(?:global\.XMLHttpRequest#\.open|npm:needle)$/;
const SERVERS =
  /^(?:global\.(?:Bun\.(?:serve|listen)|Deno\.(?:serve|listen))|node:(?:http|https|http2|net|tls)\.create(?:Secure)?Server)$/;
const SOCKETS = /^node:(?:net\.(?:connect|createConnection)|net\.Socket#\.connect|tls\.connect)$/;
const LOOKUPS = /^node:dns(?:\/promises)?(?:\.promises)?\.(?:lookup|resolve\w*|reverse)$/;

/** Where well-known client libraries go when they are not told otherwise. */
const LIBRARIES: [RegExp, string][] = [
  [/^npm:openai(?:\.OpenAI)?$/, 'api.openai.com'],
  [/^npm:@anthropic-ai\/sdk(?:\.Anthropic)?$/, 'api.anthropic.com'],
  [/^npm:(?:@octokit\/(?:rest|core)|octokit)(?:\.Octokit)?$/, 'api.github.com'],
  [/^npm:@google\/(?:genai|generative-ai)\.\w+$/, 'generativelanguage.googleapis.com'],
  [/^npm:@slack\/web-api\.WebClient$/, 'slack.com'],
  [/^npm:@notionhq\/client\.Client$/, 'api.notion.com'],
  [/^npm:stripe$/, 'api.stripe.com'],
];

export function networkUses(call: ApiCall): UseValue[] {
  if (call.escaped && /fetch$|^node:https?\.|^npm:(?:axios|got|undici)/.test(call.path)) return [undecided];
  const library = call.isNew ? LIBRARIES.find(([pattern]) => pattern.test(call.path)) : undefined;
  if (library) return libraryUses(call, library[1]);
  if (!call.isNew && SERVERS.test(call.path)) return [{ kind: 'network', value: LISTENS }];
  if (LOOKUPS.test(call.path)) return hostUses(call.args[0]);
  if (SOCKETS.test(call.path)) return socketUses(call);
  if (call.path === 'node:dgram.Socket#.send' || call.path === 'node:dgram.Socket#.connect') return datagramUses(call);
  if (URL_SECOND.test(call.path)) return addressUses(call.args[1], call.base);
  const takesUrl = call.isNew ? URL_FIRST_NEW.test(call.path) : URL_FIRST.test(call.path);
  if (!takesUrl) return [];
  return call.args.length === 0 && call.base === null ? [undecided] : addressUses(call.args[0], call.base);
}

const undecided: UseValue = { kind: 'network', value: null };

function libraryUses(call: ApiCall, host: string): UseValue[] {
  const own = optionOf(call.args[0], ['baseURL', 'baseUrl', 'host', 'endpoint']);
  return own ? addressUses(own, null) : [{ kind: 'network', value: host }];
}

function optionOf(argument: Abstract | undefined, names: readonly string[]): Abstract | null {
  for (const value of argument?.values ?? []) {
    if (value.kind !== 'object') continue;
    const found = names.map((name) => value.entries.get(name)).find((item) => item !== undefined);
    if (found) return found;
  }
  return null;
}

/** All hosts of a URL argument. A host that comes from a variable is the user's choice: named only where nothing else is. */
function addressUses(argument: Abstract | undefined, base: Abstract | null): UseValue[] {
  if (!argument) return base ? addressUses(base, null) : [undecided];
  const address = base ? urlOf([argument, base]) : argument;
  return toUses(address.values.flatMap((value) => hostsOfValue(value, 0)));
}

function toUses(hosts: readonly (Host | null)[]): UseValue[] {
  const known = hosts.filter((host) => host?.kind === 'known');
  const uses = hosts.flatMap((host): UseValue[] => {
    if (host === null) return [];
    if (host.kind === 'known') return [{ kind: 'network', value: host.host }];
    if (host.kind === 'undecided') return [undecided];
    return known.length > 0 ? [] : [{ kind: 'network', value: `$${host.name}` }];
  });
  return uses;
}

function hostsOfValue(value: Value, depth: number): (Host | null)[] {
  if (value.kind === 'text' || value.kind === 'unknown') return [hostOf(piecesOf(value))];
  if (value.kind === 'literal')
    return value.value === undefined || value.value === null ? [null] : [{ kind: 'undecided' }];
  if (value.kind !== 'object' || depth > 1) return [{ kind: 'undecided' }];
  const url = ['url', 'href', 'uri', 'baseURL', 'connectionString']
    .map((name) => value.entries.get(name))
    .find(Boolean);
  if (url) return url.values.flatMap((item) => hostsOfValue(item, depth + 1));
  const host = ['hostname', 'host', 'server'].map((name) => value.entries.get(name)).find(Boolean);
  if (!host) return [value.open ? { kind: 'undecided' } : { kind: 'known', host: 'localhost' }];
  const given = host.values.filter((item) => !isLeftOut(item));
  return given.length === 0 ? [{ kind: 'known', host: 'localhost' }] : given.map((item) => bareHost(item));
}

/** A host that stands alone, without a scheme. */
function bareHost(value: Value): Host {
  const pieces = piecesOf(value);
  const address = typeof pieces[0] === 'string' ? joinPieces(['https://', ...pieces]) : pieces;
  return hostOf(address) ?? { kind: 'undecided' };
}

function hostUses(argument: Abstract | undefined): UseValue[] {
  if (!argument) return [undecided];
  return toUses(
    argument.values
      .filter((value) => !isLeftOut(value))
      .map((value) => {
        const text = textOf('https://', ...piecesOf(value));
        return text.kind === 'text' ? hostOf(text.pieces) : null;
      }),
  );
}

/** `connect(port, host)`, `connect({ port, host })`, `connect(path)`. */
function socketUses(call: ApiCall): UseValue[] {
  const [where, host] = call.args;
  if (!where) return [undecided];
  if (where.values.some((value) => value.kind === 'object'))
    return toUses(where.values.flatMap((value) => hostsOfValue(value, 0)));
  const path = knownText(where.values[0]);
  if (path !== null && !/^\d+$/.test(path)) return [];
  if (!host || host.values.every((value) => value.kind === 'function' || value.kind === 'object'))
    return [{ kind: 'network', value: 'localhost' }];
  return hostUses(host);
}

/** `send(message, port, host)` with or without an offset and a length. */
function datagramUses(call: ApiCall): UseValue[] {
  const texts = call.args
    .slice(1)
    .filter((argument) => argument.values.some((value) => value.kind === 'text' && !isNumber(value)));
  return texts[0] ? hostUses(texts[0]) : [undecided];
}

const isNumber = (value: Value): boolean =>
  value.kind === 'text' && value.pieces.every((piece) => typeof piece === 'object' && piece.hole === 'number');

/** The host in the text of a URL, or null. */
export function hostInText(url: string): string | null {
  const host = hostOf([url]);
  return host?.kind === 'known' ? host.host : null;
}
