// Runs one command line: parses it by the table of commands, prints the outcome and returns the exit code:
// 0 done, 1 failed, 2 an invalid command line; of a gate, whose codes are answers, 3 for both.

import type { Readable, Writable } from "node:stream";
import { CommanderError, Command as Parser } from "commander";
import { ApiError, ConnectionError } from "../../sdk/src/errors.ts";
import { AppError, type ErrorCode, errorCodes, type FieldError } from "../domain/error.ts";
import { toAppError } from "../domain/storage-error.ts";
import { errorCode, messageOf } from "../lib/errors.ts";
import { explainFailure } from "../lib/failure-causes.ts";
import { explainSystemError } from "../lib/system-errors.ts";
import { minuteMs } from "../lib/timestamp.ts";
import { version } from "../lib/version.ts";
import { type Command, longFlagOf, type Outcome, type Shell } from "./command.ts";
import { commandWords, loadCommands } from "./commands.ts";
import type { CliContext, Services } from "./context.ts";
import { formatForPeople, formatJson } from "./output.ts";
import { createTerminal, type Terminal } from "./terminal.ts";

type CliDeps = Services & {
  openContext(onProgress: (sentence: string) => void): Promise<CliContext>;
  stdin: Readable & { isTTY?: boolean };
  stdout: Writable & { isTTY?: boolean };
  stderr: NodeJS.WritableStream;
};

/** @param argv the arguments after `starpost` */
export async function runCli(argv: readonly string[], deps: CliDeps): Promise<number> {
  const isJson = argv.includes("--json");
  const shell = createShell(deps, isJson);
  const run: Run = { shell, deps, command: null, outcome: null };
  try {
    const parser = await createParser(run, argv);
    await parser.parseAsync([...argv], { from: "user" });
    if (run.outcome) await shell.write(formatOutcome(run.outcome, isJson));
    return run.outcome?.exitCode ?? (run.outcome?.isFailed || run.isDeclined ? 1 : 0);
  } catch (error) {
    if (isHelp(error) || isClosedPipe(error)) return 0;
    return await reportFailure(run, error);
  } finally {
    await shell.close();
  }
}

type OpenShell = Shell & Terminal & { close(): Promise<void> };
/** The outcome is known once the command has run. */
type Run = {
  shell: OpenShell;
  deps: CliDeps;
  command: Command | null;
  outcome: Outcome | null;
  isDeclined?: true;
};

function createShell(deps: CliDeps, isJson: boolean): OpenShell {
  let opened: Promise<CliContext> | null = null;
  const terminal = createTerminal(deps);
  const { note } = terminal;
  return {
    ...deps,
    ...terminal,
    isInteractive: terminal.isInteractive && !isJson,
    isJson,
    print(line) {
      deps.stdout.write(`${line}\n`);
    },
    write(text) {
      terminal.clearProgress();
      return writeTo(deps.stdout, text);
    },
    context() {
      opened ??= deps.openContext((sentence) => note(`${sentence} …`));
      return opened;
    },
    async close() {
      // A context that failed to open was reported already, and closed what it had opened.
      terminal.clearProgress();
      const context = await opened?.catch(() => null);
      await context?.close();
    },
  };
}

function writeTo(stream: NodeJS.WritableStream, text: string): Promise<void> {
  return new Promise((resolve, reject) => {
    stream.write(text, (error) => (error ? reject(error) : resolve()));
  });
}

/** Only the commands that begin with the line's first word are loaded; of all others the help has one line. */
async function createParser(run: Run, argv: readonly string[]): Promise<Parser> {
  const { deps, shell } = run;
  const root = new Parser("starpost")
    .description("Follows apps in app stores: reviews, ratings, a read API and signed webhooks.")
    .version(version, "-v, --version")
    // After a command, --version is an option of the command.
    .enablePositionalOptions()
    .exitOverride()
    .configureOutput({
      writeOut: (text) => void deps.stdout.write(text),
      // With --json the error is the one JSON value on stdout.
      writeErr: (text) => void (shell.isJson || deps.stderr.write(text)),
    });
  root.addHelpText("after", examples);
  const words = argv.filter((part) => !part.startsWith("-"));
  const chosen = words[0] === "help" ? words[1] : words[0];
  for (const commandWord of commandWords) {
    const { word, description, heading } = commandWord;
    const parser = root.commandsGroup(`${heading}:`).command(word).description(description);
    for (const command of word === chosen ? await loadCommands(commandWord) : []) {
      const [, second] = command.name.split(" ");
      // Known before the line is parsed: an unknown option of a gate must not end with one of its answers.
      if (second === undefined || second === words[1]) run.command = command;
      addCommand(run, { command, parser: second ? parser.command(second) : parser });
    }
  }
  return root;
}

const examples = `
Examples:
  starpost report https://apps.apple.com/app/id1234567890
  starpost demo
  starpost app add --link https://apps.apple.com/app/id1234567890
  starpost review list --stars 1,2 --since 7d
  starpost channel create --name Desk --url https://example.com/hook`;

function addCommand(run: Run, { command, parser }: { command: Command; parser: Parser }): void {
  addOptions(parser, command);
  parser.action(async () => {
    run.command = command;
    const { installFeatures } = await import("../app/features.ts");
    installFeatures();
    const values = parseValues(command, parser);
    await resolveReferences(run.shell, { command, values });
    if (parser.opts()["yes"] !== true && (await isDeclined(run.shell, { command, values }))) {
      run.shell.note("nothing was changed");
      run.isDeclined = true;
    } else run.outcome = await command.run(run.shell, values);
  });
}

