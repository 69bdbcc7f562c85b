// Deletes a workspace with everything that is its own: channels with their pending deliveries, apps with the listings
// that no other workspace follows, credentials, keys, memberships. Accounts of people stay, and so does the audit log.
import type { Database } from "../../database/database.ts";
import type { Workspace } from "../../domain/workspace.ts";
import { removeApp } from "../apps/apps.ts";
import { deleteRemovedListings } from "../apps/removed-listings.ts";
import { type Actor, recordAudit } from "../audit.ts";
import { deleteChannel } from "../channels/channels.ts";
import { removeSqlUser } from "../sql-users/sql-users.ts";
import { requireWorkspace } from "./workspaces.ts";

/**
 * One channel and one app after the other: each can be large. Running it again finishes an interrupted deletion.
 *
 * @throws AppError `invalid_input` or `not_found`
 */
export async function deleteWorkspace(
  deps: Actor & { database: Database },
  input: { id: string },
): Promise<Pick<Workspace, "id" | "name"> & { channelCount: number; appCount: number }> {
  const { database } = deps;
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
  const channels = await database.listChannels(scope);
  for (const channel of channels) await deleteChannel(deps, { id: channel.id, ...scope });
  const apps = await database.listApps(scope);
  for (const app of apps) await removeApp(deps, { id: app.id, ...scope });
  await deleteRemovedListings(database);
  await database.transaction(async (tx) => {
    await tx.deleteWorkspace(id);
    await recordAudit(deps, tx, "workspace.deleted", { id, workspaceId: id }, { name });
  });
  return { id, name, channelCount: channels.length, appCount: apps.length };
}
