// Acts by which people make the service send something elsewhere: how often, with which proof, and who learns of it.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { base32Bytes } from "../../../test/support/base32.ts";
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
import { channelDefaults } from "../../domain/channel/channel.ts";
import { stepOf, totpCode } from "../../lib/totp.ts";

let world: DashboardFixture;
let mailServer: MailServerDouble;
let base: string;
let workspaceId: string;
let owner: DashboardClient;
let member: DashboardClient;
let nextNumber = 0;

beforeAll(async () => {
  mailServer = await openMailServer();
  world = await openDashboardFixture({
    env: {
      SMTP_URL: `smtp://127.0.0.1:${mailServer.port}`,
      EMAIL_FROM: "Starpost <starpost@example.com>",
      PUBLIC_URL: "https://reviews.example.com",
      METRICS_PORT: "0",
    },
  });
});
beforeEach(async () => {
  nextNumber += 1;
  workspaceId = await world.addWorkspace(`Workspace ${nextNumber}`);
  base = `/workspaces/${workspaceId}`;
  owner = await world.signIn({ email: `owner${nextNumber}@example.com`, workspaceId });
  const email = `member${nextNumber}@example.com`;
  member = await world.signIn({ email, workspaceId, role: "member" });
});
afterAll(async () => {
  await world.close();
  await mailServer.close();
});

async function addChannel(client: DashboardClient, fields: object = {}): Promise<string> {
  const destination = "type" in fields ? {} : { url: "http://127.0.0.1:9/hook" };
  const input = { ...channelDefaults, name: "Alarm", ...destination, ...fields };
  const response = await client.post(`${base}/channels`, input);
  expect(response.status, response.text).toBe(200);
  return response.json.channel.id;
}

/** The user entered their password two hours ago. */
async function age(client: DashboardClient): Promise<void> {
  const { database, clock } = world.service.deps;
  const [session] = (await client.get("/session/sessions")).json.sessions;
  const provedAt = new Date(clock.now().getTime() - 2 * 3_600_000);
  await database.proveSession({ id: session.id, provedAt });
}

async function count(times: number, act: () => Promise<{ status: number }>) {
  const statuses: number[] = [];
  for (let done = 0; done < times; done += 1) statuses.push((await act()).status);
  return { refused: statuses.filter((status) => status === 429).length, statuses };
}

describe("429", () => {
  test("a delivery is redelivered thirty times a minute at most, tests and retries included", async () => {
    const id = await addChannel(owner);
    const { deliveryId } = (await member.post(`${base}/channels/${id}/test`)).json;
    const path = `${base}/deliveries/${deliveryId}/redeliver`;
    expect((await count(121, () => member.post(path))).refused).toBe(121 - 29);
    for (const act of ["test", "retry", "redeliver-expired"]) {
      expect((await member.post(`${base}/channels/${id}/${act}`)).status).toBe(429);
    }
  });

  test.each(["redeliver-expired", "retry"])("%s of a channel has ten", async (act) => {
    const id = await addChannel(owner);
    const counted = await count(12, () => member.post(`${base}/channels/${id}/${act}`));
    expect(counted.refused).toBe(2);
  });

  test("a channel's destination changes ten times a minute at most", async () => {
    const id = await addChannel(owner);
    const change = { url: "http://127.0.0.1:9/elsewhere" };
    const counted = await count(12, () => member.patch(`${base}/channels/${id}`, change));
    expect(counted.refused).toBe(2);
  });
});

describe("403", () => {
  test.each([
    [{}, { url: "http://127.0.0.1:9/attacker" }],
    [
      { type: "slack", url: "https://hooks.slack.com/services/T1/B1/abcdefgh" },
      { url: "https://hooks.slack.com/services/T2/B2/hijacked" },
    ],
    [{ type: "telegram", token: `123456:${"A".repeat(35)}`, chat: "-1001" }, { chat: "-1002" }],
    [{ type: "email", to: "owner@example.com" }, { to: "other@example.com" }],
  ])(
    "a destination of %o needs a password that was entered a short while ago",
    async (fields, change) => {
      const to = (nextTo: object) =>
        JSON.parse(JSON.stringify(nextTo).replace("owner@", `owner${nextNumber}@`));
      const id = await addChannel(owner, to(fields));
      await age(member);
      const refused = await member.patch(`${base}/channels/${id}`, change);
      expect([refused.status, refused.json.code]).toEqual([403, "reauthentication_required"]);
      // Everything else, and the destination as the form shows it, needs none. A secret URL is shown in part only.
      const { channel } = (await member.get(`${base}/channels/${id}`)).json;
      const shown =
        channel.type === "email"
          ? { to: channel.recipients.join(", ") }
          : channel.type === "webhook" && { url: channel.url };
      const same = {
        name: "Renamed",
        ...(channel.type === "telegram" ? { chat: "-1001" } : shown),
      };
      expect((await member.patch(`${base}/channels/${id}`, same)).status).toBe(200);
    },
  );
});

