// Existing channels of any type: found and listed.
import type { Database } from "../../database/database.ts";
import type { ListedChannel } from "../../domain/channel/channel.ts";
import { assertId, notFound } from "../../domain/validation-errors.ts";
import { requireScope } from "../workspaces/workspaces.ts";

type Scope = { workspaceId: string | null };

/** @throws AppError `not_found` without such a workspace */
export async function listChannels(
  database: Pick<Database, "findWorkspace" | "listChannels">,
  scope: Scope,
): Promise<ListedChannel[]> {
  return database.listChannels(await requireScope(database, scope.workspaceId));
}

/** @throws AppError `invalid_input` when it is not an id, `not_found` without such a channel */
export async function requireChannel(
  database: Pick<Database, "findChannel">,
  query: Scope & { id: string; field?: string },
): Promise<ListedChannel> {
  assertId(query.field ?? "id", query.id);
  const channel = await database.findChannel({ id: query.id, workspaceId: query.workspaceId });
  if (!channel) throw notFound("channel", query.id);
  return channel;
}
