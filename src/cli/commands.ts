// All commands of `starpost` by their first word. A command line loads the one file that it needs: help and
// version answer without the database, the stores and the analysis.
import type { Command } from "./command.ts";

type Module = { commands: readonly Command[] };

/** `isGroup`: commands of two words, such as `app add`. */
export type CommandWord = { description: string; isGroup: boolean; load: () => Promise<Module> };

const service = () => import("./commands/service.ts");
const status = () => import("./commands/status.ts");
const backup = () => import("./commands/backup.ts");
const distribute = () => import("./commands/distribute.ts");
const audit = () => import("./commands/audit.ts");
const user = () => import("./commands/user.ts");
const workspace = () => import("./commands/workspace.ts");
const review = () => import("./commands/review.ts");
const key = () => import("./commands/key.ts");
const sqlUser = () => import("./commands/sql-user.ts");
const credential = () => import("./commands/credential.ts");
const app = () => import("./commands/app.ts");
const incident = () => import("./commands/incident.ts");
const channel = () => import("./commands/channel.ts");
const topics = () => import("./commands/topics.ts");
const digest = () => import("./commands/digest.ts");
const verdict = () => import("./commands/verdict.ts");
const listen = () => import("./commands/listen.ts");
const mcp = () => import("./commands/mcp.ts");
const deliveries = () => import("./commands/deliveries.ts");
const apply = () => import("./commands/apply.ts");
const files = () => import("./commands/files.ts");
const exports = async () => ({
  commands: [...(await files()).commands, ...(await apply()).commands],
});
const analyse = () => import("./commands/analyse.ts");
const adaptation = () => import("./commands/adaptation.ts");
const providers = () => import("./commands/providers.ts");
const completion = async () => {
  const { createCompletionCommands } = await import("./commands/completion.ts");
  return { commands: createCompletionCommands(loadAllCommands) };
};

/** In the order of the help. */
export const commandWords: Readonly<Record<string, CommandWord>> = {
  serve: word("Run the service until it is stopped; migrates the database first.", service),
  demo: word(
    "Run the service with simulated stores, a sample workspace and a verifying receiver.",
    service,
  ),
  simulate: word("Run simulated stores with generated apps until they are stopped.", service),
  migrate: word("Apply the migrations that the database lacks.", service),
  doctor: word(
    "Check settings, data folder, database, keys, ports, stores and clock, as a start does.",
    service,
  ),
  status: word(
    "Show whether it is healthy, what is stuck and since when, and table sizes.",
    status,
  ),
  backup: word("Write the whole database into a new file; the service may go on running.", backup),
  restore: word(
    "Restore a backup into an empty DATA_DIR, or an empty database as DATABASE_URL.",
    backup,
  ),
  distribute: word(
    "Spread the tables over the servers of a Citus, once and while no service runs; can be run again after an interruption.",
    distribute,
  ),
  audit: group("Read the audit log.", audit),
  user: group("User accounts.", user),
  workspace: group("Workspaces: who owns apps, keys and channels.", workspace),
  review: group("Reviews whose authors ask for their removal.", review),
  key: group("API keys of a workspace.", key),
  "sql-user": group("Roles of PostgreSQL that read a workspace by SQL views.", sqlUser),
  credential: group("Accounts of a workspace at the stores.", credential),
  app: group("Apps that a workspace follows.", app),
  collect: word(
    "Crawl an app once, now: per feed its outcome, pages, new and edited reviews.",
    app,
  ),
  incident: group("Changes of a store's layout that hold reviews back.", incident),
  channel: group("Where events are sent: webhooks, chat, e-mail and other services.", channel),
  topics: word(
    "List the topics that reviews are sorted into, for --topics and the read API.",
    topics,
  ),
  topic: group("Topics that a workspace defines itself.", topics),
  digest: word(
    "Say what changed in the reviews of an app: what rose, what is new, and quotes.",
    digest,
  ),
  verdict: word(
    "Say whether a release made people unhappy: exit code 0 is fine, 1 is worse, 2 is undecided.",
    verdict,
  ),
  listen: word(
    "Receive events on this machine: creates a channel, verifies and prints, and deletes it at the end.",
    listen,
  ),
  mcp: word(
    "Serve reviews, ratings and trends to an assistant over MCP (stdin and stdout), read-only.",
    mcp,
  ),
  deliveries: group("Read and repeat the deliveries of a channel.", deliveries),
  import: group("Reviews and ratings from files.", files),
  export: group("Everything that is stored, as files.", exports),
  apply: word(
    "Bring a workspace to the state that a file describes: creates, changes and, with --prune, removes, all of it or nothing. Exit code 0: done or nothing to do; 3 with --detailed-exit-code: changed.",
    apply,
  ),
  analyse: word(
    "Analyse again what an older version analysed; can be stopped and goes on from there.",
    analyse,
  ),
  adaptation: group(
    "Fine-tuning of the built-in sentiment on the reviews stored here.",
    adaptation,
  ),
  providers: word(
    "Show the state of the translator and the analysing provider, and their queues.",
    providers,
  ),
  translate: word(
    "Queue the reviews of an app that are neither English nor translated yet.",
    providers,
  ),
  completion: word(
    "Print a script for bash, zsh or fish that completes commands and options.",
    completion,
  ),
};

/** The commands that begin with this word. */
export async function loadCommands(name: string): Promise<readonly Command[]> {
  const word = commandWords[name];
  const { commands } = (await word?.load()) ?? { commands: [] };
  return commands
    .filter((command) => command.name.split(" ")[0] === name)
    .map((command) =>
      word?.isGroup ? command : { ...command, description: word?.description ?? "" },
    );
}

/** All of them, for documentation and completion. */
export async function loadAllCommands(): Promise<readonly Command[]> {
  return (await Promise.all(Object.keys(commandWords).map(loadCommands))).flat();
}

function word(description: string, load: CommandWord["load"]): CommandWord {
  return { description, isGroup: false, load };
}

function group(description: string, load: CommandWord["load"]): CommandWord {
  return { description, isGroup: true, load };
}
