// Runs one command line: parses it by the table, prints the outcome, and says how the process exits.
// 0 is fine, 1 failed, 2 was not a command that can be right.
import { CommanderError, Command as Parser } from "commander";
import { version } from "../lib/version.ts";
import type { Command, Outcome, Shell } from "./command.ts";
import { commands, groups } from "./commands.ts";
import type { CliContext, Services } from "./context.ts";
import { describeFailure, type Failure, usageFailure } from "./failure.ts";
import type { Option } from "./option.ts";
import { formatForPeople, formatJson } from "./output.ts";

export type CliWorld = Services & {
  openContext(onProgress: (sentence: string) => void): Promise<CliContext>;
  stdout: NodeJS.WritableStream;
  stderr: NodeJS.WritableStream;
};

/** @param argv what stands after `starpost` */
export async function runCli(argv: readonly string[], world: CliWorld): Promise<number> {
  const isJson = argv.includes("--json");
  const shell = openShell(world, isJson);
  const job: Job = { command: null, outcome: null };
  try {
    await openParser({ shell, world, job }).parseAsync([...argv], { from: "user" });
    if (job.outcome) await shell.write(writeOutcome(job.outcome, isJson));
    return job.outcome?.isFailed ? 1 : 0;
  } catch (error) {
    if (isHelp(error) || isClosedPipe(error)) return 0;
    return await reportFailure(shell, error, job.command);
  } finally {
    await shell.close();
  }
}

type Job = { command: Command | null; outcome: Outcome | null };
type OpenShell = Shell & { close(): Promise<void> };

function openShell(world: CliWorld, isJson: boolean): OpenShell {
  let opened: Promise<CliContext> | null = null;
  const note = (line: string): void => {
    world.stderr.write(`${line}\n`);
  };
  return {
    ...world,
    isJson,
    note,
    print(line) {
      world.stdout.write(`${line}\n`);
    },
    write: (text) => writeTo(world.stdout, text),
    context() {
      opened ??= world.openContext((sentence) => note(`${sentence} …`));
      return opened;
    },
    async close() {
      // A context that failed to open has said so already, and closed what it had opened.
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

type Parse = { shell: OpenShell; world: CliWorld; job: Job };

function openParser(parse: Parse): Parser {
  const { world, shell } = parse;
  const root = new Parser("starpost")
    .description("Follows apps in app stores: reviews, ratings, a read API and signed webhooks.")
    .version(version)
    .exitOverride()
    .configureOutput({
      writeOut: (text) => void world.stdout.write(text),
      // With --json the error is the one JSON value on stdout.
      writeErr: (text) => void (shell.isJson || world.stderr.write(text)),
    });
  const parents = new Map<string, Parser>();
  for (const [name, about] of Object.entries(groups)) {
    parents.set(name, root.command(name).description(about));
  }
  for (const command of commands) {
    const [first = "", second] = command.name.split(" ");
    const parent = second === undefined ? root : (parents.get(first) ?? root);
    addCommand(parent.command(second ?? first), command, parse);
  }
  return root;
}

function addCommand(parser: Parser, command: Command, parse: Parse): void {
  const { job, shell } = parse;
  parser.description(command.about);
  for (const arg of Object.values(command.args)) parser.argument(arg.flags, arg.about);
  for (const option of Object.values(command.options)) {
    if (option.isRequired) parser.requiredOption(option.flags, option.about);
    else parser.option(option.flags, option.about);
  }
  parser.option("--json", "Print one JSON value on stdout.");
  parser.action(async () => {
    job.command = command;
    job.outcome = await command.run(shell, readGiven(command, parser));
  });
}

function readGiven(command: Command, parser: Parser): Record<string, unknown> {
  const stated: Record<string, string | boolean | undefined> = parser.opts();
  const read = (option: Option<unknown>, value: string | boolean | undefined): unknown =>
    option.read(value);
  const args = Object.entries(command.args).map(([name, option], index) => [
    name,
    read(option, parser.args[index]),
  ]);
  const options = Object.entries(command.options).map(([name, option]) => [
    name,
    read(option, stated[name]),
  ]);
  return Object.fromEntries([...args, ...options]);
}

function writeOutcome(outcome: Outcome, isJson: boolean): string {
  return isJson ? formatJson(outcome.value) : formatForPeople(outcome);
}

async function reportFailure(
  shell: OpenShell,
  error: unknown,
  command: Command | null,
): Promise<number> {
  const isUsage = error instanceof CommanderError;
  const failure: Failure = isUsage
    ? usageFailure(error.message.replace(/^error: /, ""))
    : describeFailure(error, command);
  if (shell.isJson) await shell.write(formatJson({ error: failure.error }));
  // commander has printed its own errors already.
  else if (!isUsage) shell.note(`error: ${failure.error.message}`);
  // A bug is worth its place in the code, to whoever runs this.
  if (failure.error.code === "internal" && error instanceof Error) shell.note(error.stack ?? "");
  return failure.exitCode;
}

function isHelp(error: unknown): boolean {
  return error instanceof CommanderError && error.exitCode === 0;
}

/** The reader of a pipe had enough, as `head` does. */
function isClosedPipe(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "EPIPE";
}
