/** `code/host-patch`: changes to the agent itself, to what it obeys, or to other extensions. */
import { showText } from '../show-text.ts';
import type { ApiCall } from '../source/api-calls.ts';
import { memberName } from '../source/calls.ts';
import { child, isMember, type Node, unwrap } from '../source/node.ts';
import { eachNode } from '../source/program.ts';
import { startOf } from '../source/run-uses.ts';
import { splitCommands } from '../source/shell-command.ts';
import type { Analysis } from '../source/types.ts';
import { usesOfCall } from '../source/uses.ts';
import { isEnvironment, onlyText, piecesOf, type Value } from '../source/value.ts';
import { analysisOf, foundAt, oncePerLine } from './code-facts.ts';
import { shellTexts } from './code-shell.ts';
import { lastingReason } from './lasting-commands.ts';
import { isHostFile } from './sensitive.ts';
import type { Found, Rule } from './types.ts';

/** An empty folder changes nothing yet. */
const MAKES_FOLDER = /\.(?:mkdir|mkdtemp|ensureDir|mkdirp|mkdirs)(?:Sync)?$/;

function writeReason(call: ApiCall): string | null {
  if (MAKES_FOLDER.test(call.path)) return null;
  const path = usesOfCall(call).find(
    (use) => use.kind === 'write' && use.value !== null && isHostFile(use.value),
  )?.value;
  return path ? `writes \`${showText(path)}\`` : (redirectReason(call) ?? commandReason(call));
}

/** What a command leaves behind: in a line for a shell, or as a program with its arguments. */
function commandReason(call: ApiCall): string | null {
  const start = startOf(call);
  if (!start) return null;
  const lines = [...shellTexts(call), ...(start.form === 'shell' ? start.command : [])];
  const inLines = lines.flatMap((value) => splitCommands(wordOf(value).slice(0, 5000)));
  const direct =
    start.form === 'shell'
      ? []
      : start.command.map((value) => [wordOf(value), ...start.args.slice(0, 100).map((arg) => wordOf(arg.values[0]))]);
  for (const words of [...direct, ...inLines]) {
    const reason = lastingReason(words);
    if (reason !== null) return showText(reason);
  }
  return null;
}

/** A value as the word that it would be; what is not known is one mark. */
const wordOf = (value: Value | undefined): string =>
  value === undefined
    ? '\ue000'
    : piecesOf(value)
        .map((piece) => (typeof piece === 'string' ? piece : holeWord(piece.hole)))
        .join('');

const holeWord = (hole: string): string => (holeText(hole) === '*' ? '\ue000' : holeText(hole));

