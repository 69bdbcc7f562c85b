// What a command is: a line of the table in commands.ts. It says what it takes and hands back what came
// of it; how that is printed is the same for all of them.
import type { CliContext, Services } from "./context.ts";
import type { OptionValues, Option } from "./option.ts";

export type Options = Readonly<Record<string, Option<unknown>>>;

/** One JSON value; without `--json` it is shown as a table or as lines. */
export type Outcome = {
  value: unknown;
  /** Columns of the table for people, when the value is a list. */
  columns?: readonly string[];
  /** Shown below it to people: what `value` holds in a form for scripts. */
  lines?: readonly string[];
  /** Nothing of what was asked came about: exit code 1. */
  isFailed?: boolean;
};

/** What a command may use besides what it was given. */
export type Shell = Services & {
  /** The rooms, opened at the first call. */
  context(): Promise<CliContext>;
  /** To stdout; resolves once the reader has taken it. */
  write(text: string): Promise<void>;
  /** A line to stdout without waiting: for a service that goes on. */
  print(line: string): void;
  /** A line to stderr, for the person who watches. */
  note(line: string): void;
  isJson: boolean;
};

export type Command = {
  /** The words after `starpost`. */
  name: string;
  about: string;
  args: Options;
  options: Options;
  /** null when everything was written already. */
  run(shell: Shell, given: Record<string, unknown>): Promise<Outcome | null>;
};

/** A line of the table, with the types of its options. */
export function command<A extends Options, O extends Options>(line: {
  name: string;
  about: string;
  args: A;
  options: O;
  run(shell: Shell, given: OptionValues<A> & OptionValues<O>): Promise<Outcome | null>;
}): Command {
  return { ...line, run: (shell, given) => line.run(shell, asValues<A, O>(given)) };
}

// The values were read by the very options that the type is derived from.
function asValues<A, O>(given: Record<string, unknown>): OptionValues<A> & OptionValues<O> {
  return given as OptionValues<A> & OptionValues<O>;
}
