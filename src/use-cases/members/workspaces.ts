// Workspaces: making one, listing them, changing the plan.
import type { Database } from "../../database/database.ts";
import {
  assertId,
  failField,
  failFields,
  nameLengthMax,
  notFound,
  readName,
} from "../../domain/validation-errors.ts";
import { type Plan, plans, type Workspace } from "../../domain/workspace.ts";
import type { Clock } from "../../lib/clock.ts";
import { uuidV7 } from "../../lib/uuid.ts";

export async function createWorkspace(
  deps: { clock: Clock; database: Pick<Database, "insertWorkspace"> },
  given: { name: string; plan: string },
): Promise<Workspace> {
  const { name, faults } = readName(given.name, { field: "name", lengthMax: nameLengthMax });
  failFields(faults);
  const createdAt = deps.clock.now();
  const workspace = { id: uuidV7(createdAt), name, plan: readPlan(given.plan), createdAt };
  await deps.database.insertWorkspace(workspace);
  return workspace;
}

/** Takes effect with the next request of the workspace's keys, in every process. */
export async function setWorkspacePlan(
  database: Pick<Database, "setPlan" | "findWorkspace" | "notify">,
  given: { id: string; plan: string },
): Promise<Workspace> {
  assertId("id", given.id);
  await database.setPlan({ id: given.id, plan: readPlan(given.plan) });
  await database.notify("keys");
  return requireWorkspace(database, { field: "id", id: given.id });
}

export async function requireWorkspace(
  database: Pick<Database, "findWorkspace">,
  wanted: { field: string; id: string },
): Promise<Workspace> {
  assertId(wanted.field, wanted.id);
  const workspace = await database.findWorkspace(wanted.id);
  if (!workspace) throw notFound("workspace", wanted.id);
  return workspace;
}

/** null stays null: the operator's view of all workspaces. */
export async function requireScope(
  database: Pick<Database, "findWorkspace">,
  workspaceId: string | null,
): Promise<{ workspaceId: string | null }> {
  if (workspaceId !== null)
    await requireWorkspace(database, { field: "workspace", id: workspaceId });
  return { workspaceId };
}

function readPlan(stated: string): Plan {
  const plan = plans.find((known) => known === stated);
  return plan ?? failField("plan", `must be one of ${plans.join(", ")}`);
}
