// Recipients of e-mail channels who have no account: asked once, and able to end it.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import {
  type DashboardClient,
  type DashboardFixture,
  openDashboardFixture,
} from "../../test/support/dashboard.ts";
import {
  type MailServerDouble,
  openMailServer,
  readParts,
} from "../../test/support/mail-server.ts";
import { waitFor } from "../../test/support/wait-for.ts";
import { channelDefaults } from "../domain/channel/channel.ts";

const publicUrl = "https://reviews.example.com";
let world: DashboardFixture;
let mailServer: MailServerDouble;
let member: DashboardClient;
let base: string;

beforeAll(async () => {
  mailServer = await openMailServer();
  world = await openDashboardFixture({
    env: {
      ROLES: "dashboard,api,deliver",
      SMTP_URL: `smtp://127.0.0.1:${mailServer.port}`,
      EMAIL_FROM: "Starpost <starpost@example.com>",
      PUBLIC_URL: publicUrl,
      EMAIL_ALLOWED_DOMAINS: "example.com,customers.example",
    },
  });
  base = `/workspaces/${world.service.workspaceId}`;
  await world.signIn({ email: "owner@example.com" });
  member = await world.signIn({ email: "member@example.com", role: "member" });
});
afterAll(async () => {
  await world.close();
  await mailServer.close();
});

async function addChannel(to: string) {
  const input = { ...channelDefaults, name: "Mail", type: "email", to };
  const response = await member.post(`${base}/channels`, input);
  expect(response.status, response.text).toBe(200);
  return { id: String(response.json.channel.id), warning: response.json.warning };
}

/** Sends a test and waits for its first attempt. */
async function sendTest(channelId: string): Promise<Record<string, unknown>> {
  const { deliveryId } = (await member.post(`${base}/channels/${channelId}/test`)).json;
  const read = async () => (await member.get(`${base}/deliveries/${deliveryId}`)).json.delivery;
  await waitFor(async () => (await read()).attemptCount > 0, {
    withinMs: 10_000,
    what: "the attempt of a test",
  });
  return read();
}

const mailsTo = (address: string) =>
  mailServer.mails.filter(({ to }) => to.includes(address)).map(({ source }) => readParts(source));

async function waitForMails(address: string, count: number) {
  await waitFor(() => mailsTo(address).length >= count, {
    withinMs: 5_000,
    what: `${count} e-mails to ${address}`,
  });
  return mailsTo(address);
}

const request = (method: string, url: string, body?: URLSearchParams) =>
  fetch(url.replace(publicUrl, world.service.url), { method, ...(body && { body }) });

const linkOf = (text: string, purpose: string): string =>
  new RegExp(`${publicUrl}/mail/${purpose}/[^\\s>]+`).exec(text)?.[0] ?? "";

test("members get e-mails without being asked", async () => {
  await world.signIn({ email: "viewer@example.com", role: "viewer" });
  const { id, warning } = await addChannel("viewer@example.com");
  expect(warning).toBeNull();
  expect(await sendTest(id)).toMatchObject({ status: "delivered" });
  expect(mailsTo("viewer@example.com")).toHaveLength(1);
});

describe("an address of a stranger", { shuffle: false }, () => {
  const address = "victim@customers.example";

  test("gets one question, nothing before it is answered, and nothing after unsubscribing", async () => {
    const { id, warning } = await addChannel(address);
    expect(warning).toContain(address);
    const [question] = await waitForMails(address, 1);
    expect(question?.text).not.toContain("Harbour");
    expect(await sendTest(id)).toMatchObject({
      status: "pending",
      lastReason: expect.stringContaining("no recipient"),
    });
    await addChannel(address);
    expect(mailsTo(address)).toHaveLength(1);

    const confirm = linkOf(question?.text ?? "", "confirm");
    // Mail programs open links to look what is behind them.
    expect((await request("GET", confirm)).status).toBe(200);
    expect(await sendTest(id)).toMatchObject({ status: "pending" });
    expect(await (await request("POST", confirm)).text()).toContain("Confirmed");
    expect(await sendTest(id)).toMatchObject({ status: "delivered" });

    const stop = linkOf(
      mailsTo(address)
        .at(-1)
        ?.headers.replace(/\r?\n[ \t]+/g, "") ?? "",
      "stop",
    );
    const oneClick = new URLSearchParams({ "List-Unsubscribe": "One-Click" });
    expect((await request("POST", stop, oneClick)).status).toBe(200);
    const count = mailsTo(address).length;
    expect(await sendTest(id)).toMatchObject({ status: "pending" });
    await addChannel(address);
    expect(mailsTo(address)).toHaveLength(count);
  });

  test("of an e-mail to several gets a link of its own to unsubscribe", async () => {
    const { id } = await addChannel("member@example.com, owner@example.com");
    expect(await sendTest(id)).toMatchObject({ status: "delivered" });
    const [mail] = mailsTo("owner@example.com").slice(-1);
    const stopAny = linkOf(mail?.headers.replace(/\r?\n[ \t]+/g, "") ?? "", "stop");
    const stranger = new URLSearchParams({ address: "other@example.com" });
    await request("POST", stopAny, stranger);
    const own = new URLSearchParams({ address: "owner@example.com" });
    expect(await (await request("POST", stopAny, own)).text()).toContain("gets a link");
    const before = mailsTo("owner@example.com").length;
    await waitFor(
      () => mailsTo("owner@example.com").at(-1)?.text.includes("/mail/stop/") ?? false,
      {
        withinMs: 5_000,
        what: `a link in one of ${before} e-mails`,
      },
    );
    expect(mailsTo("other@example.com")).toEqual([]);
    await request("POST", linkOf(mailsTo("owner@example.com").at(-1)?.text ?? "", "stop"));
    await sendTest(id);
    expect(mailServer.mails.at(-1)?.to).toEqual(["member@example.com"]);
  });

  test("in a domain that is not allowed is refused", async () => {
    const input = { ...channelDefaults, name: "Mail", type: "email", to: "a@elsewhere.example" };
    const response = await member.post(`${base}/channels`, input);
    expect([response.status, response.json.fields[0].field]).toEqual([400, "to"]);
    expect(response.json.fields[0].message).toContain("EMAIL_ALLOWED_DOMAINS");
  });

  test("is one of twenty that a workspace may ask in a day", async () => {
    for (const part of [0, 1]) {
      const many = Array.from({ length: 20 }, (_, index) => `many${part}-${index}@example.com`);
      await addChannel(many.join(", "));
    }
    const { database, clock } = world.service.deps;
    const invitation = {
      workspaceId: world.service.workspaceId,
      address: "one-more@example.com",
      now: clock.now(),
      since: new Date(clock.now().getTime() - 86_400_000),
      perAddressMax: 3,
      perWorkspaceMax: 20,
    };
    expect(await database.inviteRecipient(invitation)).toBe(false);
  });
});

test.each(["confirm", "stop"])("a forged link to %s is not found", async (purpose) => {
  const address = Buffer.from("owner@example.com").toString("base64url");
  const forged = `${publicUrl}/mail/${purpose}/${world.service.workspaceId}.0.${address}.AAAA`;
  expect((await request("POST", forged)).status).toBe(404);
  expect((await request("POST", `${publicUrl}/mail/${purpose}/x`)).status).toBe(404);
});
