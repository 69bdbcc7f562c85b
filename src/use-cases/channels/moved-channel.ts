// The owners of a workspace learn of each channel that is pointed elsewhere: signed events, or a bot's messages, go to
// another recipient from then on.
import type { Database } from "../../database/database.ts";
import type { Channel } from "../../domain/channel.ts";
import { messageOf } from "../../lib/errors.ts";
import type { Log } from "../../lib/log.ts";
import type { SendServiceMail } from "../service-mail.ts";

const ownersMax = 20;

/** Addresses for notices. */
export async function listOwnerAddresses(
  database: Pick<Database, "listMembers">,
  workspaceId: string,
): Promise<string[]> {
  const members = await database.listMembers(workspaceId);
  const owners = members.filter(({ role }) => role === "owner");
  return owners.slice(0, ownersMax).map(({ email }) => email);
}

/** Failures are logged: the channel has been changed already. Without a mail server it does nothing. */
export async function mailOwnersOfMove(
  deps: {
    database: Pick<Database, "listMembers" | "findWorkspace">;
    log: Log;
    sendMail: SendServiceMail | null;
    settings: { publicUrl: string | null };
  },
  { channel, actor }: { channel: Pick<Channel, "name" | "workspaceId">; actor: string },
): Promise<void> {
  const { database, log, sendMail, settings } = deps;
  const { publicUrl } = settings;
  if (sendMail === null || publicUrl === null) return;
  try {
    const workspace = await database.findWorkspace(channel.workspaceId);
    for (const to of await listOwnerAddresses(database, channel.workspaceId)) {
      const sent = await sendMail({
        to,
        subject: "A change that you should know of",
        paragraphs: [
          `${actor} changed where the channel "${channel.name}" of the workspace ${workspace?.name} sends its messages.`,
          "If you did not expect this, revoke the key and check the channel.",
        ],
        link: { label: "Open Starpost", url: publicUrl },
      });
      if (!sent.isSent) log.warn({ reason: sent.reason }, "a notice could not be sent by e-mail");
    }
  } catch (error) {
    log.warn({ reason: messageOf(error) }, "a notice could not be sent by e-mail");
  }
}
