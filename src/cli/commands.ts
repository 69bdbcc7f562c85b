// All commands of `starpost`, as one table: help, parsing and documentation are held to it.
import type { Command } from "./command.ts";
import { appCommands } from "./commands/app.ts";
import { channelCommands } from "./commands/channel.ts";
import { deliveryCommands } from "./commands/deliveries.ts";
import { fileCommands } from "./commands/files.ts";
import { keyCommands } from "./commands/key.ts";
import { serviceCommands } from "./commands/service.ts";
import { workspaceCommands } from "./commands/workspace.ts";

export const commands: readonly Command[] = [
  ...serviceCommands,
  ...workspaceCommands,
  ...keyCommands,
  ...appCommands,
  ...channelCommands,
  ...fileCommands,
  ...deliveryCommands,
];

/** What the first word of two-word commands is about. */
export const groups: Readonly<Record<string, string>> = {
  workspace: "Workspaces: who owns apps, keys and channels.",
  key: "API keys of a workspace.",
  app: "Apps that a workspace follows.",
  channel: "Webhook channels.",
  import: "Reviews and ratings from files.",
  export: "Everything that is kept, as files.",
  deliveries: "What was sent to a channel.",
};
