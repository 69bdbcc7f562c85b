// E-mail: the message as HTML and text, over the mail server of the settings. Facts: ADR 30.
import type { DatabaseTransaction } from "../../../database/database.ts";
import type { EndpointFacts } from "../../../domain/channel/delivery.ts";
import { type ResolvedEndpoint, retry, type Sent, unsent } from "../../send/endpoint.ts";
import { readEvent, unreadable } from "../chat-service.ts";
import { composeMessage } from "../message/compose-message.ts";
import { composeHtml, composeText } from "./email-message.ts";
import type { MailPace } from "./mail-pace.ts";
import { listDeferred, readMailResult } from "./mail-result.ts";
import type { Mailer } from "./mailer.ts";

/** The recipients of a channel's e-mails. */
export type MailAudience = {
  /** The channel's recipients who agreed; null without such a channel. */
  read(
    channelId: string,
  ): Promise<{ workspaceId: string; workspaceName: string; addresses: string[] } | null>;
  /** Where a recipient ends all e-mails of a workspace; null without a public URL. */
  stopUrl(recipient: { workspaceId: string; address: string }): string | null;
};

export type EmailDeps = {
  /** null without a mail server in the settings. */
  mailer: Mailer | null;
  mail: { audience: MailAudience } | null;
  pace: MailPace;
  queue: Pick<DatabaseTransaction, "findRecipientsLeft" | "saveRecipientsLeft">;
  publicUrl: string | null;
};

const textMax = 20_000;

export function resolveEmail(
  deps: EmailDeps,
  facts: EndpointFacts & { channelId: string },
): ResolvedEndpoint {
  const { url, host, channelId } = facts;
  const { mailer, mail, pace, queue, publicUrl } = deps;
  return {
    url,
    host,
    pace: pace.of(channelId),
    isDroppedBy410: false,
    async send({ delivery, now, isFresh }): Promise<Sent> {
      if (mailer === null || mail === null) return unsent(noServer);
      const audience = await mail.audience.read(channelId);
      if (audience === null || audience.addresses.length === 0) return unsent(nobodyAgreed);
      pace.note({ channelId, workspaceId: audience.workspaceId });
      const event = readEvent(delivery.body);
      if (event === null) return unsent(unreadable);
      const message = composeMessage(event, { publicUrl, textMax });
      const { workspaceId, workspaceName, addresses } = audience;
      const key = { channelId, deliveryId: delivery.id };
      const left = delivery.isRetry ? await queue.findRecipientsLeft(key) : null;
      const recipients = addresses.filter((address) => left?.includes(address) ?? true);
      if (recipients.length === 0) return noneLeft;
      const stop = { workspaceId, address: recipients.length === 1 ? (recipients[0] ?? "") : "" };
      const stopUrl = mail.audience.stopUrl(stop);
      const origin = { channel: event.channelName, workspace: workspaceName, stopUrl };
      const result = await mailer.send({
        id: delivery.id,
        threadId: message.threadId,
        recipients,
        stopUrl,
        subject: message.heading,
        html: composeHtml(message, origin),
        text: composeText(message, origin),
        now,
        isFresh,
      });
      if (result.kind === "stale") return result;
      // A process that dies before this sends it to all again: at least once, as everything else.
      const later = listDeferred(result).map(({ address }) => address);
      if (result.kind === "accepted" && later.length > 0) {
        await queue.saveRecipientsLeft({ ...key, addresses: later });
      }
      return readMailResult(result, { hasArrived: left !== null });
    },
  };
}

const nobodyAgreed = retry(
  "no recipient is a member or has confirmed yet, or all have unsubscribed",
);

/** Recipients that were put off have unsubscribed meanwhile. */
const noneLeft = unsent({ kind: "delivered" });

const noServer = retry("no mail server is set: SMTP_URL");
