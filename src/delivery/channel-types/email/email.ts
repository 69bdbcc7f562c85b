// E-mail: the message as HTML and text, over the mail server of the settings. Facts: docs/channels.md.
import type { EndpointFacts } from "../../../domain/delivery.ts";
import { type ResolvedEndpoint, type Sent, unsent } from "../../resolved-endpoint.ts";
import { readEvent, unreadable } from "../chat-service.ts";
import { composeMessage } from "../message/compose-message.ts";
import { composeHtml, composeText } from "./email-message.ts";
import { readMailResult } from "./mail-result.ts";
import type { Mailer } from "./mailer.ts";

export type EmailDeps = {
  /** null without a mail server in the settings. */
  mailer: Mailer | null;
  publicUrl: string | null;
};

/** Mail servers count by sender: all channels share the pace. */
const intervalMs = 200;
const textMax = 20_000;

export function resolveEmail(deps: EmailDeps, facts: EndpointFacts): ResolvedEndpoint {
  const { url, host, recipients } = facts;
  const { mailer, publicUrl } = deps;
  return {
    url,
    host,
    pace: { key: "email", intervalMs },
    isDroppedBy410: false,
    async send({ delivery, now, isFresh }): Promise<Sent> {
      if (mailer === null) return unsent(noServer);
      const event = readEvent(delivery.body);
      if (event === null) return unsent(unreadable);
      const message = composeMessage(event, { publicUrl, textMax });
      const result = await mailer.send({
        id: delivery.id,
        threadId: message.threadId,
        recipients,
        subject: message.heading,
        html: composeHtml(message),
        text: composeText(message),
        now,
        isFresh,
      });
      return result.kind === "stale" ? result : readMailResult(result);
    },
  };
}

const noServer = {
  kind: "retry",
  reason: "no mail server is set: SMTP_URL",
  retryAfterMs: null,
  isThrottled: false,
} as const;
