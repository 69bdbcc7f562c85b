// E-mails as a real SMTP server gets them, and what its replies mean.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import {
  aDigestEvent,
  aDropEvent,
  aReviewEvent,
  oddTexts,
} from "../../../../test/support/channel-events.ts";
import {
  type MailServerDouble,
  openMailServer,
  readParts,
} from "../../../../test/support/mail-server.ts";
import type { ChannelEvent } from "../../../domain/channel/channel-event.ts";
import type { DueDelivery, EndpointFacts } from "../../../domain/channel/delivery.ts";
import { escapeHtml } from "../../../lib/escape-html.ts";
import { resolveEmail } from "./email.ts";
import { createMailPace } from "./mail-pace.ts";
import { type Mailer, openMailer } from "./mailer.ts";

const now = new Date("2026-03-02T12:00:00Z");
const user = { name: "starpost", password: "invented: p@ss" };
const from = "Starpost <starpost@example.com>";
let server: MailServerDouble;
let mailer: Mailer;
let left: string[] | null = null;

beforeAll(async () => {
  server = await openMailServer({ user });
  mailer = openTestMailer(5_000);
});
beforeEach(() => {
  left = null;
  server.replyTo({});
});
afterAll(async () => {
  mailer.close();
  await server.close();
});

function openTestMailer(timeoutMs: number, password = user.password): Mailer {
  const auth = { user: user.name, pass: password };
  const mailServer = {
    host: "127.0.0.1",
    port: server.port,
    isSecure: false,
    clientName: null,
    auth,
  };
  return openMailer({ server: mailServer, from, timeoutMs });
}

async function send(
  event: ChannelEvent,
  options: {
    mailer?: Mailer;
    recipients?: string[];
    isFresh?: () => boolean;
    isRetry?: boolean;
  } = {},
) {
  const { recipients = ["team@example.com", "lead@example.com"], isFresh = () => true } = options;
  const { isRetry = false } = options;
  const facts = { type: "email", url: "", host: "email" } as unknown as EndpointFacts;
  const workspaceId = "workspace-1";
  const audience = {
    read: async () => ({ workspaceId, workspaceName: "Harbour & Sons", addresses: recipients }),
    stopUrl: ({ address }: { address: string }) => `https://starpost.example/mail/stop/${address}`,
  };
  const publicUrl = "https://starpost.example";
  const queue = {
    findRecipientsLeft: async () => left,
    saveRecipientsLeft: async ({ addresses }: { addresses: readonly string[] }) => {
      left = [...addresses];
    },
  };
  const deps = { mailer: options.mailer ?? mailer, mail: { audience }, queue, publicUrl };
  const channel = { ...facts, channelId: "channel-1" };
  const endpoint = resolveEmail({ ...deps, pace: createMailPace() }, channel);
  const body = Buffer.from(JSON.stringify(event));
  const delivery = { id: "delivery-1", body, isRetry } as DueDelivery;
  return endpoint.send({ delivery, now, isFresh, isRepeat: false });
}