function addOptions(parser: Parser, command: Command): void {
  parser.description(command.description);
  for (const arg of Object.values(command.args)) parser.argument(arg.flags, arg.description);
  for (const option of Object.values(command.options)) {
    if (option.isRequired) parser.requiredOption(option.flags, option.description);
    else parser.option(option.flags, option.description);
  }
  if (command.question) parser.option("--yes", "Don't ask first.");
  parser.option("--json", "Print one JSON value on stdout.");
}

function parseValues(command: Command, parser: Parser): Record<string, unknown> {
  const raw: Record<string, string | boolean | undefined> = parser.opts();
  const values: Record<string, unknown> = {};
  for (const [index, [name, arg]] of Object.entries(command.args).entries()) {
    values[name] = arg.flags.includes("...")
      ? parser.args.slice(index).flatMap((word) => arg.parse(word))
      : arg.parse(parser.args[index]);
  }
  for (const [name, option] of Object.entries(command.options)) {
    values[name] = option.parse(raw[name]);
  }
  return values;
}

type Values = { command: Command; values: Record<string, unknown> };

async function resolveReferences(shell: Shell, { command, values }: Values): Promise<void> {
  for (const [field, option] of Object.entries({ ...command.args, ...command.options })) {
    if (!option.refersTo) continue;
    const value = values[field];
    if (value === undefined && !option.refersTo.startsWith("workspace")) continue;
    // Loaded late: help and version need none of the schemas that it names destinations by.
    const { resolveReference } = await import("./references.ts");
    const reference = { kind: option.refersTo, field, value };
    values[field] = await resolveReference(await shell.context(), reference);
  }
}

/** @throws AppError `invalid_input` away from a terminal, where no person can answer */
async function isDeclined(shell: OpenShell, { command, values }: Values): Promise<boolean> {
  if (!command.question) return false;
  if (!shell.isInteractive) {
    const { failField } = await import("../domain/validation-errors.ts");
    failField("--yes", "is needed away from a terminal, because this can't be undone");
  }
  return !(await shell.confirm(await command.question(await shell.context(), values)));
}

function formatOutcome(outcome: Outcome, isJson: boolean): string {
  return isJson ? formatJson(outcome.value) : formatForPeople(outcome);
}

async function reportFailure({ shell, command }: Run, error: unknown): Promise<number> {
  const isUsage = error instanceof CommanderError;
  const failure: Failure = isUsage
    ? toUsageFailure(error.message.replace(/^error: /, ""))
    : toFailure(error, command);
  if (shell.isJson) await shell.write(formatJson({ error: failure.error }));
  // commander has printed its own errors already.
  else if (!isUsage) shell.note(`error: ${failure.error.message}`);
  // The stack helps users who report the bug.
  if (failure.error.code === "internal" && error instanceof Error) shell.note(error.stack ?? "");
  return command?.isGate ? 3 : failure.exitCode;
}

function isHelp(error: unknown): boolean {
  return error instanceof CommanderError && error.exitCode === 0;
}

/** The reader of the pipe closed it, as `head` does. */
function isClosedPipe(error: unknown): boolean {
  return errorCode(error) === "EPIPE";
}

type Failure = {
  exitCode: 1 | 2;
  error: { code: ErrorCode; message: string; fields: readonly FieldError[] };
};

function toFailure(error: unknown, command: Command | null): Failure {
  const refusal = readRefusal(error);
  if (refusal !== null) return { exitCode: 1, error: { ...refusal, fields: [] } };
  if (!(error instanceof AppError)) {
    const reason = explainUnavailable(error);
    if (reason !== null)
      return { exitCode: 1, error: { code: "unavailable", message: reason, fields: [] } };
    const message = messageOf(error);
    const internal = {
      code: "internal" as const,
      message: `internal error: ${message}`,
      fields: [],
    };
    return { exitCode: 1, error: internal };
  }
  const fields = error.fields.map(({ field, message }) => ({
    field: toFlag(field, command),
    message,
  }));
  const isUsage = error.code === "invalid_input" && fields.length > 0;
  const message = isUsage
    ? fields.map((error) => `${error.field}: ${error.message}`).join("; ")
    : withCause(error);
  return { exitCode: isUsage ? 2 : 1, error: { code: error.code, message, fields } };
}

/** A sentence for errors of the database, of the network and of this machine, which are not the program's; null for others. */
function explainUnavailable(error: unknown): string | null {
  const reason = explainSystemError(error, "the output");
  if (reason !== null) return reason;
  const converted = toAppError(error);
  return converted instanceof AppError ? withCause(converted) : null;
}

/** Explains the answer of the service at `--url`, or its absence; null for errors here. */
function readRefusal(error: unknown): { code: ErrorCode; message: string } | null {
  if (error instanceof ApiError) {
    const code = errorCodes.find((one) => one === error.code) ?? "unavailable";
    return { code, message: `the service refused it: ${error.message}` };
  }
  if (!(error instanceof ConnectionError)) return null;
  const { reason } = explainFailure(error.cause, { who: "the service", timeoutMs: minuteMs });
  return { code: "unavailable", message: `${error.message}: ${reason}` };
}

/** The database's own words, which only operators may read. */
function withCause({ message, cause }: AppError): string {
  const isBare = message.startsWith("the database is unavailable") && cause instanceof Error;
  return isBare ? `${message} (${cause.message})` : message;
}

function toUsageFailure(message: string): Failure {
  return { exitCode: 2, error: { code: "invalid_input", message, fields: [] } };
}

/** As it is typed: `externalId` is `--external-id`. */
function toFlag(field: string, command: Command | null): string {
  const options = command?.options ?? {};
  const option = Object.values(options).find((one) => one.field === field) ?? options[field];
  return option ? longFlagOf(option) : field;
}
