// The service's own e-mails, through a real SMTP server: links to a new password, and invitations.
import { hash } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import {
  type DashboardClient,
  type DashboardFixture,
  openDashboardFixture,
  password,
} from "../../../test/support/dashboard.ts";
import {
  type MailServerDouble,
  openMailServer,
  readParts,
} from "../../../test/support/mail-server.ts";
import { MovableClock } from "../../../test/support/movable-clock.ts";
import { hourMs } from "../../lib/timestamp.ts";

const publicUrl = "https://reviews.example.com";
const newPassword = "Eighteen-loud-herons";

let world: DashboardFixture;
let mailServer: MailServerDouble;
const clock = new MovableClock(new Date("2026-03-02T12:00:00Z"));

beforeAll(async () => {
  mailServer = await openMailServer();
  world = await openDashboardFixture({
    clock,
    env: {
      SMTP_URL: `smtp://127.0.0.1:${mailServer.port}`,
      EMAIL_FROM: "Starpost <starpost@example.com>",
      PUBLIC_URL: publicUrl,
    },
  });
});
afterAll(async () => {
  await world.close();
  await mailServer.close();
});

/** The token of the only link to a new password that this address got. */
async function resetTokenOf(address: string): Promise<string> {
  return tokenIn(await mailTo(address, "Set a new password"), "reset");
}

function tokenIn(source: string | undefined, path: string): string {
  const found = new RegExp(`${publicUrl}/${path}#(\\S+)`).exec(readParts(source ?? "").text);
  return found?.[1] ?? "";
}

/** The source of an e-mail, whatever else arrives meanwhile. */
async function mailTo(address: string, subject: string): Promise<string> {
  const find = () =>
    mailServer.mails.find(
      ({ to, source }) => to.includes(address) && source.includes(`Subject: ${subject}`),
    );
  await expect.poll(find).toBeDefined();
  return find()?.source ?? "";
}

const signIn = (client: DashboardClient, email: string, typed: string) =>
  client.post("/session/sign-in", { email, password: typed });

describe("a forgotten password", () => {
  const requestLink = (email: string) =>
    world.newClient().post("/session/forgotten-password", { email });
  const reset = (token: string, typed = newPassword) =>
    world.newClient().post("/session/reset-password", { token, password: typed });

  test("is replaced by a link that works once and signs out everywhere", async () => {
    const email = "ada@example.com";
    const signedIn = await world.signIn({ email });
    expect((await requestLink("Ada@Example.com")).json).toEqual({ isMailSet: true });
    const token = await resetTokenOf(email);
    expect((await reset(token, "short")).json.fields).toMatchObject([{ field: "password" }]);
    expect((await reset(`${token}x`)).status).toBe(404);
    expect((await reset(token)).json).toEqual({ email });
    expect((await reset(token)).status).toBe(404);
    expect((await signedIn.get("/session")).json.state).toBe("signed_out");
    expect((await signIn(world.newClient(), email, password)).status).toBe(401);
    expect((await signIn(world.newClient(), email, newPassword)).status).toBe(200);
    // The link, the notice of the change, and the notice of the new browser.
    const subjects = () =>
      mailServer.mails
        .filter(({ to }) => to.includes(email))
        .map(({ source }) => /^Subject: (.*)$/m.exec(source)?.[1]?.trim())
        .sort();
    await expect
      .poll(subjects)
      .toEqual([
        "A new browser signed in to your account",
        "Set a new password for Starpost",
        "The holder of a link set a new password for your account",
      ]);
  });

  test("is not needed: the link lets a browser in while strangers have used up the account's tries", async () => {
    const email = "flooded@example.com";
    await world.signIn({ email });
    await requestLink(email);
    const token = await resetTokenOf(email);
    const keys = [`account ${hash("sha256", email, "base64url")}`];
    const now = clock.now();
    const endsAt = new Date(now.getTime() + hourMs);
    for (let tries = 0; tries < 30; tries += 1) {
      await world.service.deps.database.countLoginAttempts({ keys, now, endsAt });
    }
    const browser = world.newClient();
    // A network that has not failed itself would have a try.
    await signIn(browser, email, "wrong-wrong-wrong");
    expect((await signIn(browser, email, password)).status).toBe(429);
    expect((await browser.post("/session/known-browser", { token: `${token}x` })).status).toBe(404);
    expect((await browser.post("/session/known-browser", { token })).json).toEqual({ email });
    // The link opens nothing, and no other browser.
    expect((await signIn(browser, email, "wrong-wrong-wrong")).status).toBe(401);
    expect((await signIn(browser, email, password)).status).toBe(200);
    expect((await signIn(world.newClient(), email, password)).status).toBe(429);
  });

  test("of two who follow one link at once, one sets the password", async () => {
    await world.signIn({ email: "twice@example.com" });
    await requestLink("twice@example.com");
    const token = await resetTokenOf("twice@example.com");
    const both = await Promise.all([reset(token), reset(token, "Nineteen-slow-cranes")]);
    expect(both.map(({ status }) => status).sort()).toEqual([200, 404]);
  });

  test("the link ends after an hour", async () => {
    await world.signIn({ email: "late@example.com" });
    await requestLink("late@example.com");
    const token = await resetTokenOf("late@example.com");
    clock.advance(hourMs + 1);
    expect((await reset(token)).status).toBe(404);
  });

  test("the answer does not reveal accounts, and no mailbox is flooded", async () => {
    const links = () =>
      mailServer.mails.filter(({ to }) => to.includes("known@example.com")).length;
    await world.signIn({ email: "known@example.com" });
    for (const email of ["known@example.com", "unknown@example.com", "no address"]) {
      expect((await requestLink(email)).json).toEqual({ isMailSet: true });
    }
    await expect.poll(links).toBe(1);
    await requestLink("known@example.com");
    await requestLink("known@example.com");
    await expect.poll(links).toBe(3);
    expect((await requestLink("known@example.com")).status).toBe(429);
    expect(links()).toBe(3);
  });
});

