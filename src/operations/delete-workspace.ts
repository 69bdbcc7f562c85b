// Deletes a workspace with everything that is its own: channels with their pending deliveries, apps with the listings
// that no other workspace follows, credentials, keys, memberships. Accounts of people stay, and so does the audit log.
import type { Workspace } from "../domain/workspace.ts";
import { deleteRemovedListings } from "../use-cases/apps/removed-listings.ts";
import { recordAudit } from "../use-cases/audit.ts";
import { removeSqlUser } from "../use-cases/sql-users/sql-users.ts";
import { requireWorkspace } from "../use-cases/workspaces/workspaces.ts";
import { removeApp } from "./app.ts";
import { removeChannel } from "./channel.ts";
import { carryOut } from "./frame.ts";
import { type Actor, nameOfActor, type Operation, type OperationDeps } from "./operation.ts";

/**
 * One channel and one app after the other: each can be large. Running it again finishes an interrupted deletion.
 *
 * @throws AppError `invalid_input` or `not_found`
 */
export async function deleteWorkspace(
  operationDeps: OperationDeps,
  input: { id: string; actor: Actor },
): Promise<Pick<Workspace, "id" | "name"> & { channelCount: number; appCount: number }> {
  const { database } = operationDeps;
  const { actor } = input;
  const deps = { ...operationDeps, actor: nameOfActor(actor) };
  const { id, name } = await requireWorkspace(database, { field: "id", id: input.id });
  const scope = { workspaceId: id };
  // First, so that nothing of it is read any more.
  for (const key of await database.listApiKeys(scope)) {
    await database.revokeApiKey({ id: key.id, now: deps.clock.now() });
  }
  await database.notify("keys");
  for (const user of await database.listSqlUsers(scope)) {
    await removeSqlUser(deps, { id: user.id });
  }
  const remove = (operation: Operation<undefined>, thing: { id: string }) =>
    carryOut(operationDeps, operation, { ...scope, actor, id: thing.id, input: undefined });
  const channels = await database.listChannels(scope);
  for (const channel of channels) await remove(removeChannel, channel);
  const apps = await database.listApps(scope);
  for (const app of apps) await remove(removeApp, app);
  await deleteRemovedListings(database);
  await database.transaction(async (tx) => {
    await tx.removeFromQueue(await tx.deleteWorkspace(id));
    await recordAudit(deps, tx, "workspace.deleted", { id, workspaceId: id }, { name });
  });
  return { id, name, channelCount: channels.length, appCount: apps.length };
}
