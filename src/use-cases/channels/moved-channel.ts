// E-mails to the owners of a workspace about a channel that is pointed elsewhere: signed events, or a bot's messages, go to
// another recipient from then on.
import type { Database } from "../../database/database.ts";
import type { Channel } from "../../domain/channel.ts";
import type { Log } from "../../lib/log.ts";
import { listOwnerAddresses } from "../members/members.ts";
import { noticeSubject, type SendServiceMail, sendNotice } from "../service-mail.ts";

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
  const { name, workspaceId } = channel;
  await sendNotice({ log, sendMail }, async () => {
    const workspace = await database.findWorkspace(workspaceId);
    const mail = {
      subject: noticeSubject,
      paragraphs: [
        `${actor} changed where the channel "${name}" of the workspace ${workspace?.name} sends its messages.`,
        "If you did not expect this, revoke the key and check the channel.",
      ],
      link: { label: "Open Starpost", url: publicUrl },
    };
    return { addresses: await listOwnerAddresses(database, workspaceId), mail };
  });
}
