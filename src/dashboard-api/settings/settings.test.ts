// Settings over the real service: the workspace's name, providers, and store credentials that are never
// shown again.
import { generateKeyPairSync } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "vitest";
import {
  type DashboardClient,
  type DashboardFixture,
  openDashboardFixture,
} from "../../../test/support/dashboard.ts";

let world: DashboardFixture;
let browser: DashboardClient;
let base: string;
beforeAll(async () => {
  world = await openDashboardFixture();
  browser = await world.signIn({ email: "owner@example.com" });
  base = `/workspaces/${world.service.workspaceId}`;
});
afterAll(() => world.close());

test("the workspace is renamed, and its plan and the providers are shown", async () => {
  const renamed = await browser.patch(`${base}/settings`, { name: " Quay " });
  expect(renamed.json.workspace).toMatchObject({ name: "Quay", plan: "studio" });
  const { workspace, role, providers } = (await browser.get(`${base}/settings`)).json;
  expect([workspace.name, role]).toEqual(["Quay", "owner"]);
  expect(providers).toMatchObject([
    { kind: "translate", provider: "none", status: "off" },
    { kind: "analyse", provider: "local" },
  ]);
  expect((await browser.patch(`${base}/settings`, { name: "" })).json.fields[0].field).toBe("name");
  expect((await browser.patch(`${base}/settings`, { plan: "starter" })).status).toBe(400);
});

test("a person renames themselves", async () => {
  const response = await browser.patch("/session/user", { name: "Olga" });
  expect(response.json.user.name).toBe("Olga");
  const { members } = (await browser.get(`${base}/members`)).json;
  expect(members[0].name).toBe("Olga");
});

test("a credential is added with its key file, listed without it, and removed", async () => {
  const { privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const keyFile = privateKey.export({ type: "pkcs8", format: "pem" }).toString();
  const input = {
    store: "appstore",
    name: "Team",
    keyFile,
    keyId: "AB12CD34EF",
    issuerId: null,
    bucket: null,
  };
  const added = await browser.post(`${base}/credentials`, input);
  expect(added.json.credential).toMatchObject({ subject: "AB12CD34EF", appCount: 0 });
  const listed = await browser.get(`${base}/credentials`);
  expect(listed.json.credentials).toHaveLength(1);
  expect(listed.text).not.toContain("PRIVATE KEY");
  const wrong = await browser.post(`${base}/credentials`, { ...input, keyFile: "no key" });
  expect(wrong.json.fields[0].field).toBe("keyFile");
  expect(wrong.text).not.toContain("no key");
  const { id } = added.json.credential;
  expect((await browser.delete(`${base}/credentials/${id}`)).status).toBe(200);
  expect((await browser.delete(`${base}/credentials/${id}`)).status).toBe(404);
});
