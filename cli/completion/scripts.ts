/** Completion scripts for three shells, made from what the commands say of themselves. Pure. */

export type CompletionWord = { name: string; summary: string };

export type CompletionCommand = CompletionWord & {
  aliases: readonly string[];
  /** Long options, with their dashes. */
  options: readonly CompletionWord[];
  subcommands: readonly CompletionWord[];
  /** What its arguments are: package names, paths, or nothing that could be listed. */
  takes: 'packages' | 'paths' | 'shells' | 'nothing';
};

export type CompletionInput = { commands: readonly CompletionCommand[]; globalOptions: readonly CompletionWord[] };

export const SHELLS = ['bash', 'zsh', 'fish'] as const;
export type Shell = (typeof SHELLS)[number];

const NAMES_COMMAND = 'pi-tools completion names 2>/dev/null';

/** For single quotes in all three shells; summaries are our own texts. */
const quote = (text: string): string => `'${text.replaceAll("'", '’')}'`;

const words = (list: readonly CompletionWord[]): string => list.map((one) => one.name).join(' ');

const wordsAfter = (command: CompletionCommand): string => {
  if (command.subcommands.length > 0) return quote(words(command.subcommands));
  if (command.takes === 'packages') return `"$(${NAMES_COMMAND})"`;
  return command.takes === 'shells' ? quote(SHELLS.join(' ')) : "''";
};

const bash = ({ commands, globalOptions }: CompletionInput): string => {
  const cases = commands.map(
    (command) =>
      `    ${[command.name, ...command.aliases].join('|')}) options=${quote(words(command.options))}; [[ $current == -* ]] || words=${wordsAfter(command)} ;;`,
  );
  return `# pi-tools completion for bash. Use it with: source <(pi-tools completion bash)
_pi_tools() {
  local current=\${COMP_WORDS[COMP_CWORD]} previous=\${COMP_WORDS[COMP_CWORD-1]} command='' options='' words='' word
  COMPREPLY=()
  case $previous in
    --agent) COMPREPLY=($(compgen -W 'pi slopcode opencode' -- "$current")); return ;;
    --scope) COMPREPLY=($(compgen -W 'user project' -- "$current")); return ;;
    --cwd|--data) compopt -o dirnames; return ;;
    --registry) return ;;
  esac
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    [[ $word == -* ]] || { command=$word; break; }
  done
  case $command in
    '') words=${quote(words(commands))} ;;
${cases.join('\n')}
  esac
  case $command in
    ${commandsThatTake(commands, 'paths')}) [[ $current == -* ]] || { compopt -o default; } ;;
  esac
  COMPREPLY=($(compgen -W "$words" -- "$current"))
  if [[ $current == -* ]]; then COMPREPLY=($(compgen -W "$options ${words(globalOptions)}" -- "$current")); fi
}
complete -F _pi_tools pi-tools
`;
};

const commandsThatTake = (commands: readonly CompletionCommand[], takes: CompletionCommand['takes']): string =>
  commands
    .filter((command) => command.takes === takes)
    .flatMap((command) => [command.name, ...command.aliases])
    .join('|');

const describe = ({ name, summary }: CompletionWord): string => quote(`${name.replaceAll(':', '\\:')}:${summary}`);
const describeOption = ({ name, summary }: CompletionWord): string =>
  quote(`${name}[${summary.replace(/[[\]]/g, '')}]`);

const zsh = ({ commands, globalOptions }: CompletionInput): string => {
  const cases = commands.map((command) => {
    const rest =
      command.subcommands.length > 0
        ? `'1:subcommand:(${words(command.subcommands)})'`
        : command.takes === 'packages'
          ? `'*:package:_pi_tools_names'`
          : command.takes === 'paths'
            ? `'*:path:_files'`
            : command.takes === 'shells'
              ? `'1:shell:(${SHELLS.join(' ')})'`
              : '';
    const options = command.options.map(describeOption).join(' ');
    return `    ${[command.name, ...command.aliases].join('|')}) _arguments $globals ${options} ${rest} ;;`;
  });
  return `#compdef pi-tools
# pi-tools completion for zsh. Use it with: source <(pi-tools completion zsh)
_pi_tools_names() {
  local -a names
  names=(\${(f)"$(${NAMES_COMMAND})"})
  compadd -a names
}
_pi_tools() {
  local -a commands globals
  commands=(${commands.map(describe).join(' ')})
  globals=(${globalOptions.map(describeOption).join(' ')})
  if (( CURRENT == 2 )); then
    if [[ $words[CURRENT] == -* ]]; then _arguments $globals; else _describe command commands; fi
    return
  fi
  local command=$words[2]
  shift words
  (( CURRENT-- ))
  case $command in
${cases.join('\n')}
  esac
}
if [[ $zsh_eval_context[-1] == loadautofunc ]]; then _pi_tools "$@"; else compdef _pi_tools pi-tools; fi
`;
};

const fish = ({ commands, globalOptions }: CompletionInput): string => {
  const lines = commands.flatMap((command) => {
    const seen = `__fish_seen_subcommand_from ${[command.name, ...command.aliases].join(' ')}`;
    const options = command.options.map(
      (one) => `complete -c pi-tools -n ${quote(seen)} -l ${one.name.slice(2)} -d ${quote(one.summary)}`,
    );
    return [
      `complete -c pi-tools -f -n __fish_use_subcommand -a ${command.name} -d ${quote(command.summary)}`,
      ...options,
      ...command.subcommands.map(
        (sub) => `complete -c pi-tools -f -n ${quote(seen)} -a ${sub.name} -d ${quote(sub.summary)}`,
      ),
      ...(command.takes === 'packages' ? [`complete -c pi-tools -f -n ${quote(seen)} -a '(${NAMES_COMMAND})'`] : []),
      ...(command.takes === 'paths' ? [`complete -c pi-tools -F -n ${quote(seen)}`] : []),
      ...(command.takes === 'shells' ? [`complete -c pi-tools -f -n ${quote(seen)} -a '${SHELLS.join(' ')}'`] : []),
    ];
  });
  const globals = globalOptions.map((one) => `complete -c pi-tools -l ${one.name.slice(2)} -d ${quote(one.summary)}`);
  return `# pi-tools completion for fish. Use it with: pi-tools completion fish | source\n${[...globals, ...lines].join('\n')}\n`;
};

const MAKERS: Readonly<Record<Shell, (input: CompletionInput) => string>> = { bash, zsh, fish };

/** The script, ready to be sourced. */
export const completionScript = (shell: Shell, input: CompletionInput): string => MAKERS[shell](input);
