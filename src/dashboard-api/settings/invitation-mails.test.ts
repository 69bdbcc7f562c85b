// Invitations by e-mail: few for one address, and none with a stranger's words in its subject.
import { afterAll, beforeAll, expect, test } from "vitest";
import {
  type DashboardClient,
  type DashboardFixture,
  openDashboardFixture,
} from "../../../test/support/dashboard.ts";
import { type MailServerDouble, openMailServer } from "../../../test/support/mail-server.ts";

let world: DashboardFixture;
let mailServer: MailServerDouble;
let owner: DashboardClient;

beforeAll(async () => {
  mailServer = await openMailServer();
  world = await openDashboardFixture({
    env: {
      SMTP_URL: `smtp://127.0.0.1:${mailServer.port}`,
      EMAIL_FROM: "Starpost <starpost@example.com>",
      PUBLIC_URL: "https://reviews.example.com",
    },
  });
  owner = await world.signIn({ email: "owner@example.com" });
});
afterAll(async () => {
  await world.close();
  await mailServer.close();
});

test("an address gets one invitation a day, from one workspace or by another invitation", async () => {
  const base = `/workspaces/${world.service.workspaceId}`;
  await owner.patch(base, { name: "Overdue: pay at https://evil.example/pay" });
  const invite = async (email: string) =>
    (await owner.post(`${base}/invitations`, { email, role: "viewer" })).json.mail;
  expect(await invite("stranger@customers.example")).toEqual({ isSent: true, reason: null });
  expect(await invite("Stranger@customers.example")).toMatchObject({ isSent: false });
  const others = Array.from({ length: 25 }, (_, index) => `one-${index}@customers.example`);
  const sent = [];
  for (const email of others) sent.push((await invite(email)).isSent);
  expect(sent.filter(Boolean)).toHaveLength(19);
  const invitations = mailServer.mails.filter(({ source }) => source.includes("/join#"));
  expect(invitations).toHaveLength(20);
  for (const { source } of invitations) {
    expect(source).toMatch(/^Subject: You are invited to a workspace of Starpost\r?$/m);
    expect(source).not.toContain("evil.example");
  }
});