describe("an invitation for an address", () => {
  test("is sent to it, and says so when the mail server refuses", async () => {
    const owner = await world.signIn({ email: "owner@example.com" });
    const path = `/workspaces/${world.service.workspaceId}/invitations`;
    const invite = (email: string) => owner.post(path, { email, role: "member" });
    expect((await owner.get(path)).json.isMailSet).toBe(true);
    const { link, mail } = (await invite("grace@example.com")).json;
    expect(mail).toEqual({ isSent: true, reason: null });
    const invitation = await mailTo("grace@example.com", "");
    expect(tokenIn(invitation, "join")).toBe(link.split("#")[1]);
    const joining = { token: link.split("#")[1], name: "Grace", password: newPassword };
    const joined = { ...joining, email: "grace@example.com" };
    expect((await world.newClient().post("/join/sign-up", joined)).status).toBe(200);
    const accepted = await mailTo("owner@example.com", "Your invitation was accepted");
    expect(readParts(accepted).text.replace(/\s+/g, " ")).toContain(
      "Grace (grace@example.com) accepted your invitation to the workspace Harbour Apps as a member",
    );
    mailServer.replyTo({ recipient: () => ({ code: 550, text: "no such mailbox" }) });
    const refused = (await invite("nobody@example.com")).json;
    expect(refused.mail).toMatchObject({ isSent: false });
    expect(refused.mail.reason).toContain("no such mailbox");
    expect(refused.link).toContain("/join#");
    mailServer.replyTo({});
  });
});

test("without a mail server the page says whom to ask", async () => {
  const plain = await openDashboardFixture();
  try {
    const owner = await plain.signIn({ email: "owner@example.com" });
    const response = await plain.newClient().post("/session/forgotten-password", {
      email: "owner@example.com",
    });
    expect(response.json).toEqual({ isMailSet: false });
    const path = `/workspaces/${plain.service.workspaceId}/invitations`;
    expect((await owner.get(path)).json.isMailSet).toBe(false);
    const created = await owner.post(path, { email: "grace@example.com", role: "member" });
    expect(created.json.mail).toBeNull();
  } finally {
    await plain.close();
  }
});
