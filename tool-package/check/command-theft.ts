/** Commands that read keys and passwords, and those that send them. */
import { showText } from '../show-text.ts';
import type { ApiCall } from '../source/api-calls.ts';
import { startOf } from '../source/run-uses.ts';
import { programName, splitCommands } from '../source/shell-command.ts';
import { usesOfCall } from '../source/uses.ts';
import { piecesOf, type Value } from '../source/value.ts';
import { isCredentialFile } from './sensitive.ts';

/** `cat ~/.ssh/id_rsa | curl …` in one command. */
const PIPED =
  /(?:\.ssh\/|id_rsa|id_ed25519|auth\.json|\.aws\/|\.netrc|\.npmrc|\.git-credentials|\.env\b|Login Data|Cookies|printenv|\benv\b\s*\|)[^\n]{0,500}(?:\bcurl\b|\bwget\b|\bnc\b|\bncat\b|\bscp\b)|(?:\bcurl\b|\bwget\b|\bscp\b)[^\n]{0,300}(?:\.ssh\/|id_rsa|id_ed25519|auth\.json|\.aws\/|\.netrc|\.npmrc|\.git-credentials|@\S{0,100}\.env\b|\$\(\s*(?:env|printenv))/;

/**
 * Why a command looks like theft, or null: it sends a credential file, or reads one in a package that talks to hosts
 * (`talks`), where the way between the two is not seen.
 */
export function commandTheft(call: ApiCall, talks: boolean): string | null {
  const runs = usesOfCall(call).some((use) => use.kind === 'run');
  if (!runs) return null;
  const texts = call.args.flatMap((arg) =>
    arg.values.flatMap((value) => (value.kind === 'array' ? value.items.flatMap((item) => item.values) : [value])),
  );
  const line = texts
    .flatMap((value) => (value.kind === 'text' ? value.pieces.filter((piece) => typeof piece === 'string') : []))
    .join(' ')
    .slice(0, 5000);
  if (PIPED.test(line)) return 'a command reads credentials or the environment and sends them away';
  return (
    wordsOfCall(call)
      .map((words) => wordsReason(words, talks))
      .find((reason) => reason !== null) ?? null
  );
}

const SENDERS =
  /^(?:curl|wget|scp|rsync|sftp|ftp|tftp|nc|ncat|socat|http|https|xh|rclone|aws|gsutil|gcloud|az|s3cmd|mc|croc|wormhole|magic-wormhole|mail|sendmail|mutt|telegram-send|ffsend|transfer)$/;
const READERS =
  /^(?:cat|tac|tar|zip|gzip|7z|base64|base32|xxd|od|hexdump|strings|head|tail|less|more|cp|dd|openssl|type|sqlite3|grep|rg|awk|sed|jq|Get-Content|tee|split|sort|uuencode)$/;
/** Options that name a key to log in with. */
const LOGS_IN = /^(?:-i|--key|--cert|-E|--netrc-file|--config|-K|--cacert|--identity|-F)$/;

/** The commands of a call as words; places as they are spelt in findings. */
function wordsOfCall(call: ApiCall): string[][] {
  const start = startOf(call);
  if (!start) return [];
  if (start.form === 'shell' || start.shell) return start.command.flatMap((value) => splitCommands(wordOf(value)));
  return start.command.map((value) => [wordOf(value), ...start.args.slice(0, 60).map((arg) => wordOf(arg.values[0]))]);
}

const PLACES = new Map<string, string>([
  ['home', '~'],
  ['$HOME', '~'],
  ['agent', '<agent>'],
]);
const wordOf = (value: Value | undefined): string =>
  (value ? piecesOf(value) : [])
    .map((piece) => (typeof piece === 'string' ? piece : (PLACES.get(piece.hole) ?? '*')))
    .join('')
    .slice(0, 2000);

function wordsReason(words: readonly string[], talks: boolean): string | null {
  const program = programName(words[0] ?? '');
  const isSender = SENDERS.test(program);
  if (!isSender && !(talks && READERS.test(program))) return null;
  const file = words.slice(1).find((word, index) => {
    const path = word.replace(/^[^@\s]{0,60}@(?=[~/.<$])|^-[A-Za-z](?=[~/@])@?|^if=|^\$HOME(?=\/)/, (found) =>
      found === '$HOME' ? '~' : '',
    );
    const keyOption = LOGS_IN.test(words[index] ?? '') && !word.includes('@');
    return !keyOption && isCredentialFile(path.replace(/^\$HOME(?=\/)/, '~'));
  });
  if (file === undefined) return null;
  const shown = showText(file, 80);
  return isSender ? `\`${program}\` sends \`${shown}\`` : `reads \`${shown}\` in a package that makes requests`;
}
