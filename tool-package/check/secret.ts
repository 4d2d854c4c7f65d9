/** `code/secret`: keys and tokens that were packed by mistake. They are public from the moment of publishing. */
import { secretReason } from '../archive/left-out.ts';
import { showText } from '../show-text.ts';
import { lineOf } from '../source/node.ts';
import { analysisOf } from './code-facts.ts';
import { constantTexts } from './constant-texts.ts';
import type { Facts, Found, Rule } from './types.ts';

type Shape = { readonly what: string; readonly pattern: RegExp };

/** Forms that the issuers document. Each begins with fixed text, so no pattern has to search far. */
const SHAPES: readonly Shape[] = [
  {
    what: 'a private key',
    pattern: /-----BEGIN (?:[A-Z0-9]{2,12} ){0,3}PRIVATE KEY(?: BLOCK)?-----\s{0,4}[A-Za-z0-9+/=:\s-]{60}/g,
  },
  { what: 'an AWS access key', pattern: /\b(?:AKIA|ASIA)[A-Z2-7]{16}\b/g },
  { what: 'a GitHub token', pattern: /\b(?:gh[pousr]_[A-Za-z0-9]{36,255}|github_pat_[A-Za-z0-9_]{50,255})/g },
  { what: 'a GitLab token', pattern: /\bglpat-[A-Za-z0-9_-]{20,255}/g },
  { what: 'an npm token', pattern: /\bnpm_[A-Za-z0-9]{36}\b/g },
  { what: 'a PyPI token', pattern: /\bpypi-[A-Za-z0-9_-]{50,255}/g },
  { what: 'a Slack token', pattern: /\bxox[abeoprs]-[A-Za-z0-9-]{20,255}/g },
  {
    what: 'a Slack webhook',
    pattern: /hooks\.slack\.com\/services\/T[A-Z0-9]{8,12}\/B[A-Z0-9]{8,12}\/[A-Za-z0-9]{20,40}/g,
  },
  { what: 'an Anthropic key', pattern: /\bsk-ant-[A-Za-z0-9_-]{30,255}/g },
  { what: 'an OpenAI key', pattern: /\bsk-(?:proj-|svcacct-|admin-)?[A-Za-z0-9_-]{40,255}/g },
  { what: 'an OpenRouter key', pattern: /\bsk-or-v1-[a-f0-9]{64}/g },
  { what: 'a Google API key', pattern: /\bAIza[A-Za-z0-9_-]{35}\b/g },
  { what: 'a Stripe key', pattern: /\b[rs]k_live_[A-Za-z0-9]{20,255}/g },
  { what: 'a SendGrid key', pattern: /\bSG\.[A-Za-z0-9_-]{20,24}\.[A-Za-z0-9_-]{40,50}/g },
  { what: 'a Hugging Face token', pattern: /\bhf_[A-Za-z]{34}\b/g },
  { what: 'a DigitalOcean token', pattern: /\bdo[opr]_v1_[a-f0-9]{64}\b/g },
  { what: 'a Telegram bot token', pattern: /\b\d{8,10}:AA[A-Za-z0-9_-]{33}\b/g },
  { what: 'an Azure storage key', pattern: /AccountKey=[A-Za-z0-9+/]{86}==/g },
  { what: 'a password in an npm configuration', pattern: /:_(?:authToken|password|auth)=[A-Za-z0-9+/=_-]{16,255}/g },
];

/** `scheme://user:password@host`; the password is in the group. */
const IN_URL = /\b[a-z][a-z0-9+]{1,20}:\/\/[\w.%+-]{0,64}:([^\s:/@'"`$<>{}]{8,100})@([\w.-]{1,200})/g;

const PLACEHOLDER =
  /example|placeholder|your|dummy|sample|redacted|changeme|change-me|fake|invalid|insert|replace|not-?a-?real|0123456789|123456789|abcdefgh|xxxx|\*\*\*\*/i;
const MIN_DIFFERENT_CHARACTERS = 10;

/** A vendor's example, or a row of x: not a key. */
const isPlaceholder = (text: string): boolean =>
  PLACEHOLDER.test(text) || new Set(text).size < MIN_DIFFERENT_CHARACTERS;

/** A key of nobody in particular: the name says that it is one, and the value looks random. */
const ASSIGNED =
  /\b(api[_-]?key|secret(?:[_-]?key)?|access[_-]?(?:token|key)|auth[_-]?token|bearer[_-]?token|client[_-]?secret|password|passwd|private[_-]?key|token)\b["']?\s{0,4}[:=]\s{0,4}["'`]([A-Za-z0-9+/_=.-]{16,200})["'`]/gi;
const MIN_ENTROPY_BITS = 3.5;

const isRandom = (text: string): boolean => {
  const counts = new Map<string, number>();
  for (const character of text) counts.set(character, (counts.get(character) ?? 0) + 1);
  const entropy = [...counts.values()].reduce(
    (sum, count) => sum - (count / text.length) * Math.log2(count / text.length),
    0,
  );
  return entropy > MIN_ENTROPY_BITS && /\d/.test(text) && /[a-z]/i.test(text);
};

/** `only-for-tests-2`, `s3cret.of.the.demo`: somebody's words. */
const isWords = (text: string): boolean =>
  text.split(/[-_.\s/]/).filter((part) => /^[a-z]{3,}$/i.test(part)).length >= 2;

const isOwnMachine = (host: string): boolean =>
  /^(?:localhost|127\.|0\.0\.0\.0|host\.docker|db$|postgres$|redis$)/.test(host);

/** A password in the address of a service. */
function* passwordsInUrls(path: string, text: string): Generator<Found, void, undefined> {
  for (const match of text.matchAll(IN_URL)) {
    const [, password = '', host = ''] = match;
    if (isOwnMachine(host) || isPlaceholder(password) || !isRandom(password) || !isMixed(password)) continue;
    const line = text.slice(0, match.index).split('\n').length;
    yield {
      file: path,
      line,
      message: `\`${showText(path)}\` holds a password in an address at \`${showText(host)}\``,
    };
    return;
  }
}