describe("owners", () => {
  test("get an e-mail when a destination changes, and for nothing else of a channel", async () => {
    const id = await addChannel(owner);
    const before = mailServer.mails.length;
    await member.patch(`${base}/channels/${id}`, { name: "Renamed" });
    await member.patch(`${base}/channels/${id}`, { url: "http://127.0.0.1:9/elsewhere" });
    await mailServer.waitFor(before + 1);
    const mail = mailServer.mails[before];
    expect(mail?.to).toEqual([`owner${nextNumber}@example.com`]);
    const { text } = readParts(mail?.source ?? "");
    expect(text).toContain(`member${nextNumber}@example.com`);
    expect(text).toContain('the channel "Renamed"');
    expect(mailServer.mails).toHaveLength(before + 1);
  });

  test("get an e-mail about keys and members, and users about their own password", async () => {
    const before = mailServer.mails.length;
    await owner.post(`${base}/keys`, { name: "Importer" });
    await mailServer.waitFor(before + 1);
    const { members } = (await owner.get(`${base}/members`)).json;
    const { userId } = members.find(({ role }: { role: string }) => role === "member");
    const change = { currentPassword: password, newPassword: "Eighteen-loud-herons" };
    expect((await member.post("/session/password", change)).status).toBe(200);
    await mailServer.waitFor(before + 2);
    expect((await owner.delete(`${base}/members/${userId}`)).status).toBe(200);
    await mailServer.waitFor(before + 4);
    const sent = mailServer.mails.slice(before).map(({ to, source }) => {
      const [act = ""] = /(?:made|changed|removed) [^.]*/.exec(readParts(source).text) ?? [];
      return `${to.join()}: ${act.replace(/\s+/g, " ")}`;
    });
    expect(sent.sort()).toEqual([
      expect.stringMatching(/^member\d+@example.com: changed the password of your account/),
      expect.stringMatching(/^member\d+@example.com: removed you from the workspace/),
      expect.stringMatching(/^owner\d+@example.com: made the API key "Importer"/),
      expect.stringMatching(/^owner\d+@example.com: removed member\d+@example/),
    ]);
  });

  test("get an e-mail about a link, and users about their own second factor", async () => {
    const before = mailServer.mails.length;
    const link = { kind: "overview", query: "", isFrozen: false, days: 30 };
    const made = await owner.post(`${base}/links`, link);
    expect(made.status, made.text).toBe(200);
    await mailServer.waitFor(before + 1);
    const { secret } = (await member.post("/session/second-factor")).json;
    const { clock } = world.service.deps;
    const code = totpCode(base32Bytes(secret), stepOf(clock.now()));
    expect((await member.post("/session/second-factor/confirm", { code })).status).toBe(200);
    await mailServer.waitFor(before + 2);
    const sent = mailServer.mails
      .slice(before)
      .map(({ to, source }) => `${to.join()}: ${readParts(source).text.replace(/\s+/g, " ")}`);
    expect(sent.sort()).toEqual([
      expect.stringMatching(/^member\d+@example.com: .*set up a second factor for your account/),
      expect.stringMatching(/^owner\d+@example.com: .*shared ".+" by a link that needs no account/),
    ]);
  });

  test("find tests and redeliveries in the audit log", async () => {
    const id = await addChannel(owner);
    const { deliveryId } = (await member.post(`${base}/channels/${id}/test`)).json;
    await member.post(`${base}/deliveries/${deliveryId}/redeliver`);
    await member.post(`${base}/channels/${id}/retry`);
    const { entries } = (await owner.get(`${base}/audit`)).json;
    const acts = entries.map(({ action, subject }: Record<string, string>) => [action, subject]);
    expect(acts.slice(0, 3)).toEqual([
      ["channel.retried", id],
      ["delivery.redelivered", deliveryId],
      ["channel.tested", id],
    ]);
  });
});
