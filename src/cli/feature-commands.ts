// The commands of features, by the file that command-words.json names: a line for each.
import type { Command } from "./command.ts";

export const featureCommands: Readonly<Record<string, () => Promise<{ commands: Command[] }>>> = {
  backup: () => import("../features/backup/commands.ts"),
  demo: () => import("../features/demo/commands.ts"),
  digests: () => import("../features/digests/commands.ts"),
  doctor: () => import("../features/doctor/commands.ts"),
  exports: () => import("../features/exports/commands.ts"),
  imports: () => import("../features/imports/commands.ts"),
  listen: () => import("../features/listen/commands.ts"),
  mcp: () => import("../features/mcp/commands.ts"),
  providers: () => import("../features/providers/commands.ts"),
  report: () => import("../features/report/commands.ts"),
  "learned-shapes": () => import("../features/learned-shapes/commands.ts"),
  "store-accounts": () => import("../features/store-accounts/commands.ts"),
  "setup-document": () => import("../features/setup-document/commands.ts"),
  "sql-users": () => import("../features/sql-users/commands.ts"),
  triage: () => import("../features/triage/commands.ts"),
  verdict: () => import("../features/verdict/commands.ts"),
  replies: () => import("../features/replies/commands.ts"),
  "own-topics": () => import("../features/own-topics/commands.ts"),
};
