// Finds a workspace that a request names.
import type { Database } from "../../database/database.ts";
import type { Workspace } from "../../domain/people/workspace.ts";
import { assertId, notFound } from "../../domain/validation-errors.ts";

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
