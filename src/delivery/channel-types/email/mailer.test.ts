// The mailer on the wire: an attempt is one use of the mail server, whatever that does, and the envelope is one that every server
// takes.
import { describe, expect, onTestFinished, test } from "vitest";
import {
  type MailFault,
  type MailStage,
  mailFaults,
  mailStages,
  openFaultyMailServer,
} from "../../../../test/support/faulty-mail-server.ts";
import { patience } from "../../../../test/support/patience.ts";
import { takeTurn } from "../../../../test/support/volume.ts";
import { monotonicMs } from "../../../lib/clock.ts";
import { type Mailer, openMailer } from "./mailer.ts";

const mail = {
  id: "delivery-1",
  threadId: null,
  recipients: ["team@example.com"],
  stopUrl: null,
  subject: "Invented",
  html: "<p>Invented</p>",
  text: "Invented",
  now: new Date("2026-03-02T12:00:00Z"),
  isFresh: () => true,
};

function openTestMailer(
  port: number,
  more: { from?: string; timeoutMs?: number; clientName?: string } = {},
): Mailer {
  const { from = "Starpost <starpost@example.com>", timeoutMs = patience(5_000) } = more;
  const server = { host: "127.0.0.1", port, isSecure: false, auth: null };
  return openMailer({
    server: { ...server, clientName: more.clientName ?? null },
    from,
    timeoutMs,
  });
}

type Case = {
  stage: MailStage;
  fault: MailFault;
  delayMs: number;
  isUsed: boolean;
  count: number;
  isAtOnce: boolean;
};
const cases: Case[] = mailStages.flatMap((stage) =>
  (Object.keys(mailFaults) as MailFault[]).flatMap((fault) =>
    [0, 150].flatMap((delayMs) =>
      [false, true]
        // A connection that is used has been greeted.
        .filter((isUsed) => !(isUsed && (stage === "greeting" || stage === "EHLO")))
        .flatMap((isUsed) =>
          [
            { count: 1, isAtOnce: false },
            { count: 3, isAtOnce: false },
            { count: 3, isAtOnce: true },
          ].map((amount) => ({ stage, fault, delayMs, isUsed, ...amount })),
        ),
    ),
  ),
);

describe("an attempt is one use of the server", () => {
  // Each has a server of its own, and most of its time is waiting.
  test.concurrent.for(takeTurn(cases, new Date().getMinutes()))(
    "that $fault at $stage, after $delayMs ms, used: $isUsed, $count e-mails, at once: $isAtOnce",
    async ({ stage, fault, delayMs, isUsed, count, isAtOnce }, { onTestFinished }) => {
      const goodCount = isUsed ? 1 : 0;
      const server = await openFaultyMailServer({ stage, fault, delayMs, goodCount });
      const timeoutMs = fault === "says nothing" ? 400 : patience(5_000);
      const mailer = openTestMailer(server.port, { timeoutMs });
      onTestFinished(async () => {
        mailer.close();
        await server.close();
      });
      let attemptCount = 0;
      async function attempt(): Promise<void> {
        // As the dispatcher does: a claim that is old before anything was sent is claimed again.
        for (let isStale = true; isStale; ) {
          const claimedMs = monotonicMs();
          const isFresh = (): boolean => monotonicMs() - claimedMs < patience(100);
          isStale = (await mailer.send({ ...mail, isFresh })).kind === "stale";
        }
        attemptCount += 1;
      }
      if (isUsed) await attempt();
      if (isAtOnce) await Promise.all(Array.from({ length: count }, attempt));
      else for (let index = 0; index < count; index += 1) await attempt();
      expect(server.useCount()).toBe(attemptCount);
    },
  );
});

test("the domains of both addresses are in ASCII, and a refusal names the address as it was entered", async () => {
  const server = await openFaultyMailServer({
    stage: "RCPT",
    fault: "puts off",
    delayMs: 0,
    goodCount: 1,
  });
  const mailer = openTestMailer(server.port, { from: "Wächter <starpost@münchen.example>" });
  onTestFinished(async () => {
    mailer.close();
    await server.close();
  });
  const recipients = ["ann@exämple.com", "bob@例え.jp"];
  await mailer.send({ ...mail, recipients });
  expect(server.lines).toContain("MAIL FROM:<starpost@xn--mnchen-3ya.example>");
  expect(server.lines.filter((line) => line.startsWith("RCPT"))).toEqual([
    "RCPT TO:<ann@xn--exmple-cua.com>",
    "RCPT TO:<bob@xn--r8jz45g.jp>",
  ]);
  const refused = await mailer.send({ ...mail, recipients });
  expect(refused).toMatchObject({ refused: recipients.map((address) => ({ address })) });
});

test("the server is greeted with the name of the settings", async () => {
  const server = await openFaultyMailServer();
  const mailer = openTestMailer(server.port, { clientName: "reviews.example.com" });
  onTestFinished(async () => {
    mailer.close();
    await server.close();
  });
  expect(await mailer.send(mail)).toMatchObject({ kind: "accepted" });
  expect(server.lines[0]).toBe("EHLO reviews.example.com");
});