describe("what a mail server gets", () => {
  test("one message to all, as HTML and text, that programs can thread and recognize as automatic", async () => {
    const event = aReviewEvent({ translatedText: "Never right.", translatedFrom: "de" });
    const sent = await send(event);
    expect(sent).toMatchObject({ outcome: { kind: "delivered" }, reason: null });
    expect(sent.kind === "answered" && String(sent.answer)).toMatch(/^250 /);
    const mail = server.mails.at(-1);
    expect(mail).toMatchObject({
      from: "starpost@example.com",
      to: ["team@example.com", "lead@example.com"],
    });
    const { headers, html, text } = readParts(mail?.source ?? "");
    for (const header of [
      "From: Starpost <starpost@example.com>",
      "To: team@example.com, lead@example.com",
      "Message-ID: <delivery-1@example.com>",
      `References: <review-${event.review.id}@example.com>`,
      "Auto-Submitted: auto-generated",
      "Date: Mon, 02 Mar 2026 12:00:00 +0000",
    ])
      expect(headers).toContain(header);
    for (const part of ["★★☆☆☆", "Good *tides*", "The tide table is wrong.", "Never right."]) {
      expect(html).toContain(part);
      expect(text).toContain(part);
    }
    expect(text).toContain("App Store: https://apps.apple.com/de/app/id1234567890");
    expect(html).toContain("prefers-color-scheme: dark");
  });

  test("how to unsubscribe: with one click where there is one recipient", async () => {
    await send(aReviewEvent());
    const toAll = readParts(server.mails.at(-1)?.source ?? "").headers;
    expect(toAll).toContain("List-Unsubscribe: <https://starpost.example/mail/stop/>");
    expect(toAll).not.toContain("List-Unsubscribe-Post");
    const shown = readParts(server.mails.at(-1)?.source ?? "");
    const named = "Sent by Starpost: channel “Invented” of “Harbour";
    for (const part of [shown.html, shown.text]) {
      expect(part).toContain(named);
      expect(part).toContain("Stop these e-mails");
      expect(part).toContain("https://starpost.example/mail/stop/");
    }
    expect(shown.html).toContain("“Harbour &amp; Sons”");
    await send(aReviewEvent(), { recipients: ["team@example.com"] });
    const toOne = readParts(server.mails.at(-1)?.source ?? "").headers;
    expect(toOne).toContain(
      "List-Unsubscribe: <https://starpost.example/mail/stop/team@example.com>",
    );
    expect(toOne).toContain("List-Unsubscribe-Post: List-Unsubscribe=One-Click");
  });

  test("nothing when no recipient has agreed", async () => {
    const count = server.mails.length;
    expect(await send(aReviewEvent(), { recipients: [] })).toMatchObject({
      outcome: { kind: "retry", reason: expect.stringContaining("no recipient") },
    });
    expect(server.mails).toHaveLength(count);
  });

  test.each(Object.entries(oddTexts))("%s literally", async (_, odd) => {
    await send(aReviewEvent({ text: odd, title: odd, author: odd }));
    const { html, text } = readParts(server.mails.at(-1)?.source ?? "");
    expect(html).toContain(escapeHtml(odd));
    expect(text).toContain(odd);
    expect(html.match(/<script|<b>/g)).toBeNull();
  });

  test("a chart, and no header that a name could add", async () => {
    const event = aDropEvent();
    const name = "App\r\nBcc: victim@example.com";
    await send({ ...event, app: { ...event.app, name } });
    const mail = server.mails.at(-1);
    const { headers, html } = readParts(mail?.source ?? "");
    expect(headers).not.toMatch(/^Bcc:/m);
    expect(mail?.to).not.toContain("victim@example.com");
    expect(html).toContain("before ██████████░░░░░░░░░░ 4.52");
  });

  test.each(Object.entries(oddTexts))("a digest, with %s as it was written", async (_, odd) => {
    const quote = odd.slice(0, 280);
    await send(aDigestEvent(quote));
    const { headers, html, text } = readParts(server.mails.at(-1)?.source ?? "");
    expect(headers).toContain("Subject: Weekly digest: 23 Feb to 1 Mar");
    expect(html).toContain(escapeHtml(quote));
    expect(html.match(/<script|<b>/g)).toBeNull();
    expect(html).toContain('<h2 dir="auto"><a href="https://starpost.example/w/');
    expect(text).toContain(`> ★☆☆☆☆ `);
    expect(text).toContain(quote.split("\n", 1)[0]);
  });

  test("the next one over the same connection", async () => {
    await send(aReviewEvent());
    const before = server.connectionCount();
    await send(aReviewEvent());
    expect(server.connectionCount()).toBe(before);
  });

  test("nothing when what it was made of grew old", async () => {
    const count = server.mails.length;
    expect(await send(aReviewEvent(), { isFresh: () => false })).toEqual({ kind: "stale" });
    expect(server.mails).toHaveLength(count);
  });
});

