// How much a workspace may have. Additions are counted under the workspace's lock: of two that add the last
// one at the same moment, one sees the other.
import type { DatabaseTransaction } from "../../database/database.ts";
import { AppError } from "../../domain/error.ts";
import { type WorkspaceLimits, workspaceLimitsDefault } from "../../domain/people/workspace.ts";
import type { Clock } from "../../lib/clock.ts";

export type LimitedDeps = {
  clock: Clock;
  /** By default those without settings. */
  workspaceLimits?: WorkspaceLimits;
};

const settingOf: Readonly<Record<keyof WorkspaceLimits, string>> = {
  apps: "WORKSPACE_APPS_MAX",
  channels: "WORKSPACE_CHANNELS_MAX",
  keys: "WORKSPACE_KEYS_MAX",
  members: "WORKSPACE_MEMBERS_MAX",
};

/** @throws AppError `conflict` when the workspace has as many as it may have */
export async function assertBelowLimit(
  { clock, workspaceLimits = workspaceLimitsDefault }: LimitedDeps,
  tx: Pick<DatabaseTransaction, "lockWorkspace" | "countWorkspaceContent">,
  { workspaceId, kind }: { workspaceId: string; kind: keyof WorkspaceLimits },
): Promise<void> {
  await tx.lockWorkspace(workspaceId);
  const count = await tx.countWorkspaceContent({ workspaceId, now: clock.now() });
  assertLimit({ workspaceLimits }, { kind, count: count[kind] + 1 });
}

/** @throws AppError `conflict` when a workspace with this number has too many */
export function assertLimit(
  { workspaceLimits = workspaceLimitsDefault }: Pick<LimitedDeps, "workspaceLimits">,
  { kind, count }: { kind: keyof WorkspaceLimits; count: number },
): void {
  const max = workspaceLimits[kind];
  if (count <= max) return;
  const message = `a workspace has at most ${max} ${kind} (${settingOf[kind]}): remove one first`;
  throw new AppError("conflict", message);
}
