// Sends the service's own e-mails over the mail server of the settings, in the form of channels' e-mails.
import { randomUUID } from "node:crypto";
import { composeHtml, composeText } from "../delivery/channel-types/email/email-message.ts";
import { openMailer } from "../delivery/channel-types/email/mailer.ts";
import type { Message } from "../delivery/channel-types/message/message.ts";
import type { ResourceStack } from "../lib/resource-stack.ts";
import { secondMs } from "../lib/timestamp.ts";
import type { SendServiceMail } from "../use-cases/service-mail.ts";
import type { Container } from "./container.ts";
import { readMailSettings } from "./mail-settings.ts";

const timeoutMs = 10 * secondMs;

/** null without a mail server, or without PUBLIC_URL: a link must not be made of what a request says. */
export function openServiceMail(
  { clock, config }: Pick<Container, "clock" | "config">,
  resources: ResourceStack,
): SendServiceMail | null {
  const settings = readMailSettings(config);
  if (settings === null || config.publicUrl === null) return null;
  const mailer = openMailer({ ...settings, timeoutMs });
  resources.add(async () => mailer.close());
  return async ({ to, subject, paragraphs, link }) => {
    const message: Message = {
      heading: subject,
      url: null,
      tone: "neutral",
      blocks: paragraphs.map((text) => ({ kind: "text", text })),
      links: [link],
      threadId: null,
    };
    const result = await mailer.send({
      id: randomUUID(),
      threadId: null,
      recipients: [to],
      stopUrl: null,
      subject,
      html: composeHtml(message),
      text: composeText(message),
      now: clock.now(),
      isFresh: () => true,
    });
    return result.kind === "failed" ? { isSent: false, reason: result.reason } : { isSent: true };
  };
}
