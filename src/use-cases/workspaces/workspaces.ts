// Workspaces: making one, finding one, changing the plan.
import type { Database } from "../../database/database.ts";
import { assertId, notFound, parseField, parseInput } from "../../domain/validation-errors.ts";
import { planSchema, type Workspace, workspaceInputSchema } from "../../domain/workspace.ts";
import type { Clock } from "../../lib/clock.ts";
import { uuidV7 } from "../../lib/uuid.ts";

/** @throws AppError `invalid_input` */
export async function createWorkspace(
  deps: { clock: Clock; database: Pick<Database, "insertWorkspace"> },
  input: { name: string; plan: string },
): Promise<Workspace> {
  const createdAt = deps.clock.now();
  const workspace = {
    id: uuidV7(createdAt),
    ...parseInput(workspaceInputSchema, input),
    createdAt,
    requiresSecondFactor: false,
  };
  await deps.database.insertWorkspace(workspace);
  return workspace;
}

/**
 * Takes effect with the next request of the workspace's keys, in every process.
 *
 * @throws AppError `invalid_input` or `not_found`
 */
export async function setWorkspacePlan(
  database: Pick<Database, "setPlan" | "findWorkspace" | "notify">,
  input: { id: string; plan: string },
): Promise<Workspace> {
  assertId("id", input.id);
  const plan = parseField(planSchema, { field: "plan", value: input.plan });
  await database.setPlan({ id: input.id, plan });
  await database.notify("keys");
  return requireWorkspace(database, { field: "id", id: input.id });
}

/**
 * @param query.field the name of the id in the input
 * @throws AppError `invalid_input` when it is not an id, `not_found` without such a workspace
 */
export async function requireWorkspace(
  database: Pick<Database, "findWorkspace">,
  { field = "workspace", id }: { field?: string; id: string },
): Promise<Workspace> {
  assertId(field, id);
  const workspace = await database.findWorkspace(id);
  if (!workspace) throw notFound("workspace", id);
  return workspace;
}

/**
 * The scope of a list: one workspace that exists, or null for the operator's view of all.
 *
 * @throws AppError `invalid_input` or `not_found`
 */
export async function requireScope(
  database: Pick<Database, "findWorkspace">,
  workspaceId: string | null,
): Promise<{ workspaceId: string | null }> {
  if (workspaceId !== null) await requireWorkspace(database, { id: workspaceId });
  return { workspaceId };
}
