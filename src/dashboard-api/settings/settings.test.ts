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

test("an owner creates further workspaces, with the plan of new ones, up to the limit", async () => {
  const env = { OWNED_WORKSPACES_MAX: "3", DEFAULT_PLAN: "starter" };
  const limited = await openDashboardFixture({ env });
  try {
    const { service } = limited;
    const owner = await limited.signIn({ email: "owner@example.com" });
    const path = `/workspaces/${service.workspaceId}/workspaces`;
    expect((await owner.get("/session")).json.mayCreateWorkspace).toBe(true);
    const withPlan = await owner.post(path, { name: "Pier", plan: "studio" });
    expect([withPlan.status, withPlan.json.fields[0].field]).toEqual([400, "plan"]);
    const made = (await owner.post(path, { name: " Pier " })).json;
    const pier = made.workspaces.find(({ name }: { name: string }) => name === "Pier");
    expect(pier).toMatchObject({ id: made.workspaceId, role: "owner", plan: "starter" });
    const settings = await owner.get(`/workspaces/${pier.id}/settings`);
    expect(settings.json.workspace).toMatchObject({ name: "Pier", plan: "starter" });
    // One of three at the same moment takes the last place; the others leave nothing behind.
    const names = ["Quay", "Wharf", "Jetty"];
    const answers = await Promise.all(names.map((name) => owner.post(path, { name })));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409]);
    const refused = answers.find(({ status }) => status === 409)?.json.detail;
    expect(refused).toContain("OWNED_WORKSPACES_MAX is 3");
    const session = (await owner.get("/session")).json;
    expect([session.workspaces.length, session.mayCreateWorkspace]).toEqual([3, false]);
    expect(await service.deps.database.listWorkspaces()).toHaveLength(3);
    // Another member of the workspace has their own count; members who own none create none.
    const member = await limited.signIn({ email: "member@example.com", role: "member" });
    expect((await member.get("/session")).json.mayCreateWorkspace).toBe(false);
    expect((await member.post(path, { name: "Raft" })).status).toBe(403);
  } finally {
    await limited.close();
  }
});

test("with OWNED_WORKSPACES_MAX=0 the operator alone creates workspaces", async () => {
  const closed = await openDashboardFixture({ env: { OWNED_WORKSPACES_MAX: "0" } });
  try {
    const owner = await closed.signIn({ email: "owner@example.com" });
    expect((await owner.get("/session")).json.mayCreateWorkspace).toBe(false);
    const path = `/workspaces/${closed.service.workspaceId}/workspaces`;
    expect((await owner.post(path, { name: "Pier" })).status).toBe(409);
  } finally {
    await closed.close();
  }
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
