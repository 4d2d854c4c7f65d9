/** `code/insecure`: encryption switched off, and hosts that are made for hiding. */
import { showText } from '../show-text.ts';
import type { ApiCall } from '../source/api-calls.ts';
import { memberName } from '../source/calls.ts';
import { hostInText } from '../source/network-uses.ts';
import { child, isMember, type Node, text, unwrap } from '../source/node.ts';
import { eachNode } from '../source/program.ts';
import { startOf } from '../source/run-uses.ts';
import { programName, splitCommands } from '../source/shell-command.ts';
import type { Analysis } from '../source/types.ts';
import { usesOfCall } from '../source/uses.ts';
import { knownText, onlyText } from '../source/value.ts';
import { analysisOf, foundAt, oncePerLine } from './code-facts.ts';
import { type HostKind, hostKind, isChatHook } from './sensitive.ts';
import type { Found, Rule } from './types.ts';

const WHAT: Readonly<Record<HostKind, string>> = {
  collector: 'is a service that collects what is sent to it, or a tunnel',
  paste: 'is a paste or drop service: anyone can change what is there',
  shortener: 'hides where it goes',
  chat: 'takes messages from anyone who knows the address',
  address: 'is a bare address: nobody can tell whose it is',
};

function hostReason(host: string): string | null {
  const kind = hostKind(host);
  return kind === null ? null : `\`${showText(host)}\` ${WHAT[kind]}`;
}

function callReason(call: ApiCall): string | null {
  for (const use of usesOfCall(call)) {
    const reason = use.kind === 'network' && use.value !== null ? hostReason(use.value) : null;
    if (reason !== null) return reason;
  }
  return insecureCommand(call);
}

/** `curl -k`, `wget --no-check-certificate`, `git -c http.sslVerify=false` */
function insecureCommand(call: ApiCall): string | null {
  const start = startOf(call);
  if (!start) return null;
  const lines = start.form === 'shell' || start.shell ? start.command.map((value) => knownStart(value)) : [];
  const commands = lines.flatMap((line) => splitCommands(line));
  const program = start.command.map((value) => knownText(value) ?? '');
  if (start.form !== 'shell') commands.push([program[0] ?? '', ...start.args.map((arg) => onlyText(arg) ?? '')]);
  return commands.some(isInsecure) ? 'a program is told not to check certificates' : null;
}

const knownStart = (value: { kind: string; pieces?: readonly unknown[] }): string =>
  (value.pieces ?? [])
    .map((piece) => (typeof piece === 'string' ? piece : '*'))
    .join('')
    .slice(0, 5000);

function isInsecure(words: readonly string[]): boolean {
  const program = programName(words[0] ?? '');
  const has = (pattern: RegExp) => words.slice(1).some((word) => pattern.test(word));
  if (program === 'curl') return has(/^(?:--insecure|--proxy-insecure|-[a-zA-Z]*k[a-zA-Z]*)$/) && !has(/^-k=/);
  if (program === 'wget') return has(/^--no-check-certificate$/);
  if (program === 'git') return has(/^http\.sslVerify=(?:false|0)$/i);
  if (program === 'npm' || program === 'yarn' || program === 'pnpm')
    return has(/^--(?:no-)?strict-ssl(?:=false)?$/) && has(/no-|=false/);
  return program === 'ssh' && has(/^(?:-o)?StrictHostKeyChecking=no$/) && has(/UserKnownHostsFile=\/dev\/null/);
}

const isFalse = (analysis: Analysis, node: Node | null): boolean =>
  node !== null &&
  analysis.machine.evaluate(node, null).values.some((value) => value.kind === 'literal' && value.value === false);
const isZero = (analysis: Analysis, node: Node | null): boolean =>
  node !== null &&
  analysis.machine
    .evaluate(node, null)
    .values.some((value) => (value.kind === 'literal' && value.value === 0) || knownText(value) === '0');

const OFF = new Set(['rejectUnauthorized', 'strictSSL', 'checkServerIdentity', 'verify_ssl', 'requireHostHeader']);

/** `rejectUnauthorized: false`, `NODE_TLS_REJECT_UNAUTHORIZED = '0'`, as properties or assignments. */
function switchReason(analysis: Analysis, node: Node): string | null {
  const isProperty = node.type === 'ObjectProperty';
  if (!isProperty && node.type !== 'AssignmentExpression') return null;
  const target = isProperty ? child(node, 'key') : child(node, 'left');
  const value = child(node, isProperty ? 'value' : 'right');
  const name = target ? keyOf(analysis, node, target) : null;
  if (name === 'NODE_TLS_REJECT_UNAUTHORIZED' && isZero(analysis, value))
    return 'certificates are not checked any more, in the whole process';
  if (name === null || !OFF.has(name) || name === 'checkServerIdentity' || name === 'requireHostHeader') return null;
  return isFalse(analysis, value) ? `certificates are not checked (\`${name}\`)` : null;
}

function keyOf(analysis: Analysis, node: Node, target: Node): string | null {
  const inner = unwrap(target);
  if (!isMember(inner)) {
    if (node.type === 'ObjectProperty' && node.computed === true)
      return onlyText(analysis.machine.evaluate(inner, null));
    return node.type === 'ObjectProperty' ? (text(inner, 'name') ?? text(inner, 'value')) : null;
  }
  const property = child(inner, 'property');
  if (inner.computed !== true) return memberName(property);
  return property ? onlyText(analysis.machine.evaluate(property, null)) : null;
}

/** Hosts in constants: a collector's address is odd wherever it stands. */
function literalReason(node: Node): string | null {
  const raw =
    node.type === 'StringLiteral' ? text(node, 'value') : node.type === 'TemplateElement' ? quasiText(node) : null;
  const url =
    raw !== null && raw.length < 2000 ? /^\s{0,4}(?:https?|wss?):\/\/[^\s'"`]{1,300}/i.exec(raw)?.[0] : undefined;
  const host = url === undefined ? null : hostInText(url);
  const kind = host === null ? null : hostKind(host);
  if (kind === 'collector' || kind === 'paste' || kind === 'chat') return `\`${showText(host ?? '')}\` ${WHAT[kind]}`;
  return url !== undefined && isChatHook(url) ? `\`${showText(url, 60)}\` ${WHAT.chat}` : null;
}

const quasiText = (node: Node): string | null => {
  const value = node.value as { cooked?: unknown } | undefined;
  return typeof value?.cooked === 'string' ? value.cooked : null;
};

const PLACES = ['ObjectProperty', 'AssignmentExpression', 'StringLiteral', 'TemplateElement'];

function places(analysis: Analysis): Found[] {
  const found: Found[] = [];
  eachNode(analysis.program.nodes, PLACES, (node, file) => {
    const message = switchReason(analysis, node) ?? literalReason(node);
    if (message !== null) found.push(foundAt(analysis, { node, file }, message));
  });
  return found;
}

export const insecure: Rule = {
  id: 'code/insecure',
  level: 'review',
  what: 'certificate checks switched off; bare addresses, link shorteners, paste, webhook and tunnel hosts',
  why: 'nobody can tell who is at the other end, today or tomorrow',
  fix: 'use the service’s own name over https; for a certificate of your own, give `ca`',
  *find(facts) {
    const analysis = analysisOf(facts);
    const all = analysis.calls.flatMap((call): Found[] => {
      const reason = callReason(call);
      return reason === null ? [] : [foundAt(analysis, call, reason)];
    });
    yield* oncePerLine([...all, ...places(analysis)]);
  },
};
