// Workspaces and their plan.
import type { Plan, Workspace, WorkspaceLimits } from "../../domain/workspace.ts";
import { type Db, execute, queryFirstRow, queryRows } from "../query.ts";

const columns = `id, name, plan, created_at as "createdAt"`;

export async function insertWorkspace(db: Db, workspace: Workspace): Promise<void> {
  await queryRows(
    db,
    "insertWorkspace",
    "insert into workspaces (id, name, plan, created_at) values ($1, $2, $3, $4)",
    [workspace.id, workspace.name, workspace.plan, workspace.createdAt],
  );
}

export function listWorkspaces(db: Db): Promise<Workspace[]> {
  return queryRows(db, "listWorkspaces", `select ${columns} from workspaces order by id`);
}

export function findWorkspace(db: Db, id: string): Promise<Workspace | null> {
  return queryFirstRow(db, "findWorkspace", `select ${columns} from workspaces where id = $1`, [
    id,
  ]);
}

export async function setPlan(db: Db, change: { id: string; plan: Plan }): Promise<boolean> {
  const count = await execute(db, "setPlan", "update workspaces set plan = $2 where id = $1", [
    change.id,
    change.plan,
  ]);
  return count === 1;
}

export async function renameWorkspace(db: Db, change: { id: string; name: string }): Promise<void> {
  await queryRows(db, "renameWorkspace", "update workspaces set name = $2 where id = $1", [
    change.id,
    change.name,
  ]);
}

/**
 * How much of each kind the workspace has; keys that are neither revoked nor over.
 *
 * @throws AppError `unavailable` while the database is away
 */
export async function countWorkspaceContent(
  db: Db,
  query: { workspaceId: string; now: Date },
): Promise<WorkspaceLimits> {
  const found = await queryFirstRow<WorkspaceLimits>(
    db,
    "countWorkspaceContent",
    `select (select count(*) from apps where workspace_id = $1) as apps,
       (select count(*) from channels where workspace_id = $1) as channels,
       (select count(*) from members where workspace_id = $1) as members,
       (select count(*) from api_keys where workspace_id = $1 and revoked_at is null
          and (ends_at is null or ends_at > $2)) as keys`,
    [query.workspaceId, query.now],
  );
  if (!found) throw new Error("a select without from gave no row");
  return found;
}

/** With what is its own and not deleted yet; listings that it left stay for others. */
export async function deleteWorkspace(db: Db, id: string): Promise<void> {
  await queryRows(db, "deleteWorkspace", "delete from workspaces where id = $1", [id]);
}

/** Locks the workspace until the transaction ends: changes to its apps and members take turns. */
export async function lockWorkspace(db: Db, id: string): Promise<void> {
  await queryRows(
    db,
    "lockWorkspace",
    "select id from workspaces where id = $1 for no key update",
    [id],
  );
}
