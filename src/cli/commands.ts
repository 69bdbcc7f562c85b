// All commands of `starpost` by their first word. A command line loads the one file that it needs: help and
// version answer without the database, the stores and the analysis.
import type { Command } from "./command.ts";

type Commands = () => Promise<readonly Command[]>;

/** `isGroup`: commands of two words, such as `app add`. */
export type CommandWord = { description: string; isGroup: boolean; load: Commands };

const service: Commands = async () => (await import("./commands/service.ts")).serviceCommands;
const backup: Commands = async () => (await import("./commands/backup.ts")).backupCommands;
const distribute: Commands = async () =>
  (await import("./commands/distribute.ts")).distributeCommands;
const audit: Commands = async () => (await import("./commands/audit.ts")).auditCommands;
const status: Commands = async () => (await import("./commands/status.ts")).statusCommands;
const user: Commands = async () => (await import("./commands/user.ts")).userCommands;
const workspace: Commands = async () => (await import("./commands/workspace.ts")).workspaceCommands;
const key: Commands = async () => (await import("./commands/key.ts")).keyCommands;
const credential: Commands = async () =>
  (await import("./commands/credential.ts")).credentialCommands;
const app: Commands = async () => (await import("./commands/app.ts")).appCommands;
const channel: Commands = async () => (await import("./commands/channel.ts")).channelCommands;
const review: Commands = async () => (await import("./commands/review.ts")).reviewCommands;
const incident: Commands = async () => (await import("./commands/incident.ts")).incidentCommands;
const files: Commands = async () => (await import("./commands/files.ts")).fileCommands;
const topics: Commands = async () => (await import("./commands/topics.ts")).topicCommands;
const digest: Commands = async () => (await import("./commands/digest.ts")).digestCommands;
const listen: Commands = async () => (await import("./commands/listen.ts")).listenCommands;
const mcp: Commands = async () => (await import("./commands/mcp.ts")).mcpCommands;
const completion: Commands = async () =>
  (await import("./commands/completion.ts")).createCompletionCommands(loadAllCommands);
const deliveries: Commands = async () =>
  (await import("./commands/deliveries.ts")).deliveryCommands;
const analyse: Commands = async () => (await import("./commands/analyse.ts")).analyseCommands;
const adaptation: Commands = async () =>
  (await import("./commands/adaptation.ts")).adaptationCommands;
const providers: Commands = async () => (await import("./commands/providers.ts")).providerCommands;

/** In the order of the help. A test compares the descriptions of single words with their commands. */
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
  audit: group("Who did what.", audit),
  user: group("User accounts.", user),
  workspace: group("Workspaces: who owns apps, keys and channels.", workspace),
  review: group("Reviews whose authors ask for their removal.", review),
  key: group("API keys of a workspace.", key),
  credential: group("Accounts of a workspace at the stores.", credential),
  app: group("Apps that a workspace follows.", app),
  collect: word(
    "Crawl an app once, now: per feed its outcome, pages, new and edited reviews.",
    app,
  ),
  incident: group("Changes of a store's layout that hold reviews back.", incident),
  channel: group("Webhook channels.", channel),
  topics: word(
    "List the topics that reviews are sorted into, for --topics and the read API.",
    topics,
  ),
  topic: group("Topics that a workspace defines itself.", topics),
  digest: word(
    "Say what changed in the reviews of an app: what rose, what is new, and quotes.",
    digest,
  ),
  listen: word(
    "Receive events on this machine: creates a channel, verifies and prints, and deletes it at the end.",
    listen,
  ),
  mcp: word(
    "Serve reviews, ratings and trends to an assistant over MCP (stdin and stdout), read-only.",
    mcp,
  ),
  deliveries: group("What was sent to a channel.", deliveries),
  import: group("Reviews and ratings from files.", files),
  export: group("Everything that is stored, as files.", files),
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
  const commands = (await commandWords[name]?.load()) ?? [];
  return commands.filter((command) => command.name.split(" ")[0] === name);
}

/** All of them, for documentation and completion. */
export async function loadAllCommands(): Promise<readonly Command[]> {
  return (await Promise.all(Object.keys(commandWords).map(loadCommands))).flat();
}

function word(description: string, load: Commands): CommandWord {
  return { description, isGroup: false, load };
}

function group(description: string, load: Commands): CommandWord {
  return { description, isGroup: true, load };
}
