// Gives a channel another URL and leaves the rest of it as it is.
import type { Database } from "../../database/database.ts";
import type { Channel } from "../../domain/channel/channel.ts";

/** The lock keeps the change of another caller. Null without the channel. */
export function moveChannel(
  { database }: { database: Pick<Database, "transaction"> },
  { id, workspaceId, url }: { id: string; workspaceId: string; url: string },
): Promise<Channel | null> {
  return database.transaction(async (tx) => {
    const channel = await tx.lockChannel({ id, workspaceId });
    if (channel) await tx.updateChannel({ ...channel, url });
    return channel;
  });
}