/** Made by a machine: letters of both cases and digits go back and forth. Words with a year behind them do not. */
const isMixed = (text: string): boolean => (text.match(/[a-z][A-Z\d]|[A-Z\d][a-z]/g) ?? []).length >= 3;

/** A key that is put together from parts, or decoded: the form is there only when the code runs. */
function* hiddenKeys(facts: Facts): Generator<Found, void, undefined> {
  const analysis = analysisOf(facts);
  for (const { node, file, text } of constantTexts(analysis)) {
    const source = analysis.program.files.get(file)?.text ?? '';
    for (const { what, pattern } of SHAPES) {
      const match = [...text.matchAll(pattern)].find(([found]) => !isPlaceholder(found));
      if (match === undefined || source.includes(match[0])) continue;
      yield {
        file,
        line: lineOf(node),
        message: `\`${showText(file)}\` puts together ${what} (\`${showText(match[0].slice(0, 6))}…\`)`,
      };
    }
  }
}

/** The same where it is sent: a header, a parameter of an address; and a signed token. */
const SENT: readonly RegExp[] = [
  ASSIGNED,
  /["'`](Bearer|Basic|token|ApiKey)\s([A-Za-z0-9+/_=.-]{20,400})["'`]/gi,
  /[?&](api[_-]?key|key|token|access[_-]?token|auth|secret|appid|sig)=([A-Za-z0-9+/_=.-]{20,200})(?![A-Za-z0-9+/_=.-]|\$\{)/gi,
  /\b(eyJ)([A-Za-z0-9_-]{15,1000}\.eyJ[A-Za-z0-9_-]{15,2000}\.[A-Za-z0-9_-]{20,1000})\b/g,
];

function* assignedKeys(path: string, text: string): Generator<Found, void, undefined> {
  for (const match of SENT.flatMap((pattern) => [...text.matchAll(pattern)])) {
    const [, name = '', value = ''] = match;
    if (isPlaceholder(value) || !isRandom(value) || isWords(value)) continue;
    const line = text.slice(0, match.index).split('\n').length;
    yield {
      level: 'review',
      file: path,
      line,
      message: `\`${showText(path)}\` gives \`${showText(name)}\` a value that looks like a real one`,
    };
    return;
  }
}

const secret: Rule = {
  id: 'code/secret',
  level: 'error',
  what: 'a key or token in the archive; a value that looks like one, or a file whose name says that it holds one: review',
  why: 'whatever is published is public, also after it was deleted',
  fix: 'revoke the key now, then remove it; read it from the environment when the tool runs',
  *find(facts) {
    for (const { path, text } of facts.listTexts()) {
      for (const { what, pattern } of SHAPES) {
        const match = [...text.matchAll(pattern)].find(([found]) => !isPlaceholder(found));
        if (match === undefined) continue;
        const line = text.slice(0, match.index).split('\n').length;
        // Never the key itself: a finding is stored, shown and logged.
        yield {
          file: path,
          line,
          message: `\`${showText(path)}\` holds ${what} (\`${showText(match[0].slice(0, 6))}…\`)`,
        };
      }
    }
    for (const { path, text } of facts.listTexts()) {
      yield* passwordsInUrls(path, text);
      yield* assignedKeys(path, text);
    }
    yield* hiddenKeys(facts);
    for (const path of facts.paths) {
      // The content decides about these: a certificate is public.
      if (
        secretReason(path) === null ||
        /\.(?:pem|key|crt)$|\.(?:example|sample|template|tmpl|dist|defaults?|schema)$|\.[cm]?[jt]sx?$/i.test(path)
      )
        continue;
      yield { level: 'review', file: path, message: `the name of \`${showText(path)}\` says that it holds a secret` };
    }
  },
};

export const SECRET_RULES: readonly Rule[] = [secret];
