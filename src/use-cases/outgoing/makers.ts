// Channels and API keys with the user who answers for each: its maker, or the owner who kept it after the maker left.
import type { Database } from "../../database/database.ts";
import type { ListedChannel } from "../../domain/channel/channel.ts";
import type { ApiKey } from "../../domain/people/workspace.ts";

export type Maker = {
  /** A user's id, or `cli` or the name of a program. */
  id: string;
  /** null: the account was deleted. */
  name: string | null;
  /** Whether it was a user who is not a member any more, or for a key not an owner. */
  hasLeft: boolean;
};

type Made<Resource> = Resource & { maker: Maker | null };

/** Keys that are revoked are left out. */
export async function listMade(
  database: Pick<Database, "listApiKeys" | "listChannels" | "listMakers">,
  workspaceId: string,
): Promise<{ channels: Made<ListedChannel>[]; keys: Made<ApiKey>[] }> {
  const channels = await database.listChannels({ workspaceId });
  const allKeys = await database.listApiKeys({ workspaceId });
  const keys = allKeys.filter(({ revokedAt }) => revokedAt === null);
  const subjects = [...channels, ...keys].map(({ id }) => id);
  const found = await database.listMakers({ workspaceId, subjects });
  const makers = new Map(found.map(({ subject, ...maker }) => [subject, maker]));
  const withMaker = <Resource extends { id: string }>(resource: Resource): Made<Resource> => ({
    ...resource,
    maker: makers.get(resource.id) ?? null,
  });
  return { channels: channels.map(withMaker), keys: keys.map(withMaker) };
}
