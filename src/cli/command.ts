// The type of a command: what it takes, what it does and its outcome. How an outcome is printed is the
// same for all commands.
import type { Readable, Writable } from "node:stream";
import type { CliContext, Services } from "./context.ts";
import type { Option, OptionValues } from "./option.ts";
import type { Terminal } from "./terminal.ts";

export type Options = Readonly<Record<string, Option<unknown>>>;

/** One JSON value; without `--json` it is shown as a table or as lines. */
export type Outcome = {
  value: unknown;
  /** Columns of the table for people, when the value is a list. */
  columns?: readonly string[];
  /** Shown below it to people: what `value` holds in a form for scripts. */
  lines?: readonly string[];
  /** Nothing was achieved: exit code 1. */
  isFailed?: boolean;
  /** Where the outcome has a code of its own. */
  exitCode?: 0 | 1 | 2 | 3;
};

/** The environment of a command besides its options. */
export type Shell = Services & {
  /** Everything that the service is made of, opened at the first call. */
  context(): Promise<CliContext>;
  /** To stdout; resolves once the reader has taken it. */
  write(text: string): Promise<void>;
  /** A line to stdout without waiting: for a service that keeps running. */
  print(line: string): void;
  /** A line to stderr, about the progress. */
  note(line: string): void;
  isJson: boolean;
  /** How far it is: one line at a terminal, a line each time elsewhere. */
  showProgress: Terminal["showProgress"];
  /** Whether a person sits at a terminal. */
  isInteractive: boolean;
  /** Only where a person can answer. */
  confirm: Terminal["confirm"];
  stdin: Readable;
  /** Where a table or file goes; a terminal has `isTTY`. */
  stdout: Writable & { isTTY?: boolean };
};

/** The environment with everything that the service is made of. */
export type Context = Shell & CliContext;

export type Command = {
  /** The words after `starpost`. */
  name: string;
  description: string;
  args: Options;
  options: Options;
  /** The question at a terminal before an action that can't be undone; `--yes` answers it. */
  question?: (context: CliContext, values: Record<string, unknown>) => Promise<string>;
  /** Its exit code answers a question: without an answer, for whatever reason, it is 3. */
  isGate?: true;
  /** null when everything was written already. */
  run(shell: Shell, values: Record<string, unknown>): Promise<Outcome | null>;
};

type None = Record<never, never>;

type Definition<A extends Options, O extends Options> = {
  name: string;
  /** One of a single word is described in the table of words. */
  description?: string;
  args?: A;
  options?: O;
  question?: (context: CliContext, values: OptionValues<A> & OptionValues<O>) => Promise<string>;
  isGate?: true;
} & (
  | { run(context: Context, values: OptionValues<A> & OptionValues<O>): Promise<Outcome | null> }
  /** Without opening the database. */
  | { runAlone(shell: Shell, values: OptionValues<A> & OptionValues<O>): Promise<Outcome | null> }
);

/** A command whose `run` gets its values with their types. */
export function command<A extends Options = None, O extends Options = None>(
  definition: Definition<A, O>,
): Command {
  const run =
    "runAlone" in definition
      ? definition.runAlone
      : async (shell: Shell, values: OptionValues<A> & OptionValues<O>) =>
          definition.run({ ...(await shell.context()), ...shell }, values);
  // The values are parsed by the very options that their type is derived from.
  return { description: "", args: {}, options: {}, ...definition, run } as Command;
}

/** `--file` of `-f, --file <file>`, or `<id>` of an argument. */
export function longFlagOf({ flags }: Pick<Option<unknown>, "flags">): string {
  return /--[\w-]+/.exec(flags)?.[0] ?? flags;
}
