// All commands of `starpost`, as one table: help, parsing and documentation are held to it.
import type { Command } from "./command.ts";
import { adaptationCommands } from "./commands/adaptation.ts";
import { analyseCommands } from "./commands/analyse.ts";
import { appCommands } from "./commands/app.ts";
import { backupCommands } from "./commands/backup.ts";
import { channelCommands } from "./commands/channel.ts";
import { credentialCommands } from "./commands/credential.ts";
import { deliveryCommands } from "./commands/deliveries.ts";
import { fileCommands } from "./commands/files.ts";
import { keyCommands } from "./commands/key.ts";
import { providerCommands } from "./commands/providers.ts";
import { serviceCommands } from "./commands/service.ts";
import { userCommands } from "./commands/user.ts";
import { workspaceCommands } from "./commands/workspace.ts";

export const commands: readonly Command[] = [
  ...serviceCommands,
  ...backupCommands,
  ...userCommands,
  ...workspaceCommands,
  ...keyCommands,
  ...credentialCommands,
  ...appCommands,
  ...channelCommands,
  ...fileCommands,
  ...deliveryCommands,
  ...analyseCommands,
  ...adaptationCommands,
  ...providerCommands,
];

/** What the first word of two-word commands is about. */
export const groups: Readonly<Record<string, string>> = {
  user: "User accounts.",
  workspace: "Workspaces: who owns apps, keys and channels.",
  key: "API keys of a workspace.",
  credential: "Accounts of a workspace at the stores.",
  app: "Apps that a workspace follows.",
  channel: "Webhook channels.",
  import: "Reviews and ratings from files.",
  export: "Everything that is stored, as files.",
  deliveries: "What was sent to a channel.",
  adaptation: "Fine-tuning of the built-in sentiment on the reviews stored here.",
};
