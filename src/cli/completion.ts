// Completion scripts, made from the table of commands. They hold every word, so that the Tab key starts no
// process. bash and zsh share one function: zsh runs it through bashcompinit.
import { type Command, longFlagOf } from "./command.ts";

export const completionShells = ["bash", "zsh", "fish"] as const;
type CompletionShell = (typeof completionShells)[number];

export function formatCompletion(shell: CompletionShell, commands: readonly Command[]): string {
  if (shell === "fish") return formatFish(commands);
  const prologue = shell === "zsh" ? "autoload -U +X bashcompinit && bashcompinit\n" : "";
  return prologue + formatBash(commands);
}

function formatBash(commands: readonly Command[]): string {
  const cases = [...listWords(commands)].map(
    ([line, words]) => `    ${quote(line)}) words=${quote(words.join(" "))} ;;`,
  );
  return `_starpost() {
  local words="" line="" i
  for ((i = 1; i < COMP_CWORD; i++)); do
    case "\${COMP_WORDS[i]}" in -*) break ;; esac
    line="\${line:+$line }\${COMP_WORDS[i]}"
  done
  # After an option its values can follow.
  case "\${COMP_WORDS[COMP_CWORD-1]}" in --*) line="$line \${COMP_WORDS[COMP_CWORD-1]}" ;; esac
  # The words of an argument are dropped until a command is left.
  while :; do
    case "$line" in
${cases.join("\n")}
    esac
    [[ -n "$words" || -z "$line" ]] && break
    [[ "$line" == *" "* ]] && line="\${line% *}" || line=""
  done
  COMPREPLY=($(compgen -W "$words" -- "\${COMP_WORDS[COMP_CWORD]}"))
}
complete -o default -F _starpost starpost
`;
}

/** The words that can follow each beginning of a command line: "" for none. */
function listWords(commands: readonly Command[]): Map<string, string[]> {
  const words = new Map<string, string[]>([["", []]]);
  const add = (line: string, word: string): void => {
    const known = words.get(line) ?? [];
    words.set(line, known.includes(word) ? known : [...known, word]);
  };
  for (const command of commands) {
    const [first = "", second] = command.name.split(" ");
    add("", first);
    if (second !== undefined) add(first, second);
    for (const flag of listFlags(command)) add(command.name, flag);
    for (const option of Object.values(command.options)) {
      for (const value of option.values ?? []) add(`${command.name} ${longFlagOf(option)}`, value);
    }
  }
  return words;
}

function listFlags(command: Command): string[] {
  const flags = Object.values(command.options).map(longFlagOf);
  return [...flags, ...(command.question ? ["--yes"] : []), "--json", "--help"];
}

function formatFish(commands: readonly Command[]): string {
  const lines = commands.flatMap((command) => {
    const [first = "", second] = command.name.split(" ");
    const seen = `__fish_seen_subcommand_from ${first}`;
    const within =
      second === undefined ? seen : `${seen}; and __fish_seen_subcommand_from ${second}`;
    const name =
      second === undefined
        ? `complete -c starpost -f -n __fish_use_subcommand -a ${first} -d ${quote(command.description)}`
        : `complete -c starpost -f -n ${quote(seen)} -a ${second} -d ${quote(command.description)}`;
    const options = Object.values(command.options).map((option) => {
      const flag = longFlagOf(option).replace(/^--/, "");
      const values = option.values ? ` -f -a ${quote(option.values.join(" "))}` : "";
      const value = option.flags.includes("<") ? ` -r${values}` : "";
      return `complete -c starpost -n ${quote(within)} -l ${flag}${value} -d ${quote(option.description)}`;
    });
    return [name, ...options];
  });
  const groups = new Set(commands.filter(({ name }) => name.includes(" ")).map(firstWord));
  const groupLines = [...groups].map(
    (group) => `complete -c starpost -f -n __fish_use_subcommand -a ${group}`,
  );
  return `${[...groupLines, ...lines].join("\n")}\n`;
}

function firstWord({ name }: Command): string {
  return name.split(" ")[0] ?? "";
}

function quote(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