const REDIRECTS =
  /(?:>>?|\btee\s{1,5}(?:-a\s{1,5})?|\bcp\s[^\n;|&]{1,300}\s|\bmv\s[^\n;|&]{1,300}\s|\bsed\s{1,5}-i[^\n;|&]{0,300}\s)\s{0,5}["']?([~$\w./@-]{3,200})/g;

/** `echo … >> ~/.bashrc` */
function redirectReason(call: ApiCall): string | null {
  for (const value of shellTexts(call)) {
    const line = piecesOf(value)
      .map((piece) => (typeof piece === 'string' ? piece : holeText(piece.hole)))
      .join('')
      .slice(0, 5000);
    if (/\bcrontab\s+(?:-\s*$|-$|[^-\s])|\|\s*crontab\b/.test(line)) return 'changes the crontab';
    for (const [, path = ''] of line.matchAll(REDIRECTS)) {
      const plain = path.replace(/^\$HOME(?=\/)/, '~');
      if (isHostFile(plain)) return `writes \`${showText(plain)}\` by a command`;
    }
  }
  return null;
}

const holeText = (hole: string): string =>
  hole === 'home' || hole === '$HOME' ? '~' : hole === 'agent' ? '<agent>' : '*';

const BUILT_IN_OBJECTS =
  /^(?:global\.(?:fetch|eval|Function|XMLHttpRequest|WebSocket|process\.(?:exit|kill|on|emit|binding|stdout\.write|stderr\.write|stdin\.\w+)|(?:Object|Array|String|Function|Promise|Number|RegExp|Map|Set|Date|Buffer|URL|Response|Request|JSON|Math|Reflect|Error)\.[\w.]+)|node:(?:fs|fs\/promises|http|https|net|tls|child_process|module|dns|crypto|path|os|vm)\.[\w.#]+|npm:@(?:earendil-works|mariozechner)\/pi-[\w-]+\.[\w.]+|pi\.(?:register\w+|on|exec|get\w+|set\w+|send\w+|append\w+|events\.\w+))$/;

/** `globalThis.fetch = …`, `fs.readFileSync = …`, `Array.prototype.map = …` */
function patches(analysis: Analysis): Found[] {
  const found: Found[] = [];
  eachNode(analysis.program.nodes, ['AssignmentExpression'], (node, file) => {
    const path = patchedApi(analysis, node);
    if (path !== null)
      found.push(foundAt(analysis, { node, file }, `replaces \`${showText(path)}\` for everything in the process`));
  });
  return found;
}

function patchedApi(analysis: Analysis, node: Node): string | null {
  const left = child(node, 'left');
  const target = left ? unwrap(left) : null;
  const object = target && isMember(target) ? child(target, 'object') : null;
  if (!target || !object) return null;
  // A text's or a list's own field is no patch of the prototype that its methods come from.
  if (!analysis.machine.evaluate(object, null).values.some((value) => value.kind === 'api')) return null;
  const name = memberName(child(target, 'property'));
  for (const value of analysis.machine.evaluate(target, null).values) {
    // These two are how errors are shown.
    if (value.kind !== 'api' || name === 'stackTraceLimit' || name === 'prepareStackTrace') continue;
    if (BUILT_IN_OBJECTS.test(value.path)) return value.path.replace(/^global\.|^node:|^npm:/, '');
  }
  return null;
}

const DEFINES =
  /^global\.(?:Object\.(?:define(?:Property|Properties)|assign|setPrototypeOf)|Reflect\.(?:defineProperty|set))$/;

function definesReason(call: ApiCall): string | null {
  if (call.path === 'npm:undici.setGlobalDispatcher' && !call.args[0]?.values.some(isUsersProxy))
    return 'sends all requests of the process another way';
  const target = call.args[0]?.values.find((value) => value.kind === 'api');
  if (!DEFINES.test(call.path) || target?.kind !== 'api') return null;
  const isHost =
    /^(?:global\.(?:Object|Array|String|Function|Promise)\.prototype|node:(?:fs|http|https|net|child_process|module)\b.*)$/.test(
      target.path,
    );
  return isHost
    ? `replaces parts of \`${showText(target.path.replace(/^global\.|^node:/, ''))}\` for everything in the process`
    : null;
}

/** The proxy that the user's own variables name. */
const isUsersProxy = (value: Value): boolean => value.kind === 'api' && value.path.includes('EnvHttpProxyAgent');

/** Variables that decide what every program of the process does, and who it talks to. */
const STEERING =
  /^(?:PATH|NODE_OPTIONS|NODE_EXTRA_CA_CERTS|NODE_PATH|LD_PRELOAD|LD_LIBRARY_PATH|DYLD_\w+|BASH_ENV|ENV|SHELL|PROMPT_COMMAND|GIT_(?:SSH|SSH_COMMAND|CONFIG\w*|EXEC_PATH|ASKPASS|EDITOR|PAGER|EXTERNAL_DIFF|TEMPLATE_DIR|PROXY_COMMAND)|SSH_ASKPASS|PYTHON(?:STARTUP|PATH|HOME)|PERL5(?:OPT|LIB)|RUBY(?:OPT|LIB)|JAVA_TOOL_OPTIONS|EDITOR|VISUAL|PAGER|https?_proxy|all_proxy|npm_config_\w+|\w+_BASE_URL|\w+_API_BASE)$/i;

/** `process.env.PATH = …`: every later program, of whatever tool, gets it. */
function steeredVariables(analysis: Analysis): Found[] {
  const found: Found[] = [];
  const seen = new Set<string>();
  eachNode(analysis.program.nodes, ['AssignmentExpression'], (node, file) => {
    const left = child(node, 'left');
    const name = left ? variableOf(analysis, unwrap(left)) : null;
    if (name === null || !STEERING.test(name) || seen.has(`${file} ${name}`)) return;
    seen.add(`${file} ${name}`);
    found.push(foundAt(analysis, { node, file }, `changes \`${showText(name)}\` for everything in the process`));
  });
  return found;
}

/** The environment variable that an expression means, or null. */
function variableOf({ machine }: Analysis, target: Node): string | null {
  const object = isMember(target) ? child(target, 'object') : null;
  const property = child(target, 'property');
  if (!object || !property) return null;
  const isVariable = machine
    .evaluate(object, null)
    .values.some((value) => value.kind === 'api' && isEnvironment(value.path));
  if (!isVariable) return null;
  return target.computed === true ? onlyText(machine.evaluate(property, null)) : memberName(property);
}

export const hostPatch: Rule = {
  id: 'code/host-patch',
  level: 'review',
  what: 'writes to the agent’s own files, settings, other extensions, instruction files or start-up files; replaces built-in functions',
  why: 'the change outlives the tool, reaches other tools, and removing the package does not take it back',
  fix: 'keep state in a file of your own; change the agent through its API, for the session',
  *find(facts) {
    const analysis = analysisOf(facts);
    const all = analysis.calls.flatMap((call): Found[] => {
      const reason = writeReason(call) ?? definesReason(call);
      return reason === null ? [] : [foundAt(analysis, call, reason)];
    });
    yield* oncePerLine([...all, ...patches(analysis), ...steeredVariables(analysis)]);
  },
};
