// The service's own e-mails: a server that puts one off gets it again, and one that refuses it for good does not.
import { afterAll, beforeAll, expect, test } from "vitest";
import { type MailReply, openMailServer } from "../../test/support/mail-server.ts";
import { readConfig } from "../config/config.ts";
import { systemClock } from "../lib/clock.ts";
import { ResourceStack } from "../lib/resource-stack.ts";
import { openServiceMail } from "./service-mail.ts";

type MailServer = Awaited<ReturnType<typeof openMailServer>>;
let server: MailServer;
beforeAll(async () => {
  server = await openMailServer();
});
afterAll(() => server.close());

const later = { code: 450, text: "Greylisted, come back later" };
const busy = { code: 451, text: "Try again later" };
const never = { code: 550, text: "No such user" };

test.each<[string, { recipient?: MailReply; message?: MailReply }, number]>([
  ["the recipient is put off", { recipient: later }, 2],
  ["the message is put off", { message: busy }, 2],
  ["the recipient does not exist", { recipient: never }, 1],
])(
  "where %s, an e-mail is tried as often as it can help",
  async (_, { recipient, message }, tries) => {
    let count = 0;
    const once =
      (reply: MailReply = null) =>
      (): MailReply => {
        if (reply === null) return null;
        count += 1;
        return count === 1 || reply === never ? reply : null;
      };
    server.replyTo({ recipient: once(recipient), message: once(message) });
    const config = readConfig({
      env: {
        SMTP_URL: `smtp://127.0.0.1:${server.port}`,
        EMAIL_FROM: "starpost@example.com",
        PUBLIC_URL: "https://reviews.example.com",
      },
    });
    const resources = new ResourceStack();
    const waits: number[] = [];
    const delay = async (durationMs: number) => void waits.push(durationMs);
    const send = openServiceMail({ clock: systemClock, config }, resources, delay);
    const mailsBefore = server.mails.length;
    const link = { label: "Confirm", url: "https://reviews.example.com/mail/confirm/x" };
    const mail = { to: "new@customers.example", subject: "Confirm", paragraphs: ["Please."], link };
    const sent = await send?.(mail);
    const isTriedAgain = tries > 1;
    expect(sent).toMatchObject({
      isSent: false,
      reason: isTriedAgain ? expect.stringContaining("it is tried again") : expect.any(String),
    });
    if (isTriedAgain) await server.waitFor(mailsBefore + 1);
    await resources.closeAll();
    expect([count, waits.length, server.mails.length]).toEqual([
      ...[tries, tries - 1, mailsBefore + tries - 1],
    ]);
  },
);