describe("what a reply means", () => {
  test("a refused mailbox is unreachable, one that is busy is tried again", async () => {
    server.replyTo({ recipient: () => ({ code: 550, text: "5.1.1 no such user" }) });
    expect(await send(aReviewEvent())).toMatchObject({
      outcome: { kind: "unreachable", reason: expect.stringContaining("5.1.1 no such user") },
    });
    server.replyTo({ recipient: () => ({ code: 450, text: "4.2.1 greylisted" }) });
    expect(await send(aReviewEvent())).toMatchObject({
      outcome: { kind: "retry", reason: expect.stringContaining("greylisted") },
    });
  });

  test("one refused of several is said, and the others have it", async () => {
    const no = { code: 550, text: "5.1.1 no such user" };
    server.replyTo({ recipient: (address) => (address.startsWith("lead") ? no : null) });
    const sent = await send(aReviewEvent());
    expect(sent).toMatchObject({ outcome: { kind: "delivered" } });
    expect(sent.kind === "answered" && String(sent.answer)).toContain("no such user");
    expect(server.mails.at(-1)?.to).toEqual(["team@example.com"]);
  });

  test("recipients who are put off get it later, alone, and the others once", async () => {
    const later = { code: 451, text: "4.7.1 greylisted" };
    const never = { code: 550, text: "5.1.1 no such user" };
    const recipients = ["team@example.com", "lead@example.com", "old@example.com"];
    server.replyTo({
      recipient: (address) =>
        address.startsWith("lead") ? later : address.startsWith("old") ? never : null,
    });
    const event = aReviewEvent();
    expect(await send(event, { recipients })).toMatchObject({
      outcome: {
        kind: "retry",
        reason: expect.stringMatching(/^put off for lead@example.com: .*greylisted/),
      },
    });
    expect(server.mails.at(-1)?.to).toEqual(["team@example.com"]);
    server.replyTo({});
    const retried = await send(event, { recipients, isRetry: true });
    expect(retried).toMatchObject({ outcome: { kind: "delivered" } });
    expect(server.mails.at(-1)?.to).toEqual(["lead@example.com"]);
  });

  test("a recipient who was put off and is refused for good, or has unsubscribed, ends a delivery that others have", async () => {
    left = ["lead@example.com"];
    server.replyTo({ recipient: () => ({ code: 554, text: "5.7.1 not wanted" }) });
    const refused = await send(aReviewEvent(), { isRetry: true });
    expect(refused).toMatchObject({ outcome: { kind: "delivered" }, reason: null });
    expect(refused.kind === "answered" && String(refused.answer)).toContain("not wanted");
    const count = server.mails.length;
    const recipients = ["team@example.com"];
    expect(await send(aReviewEvent(), { isRetry: true, recipients })).toMatchObject({
      outcome: { kind: "delivered" },
    });
    expect(server.mails).toHaveLength(count);
  });

  test("with all of them put off or refused, no recipient is left out at the next attempt", async () => {
    const reply = (address: string) =>
      address.startsWith("team")
        ? { code: 550, text: "5.1.1 no such user" }
        : { code: 452, text: "4.2.2 mailbox full" };
    server.replyTo({ recipient: reply });
    expect(await send(aReviewEvent())).toMatchObject({
      outcome: { kind: "retry", reason: expect.stringContaining("mailbox full") },
    });
    expect(left).toBeNull();
  });

  test("a refused message, a wrong password, silence and no server are tried again", async () => {
    server.replyTo({ message: () => ({ code: 451, text: "4.3.0 try later" }) });
    expect(await send(aReviewEvent())).toMatchObject({ outcome: { kind: "retry" } });
    server.replyTo({ recipient: () => "silence" });
    const hasty = openTestMailer(300);
    expect(await send(aReviewEvent(), { mailer: hasty })).toMatchObject({
      isTimeout: true,
      reason: "no answer within 0.3 s",
    });
    const stranger = openTestMailer(5_000, "wrong-password-7");
    const refused = await send(aReviewEvent(), { mailer: stranger });
    const shown = "reason" in refused ? `${refused.reason} ${refused.answer}` : "";
    expect(shown).toContain("doesn't accept user or password");
    expect(shown).not.toContain(btoa(`\0${user.name}\0wrong-password-7`).slice(16, -4));
    expect(refused).toMatchObject({ outcome: { kind: "retry" } });
    expect(JSON.stringify(refused)).not.toContain("wrong");
    const gone = openMailer({
      server: { host: "127.0.0.1", port: 1, isSecure: false, clientName: null, auth: null },
      from,
      timeoutMs: 5_000,
    });
    expect(await send(aReviewEvent(), { mailer: gone })).toMatchObject({
      outcome: { kind: "retry", reason: expect.stringMatching(/mail server/) },
    });
  });
});
