// Sends the service's own e-mails over the mail server of the settings, in the form of channels' e-mails.
import { randomUUID } from "node:crypto";
import { composeHtml, composeText } from "../delivery/channel-types/email/email-message.ts";
import type { MailResult } from "../delivery/channel-types/email/mail-result.ts";
import { openMailer } from "../delivery/channel-types/email/mailer.ts";
import type { Message } from "../delivery/channel-types/message/message.ts";
import { systemDelay } from "../lib/delay.ts";
import type { ResourceStack } from "../lib/resource-stack.ts";
import { minuteMs, secondMs } from "../lib/timestamp.ts";
import type { SendServiceMail } from "../use-cases/service-mail.ts";
import type { Container } from "./container.ts";
import { readMailSettings } from "./mail-settings.ts";

const timeoutMs = 10 * secondMs;
/** A server that greylists takes an e-mail minutes later. Links end after an hour at the earliest. */
const againAfterMs = [2 * minuteMs, 10 * minuteMs, 30 * minuteMs];

/** null without a mail server, or without PUBLIC_URL: a link must not be made of what a request says. */
export function openServiceMail(
  { clock, config }: Pick<Container, "clock" | "config">,
  resources: ResourceStack,
  delay = systemDelay,
): SendServiceMail | null {
  const settings = readMailSettings(config);
  if (settings === null || config.publicUrl === null) return null;
  const mailer = openMailer({ ...settings, timeoutMs });
  const closed = new AbortController();
  resources.add(() => {
    closed.abort();
    mailer.close();
  });

  async function sendLater(mail: Parameters<typeof mailer.send>[0]): Promise<void> {
    for (const durationMs of againAfterMs) {
      await delay(durationMs, closed.signal);
      if (closed.signal.aborted) return;
      const result = await mailer.send({ ...mail, now: clock.now() });
      if (result.kind !== "failed" || !isForNow(result)) return;
    }
  }
  return async ({ to, subject, paragraphs, link }) => {
    const message: Message = {
      heading: subject,
      url: null,
      tone: "neutral",
      blocks: paragraphs.map((text) => ({ kind: "text", text })),
      links: [link],
      threadId: null,
    };
    const mail = {
      id: randomUUID(),
      threadId: null,
      recipients: [to],
      stopUrl: null,
      subject,
      html: composeHtml(message),
      text: composeText(message),
      now: clock.now(),
      isFresh: () => true,
    };
    const result = await mailer.send(mail);
    if (result.kind !== "failed") return { isSent: true };
    if (!isForNow(result)) return { isSent: false, reason: result.reason };
    void sendLater(mail).catch(() => {});
    return { isSent: false, reason: `${result.reason}; it is tried again within the hour` };
  };
}

/** No answer changes a wrong password or a mailbox that does not exist. */
function isForNow({ cause, refused }: MailResult & { kind: "failed" }): boolean {
  return cause !== "credentials" && !refused.some(({ isForGood }) => isForGood);
}
