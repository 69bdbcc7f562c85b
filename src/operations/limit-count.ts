// How many of its resources a workspace may have, in the end: a set-up that replaces one at the limit is allowed.
import type { WorkspaceLimits } from "../domain/people/workspace.ts";
import { assertLimit } from "../use-cases/workspaces/workspace-limits.ts";
import type { OperationContext } from "./operation.ts";

/** By the settings of the installation; the frame holds the workspace's lock. */
export function limitCount(
  { deps, tx, workspaceId, now, ...context }: OperationContext,
  kind: keyof WorkspaceLimits,
): void {
  context.finally(`count of ${kind}`, async () => {
    const count = await tx.countWorkspaceContent({ workspaceId, now });
    assertLimit(deps, { kind, count: count[kind] });
  });
}
