// Workspaces: making one, listing them, changing the plan.
import type { Keep } from "../keep/keep.ts";
import type { Clock } from "../lib/clock.ts";
import { uuidV7 } from "../lib/uuid.ts";
import { type Plan, plans, type Workspace } from "../reviews/workspace.ts";
import { nameLengthMax, notFound, readName, refuse, refuseFaults, refuseNoId } from "./refusal.ts";

export async function createWorkspace(
  rooms: { clock: Clock; keep: Pick<Keep, "insertWorkspace"> },
  given: { name: string; plan: string },
): Promise<Workspace> {
  const { name, faults } = readName(given.name, { field: "name", lengthMax: nameLengthMax });
  refuseFaults(faults);
  const createdAt = rooms.clock.now();
  const workspace = { id: uuidV7(createdAt), name, plan: readPlan(given.plan), createdAt };
  await rooms.keep.insertWorkspace(workspace);
  return workspace;
}

/** Takes effect with the next request of the workspace's keys, in every process. */
export async function setWorkspacePlan(
  keep: Pick<Keep, "setPlan" | "findWorkspace" | "notify">,
  given: { id: string; plan: string },
): Promise<Workspace> {
  refuseNoId("id", given.id);
  await keep.setPlan({ id: given.id, plan: readPlan(given.plan) });
  await keep.notify("keys");
  return requireWorkspace(keep, { field: "id", id: given.id });
}

export async function requireWorkspace(
  keep: Pick<Keep, "findWorkspace">,
  wanted: { field: string; id: string },
): Promise<Workspace> {
  refuseNoId(wanted.field, wanted.id);
  const workspace = await keep.findWorkspace(wanted.id);
  if (!workspace) throw notFound("workspace", wanted.id);
  return workspace;
}

/** null stays null: the operator's view of all workspaces. */
export async function checkScope(
  keep: Pick<Keep, "findWorkspace">,
  workspaceId: string | null,
): Promise<{ workspaceId: string | null }> {
  if (workspaceId !== null) await requireWorkspace(keep, { field: "workspace", id: workspaceId });
  return { workspaceId };
}

function readPlan(stated: string): Plan {
  const plan = plans.find((known) => known === stated);
  return plan ?? refuse("plan", `must be one of ${plans.join(", ")}`);
}
