// How people come in over the real service: the set-up link, invitations, roles, leaving.
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import {
  type DashboardClient,
  type DashboardFixture,
  openDashboardFixture,
  password,
} from "../../../test/support/dashboard.ts";
import { listAuditEntries } from "../../../test/support/list-audit-entries.ts";

let world: DashboardFixture;
let workspaceId: string;
beforeAll(async () => {
  world = await openDashboardFixture();
  workspaceId = world.service.workspaceId;
});
afterAll(() => world.close());

/** The token of a link; it stands behind the `#`. */
const tokenOf = (link: string): string => link.split("#")[1] ?? "";

describe("the set-up link", () => {
  test("makes the first person the owner of what the operator made, once and for good", async () => {
    const world = await openDashboardFixture();
    onTestFinished(() => world.close());
    const { workspaceId } = world.service;
    const browser = world.newClient();
    expect((await browser.get("/session")).json).toEqual({ state: "unclaimed" });
    const token = await world.setupToken();
    const spare = await world.setupToken();
    const looked = await browser.post("/setup/look", { token });
    expect(looked.json).toEqual({ isOpen: true, workspaceNames: ["Harbour Apps"] });
    const account = { name: "Ada", email: "ada@example.com", password, workspaceName: null };
    const wrong = await browser.post("/setup", { ...account, token: "x".repeat(43) });
    expect(wrong.status).toBe(404);
    const weak = await browser.post("/setup", { ...account, token, password: "short" });
    expect(weak.json.fields).toEqual([
      { field: "password", message: "must have at least 12 characters" },
    ]);
    const response = await browser.post("/setup", { ...account, token });
    expect(response.json).toMatchObject({ state: "signed_in", workspaceId });
    expect(response.json.workspaces).toMatchObject([{ id: workspaceId, role: "owner" }]);
    for (const used of [token, spare]) {
      const again = world.newClient();
      expect((await again.post("/setup/look", { token: used })).json.isOpen).toBe(false);
      const other = { ...account, email: "eve@example.com", token: used };
      expect((await again.post("/setup", other)).status).toBe(404);
    }
  });
});

describe("invitations", () => {
  let owner: DashboardClient;
  beforeAll(async () => {
    owner = await world.signIn({ email: "owner@example.com" });
  });

  async function inviteOne(input: { email: string | null; role: string }): Promise<string> {
    const response = await owner.post(`/workspaces/${workspaceId}/invitations`, input);
    expect(response.status).toBe(200);
    return tokenOf(response.json.link);
  }

  test("admit a new user with a new account, once", async () => {
    const token = await inviteOne({ email: null, role: "member" });
    const browser = world.newClient();
    expect((await browser.post("/join/look", { token })).json).toMatchObject({
      workspaceName: "Harbour Apps",
      role: "member",
      invitedBy: "owner",
      email: null,
    });
    const account = { name: "Bo", email: "bo@example.com", password, token };
    const response = await browser.post("/join/sign-up", account);
    expect(response.json.workspaces).toMatchObject([{ id: workspaceId, role: "member" }]);
    const { database } = world.service.deps;
    const user = await database.findUserByEmail(account.email);
    const audit = await listAuditEntries(database, user?.id ?? "");
    expect(audit.map(({ action, actor }) => [action, actor])).toEqual([
      ["user.created", user?.id],
      ["member.added", user?.id],
    ]);
    const second = { ...account, email: "bea@example.com" };
    expect((await world.newClient().post("/join/sign-up", second)).status).toBe(404);
  });

  test("for one address can't be used by others", async () => {
    const token = await inviteOne({ email: "Cy@example.com", role: "owner" });
    const account = { name: "Cy", email: "other@example.com", password, token };
    const response = await world.newClient().post("/join/sign-up", account);
    expect(response.status).toBe(409);
    const right = await world
      .newClient()
      .post("/join/sign-up", { ...account, email: "cy@example.com" });
    expect(right.json.workspaces).toMatchObject([{ role: "owner" }]);
  });

  test("for a domain can't be used from outside of it", async () => {
    const token = await inviteOne({ email: "@Corp.example", role: "member" });
    const signUp = (email: string) =>
      world.newClient().post("/join/sign-up", { name: "Dee", email, password, token });
    for (const email of ["dee@example.com", "dee@evilcorp.example", "dee@corp.example.com"]) {
      expect((await signUp(email)).status).toBe(409);
    }
    expect((await signUp("dee@corp.example")).status).toBe(200);
  });

  test("bring in who has an account elsewhere", async () => {
    const other = await world.service.deps.database.listUnclaimedWorkspaces();
    expect(other).toEqual([]);
    const away = await world.addWorkspace("Elsewhere");
    const guest = await world.signIn({ email: "guest@example.com", workspaceId: away });
    const token = await inviteOne({ email: null, role: "member" });
    const response = await guest.post("/join/accept", { token });
    expect(response.json.workspaces.map((one: { name: string }) => one.name)).toEqual([
      "Elsewhere",
      "Harbour Apps",
    ]);
    expect(response.json.workspaceId).toBe(workspaceId);
    await guest.post("/session/workspace", { workspaceId: away });
    expect((await guest.get("/session")).json.workspaceId).toBe(away);
  });

  test("can be taken back", async () => {
    const token = await inviteOne({ email: "late@example.com", role: "member" });
    const { invitations } = (await owner.get(`/workspaces/${workspaceId}/invitations`)).json;
    const { id } = invitations.find((one: { email: string }) => one.email === "late@example.com");
    await owner.delete(`/workspaces/${workspaceId}/invitations/${id}`);
    expect((await world.newClient().post("/join/look", { token })).status).toBe(404);
  });

  test("end with the owner who gave them", async () => {
    const id = await world.addWorkspace("Parted");
    const stays = await world.signIn({ email: "stayer@example.com", workspaceId: id });
    const parts = await world.signIn({ email: "parter@example.com", workspaceId: id });
    const input = { email: null, role: "owner" };
    const link = (await parts.post(`/workspaces/${id}/invitations`, input)).json.link;
    const { members } = (await stays.get(`/workspaces/${id}/members`)).json;
    const them = members.find((one: { email: string }) => one.email === "parter@example.com");
    await stays.patch(`/workspaces/${id}/members/${them.userId}`, { role: "member" });
    const looked = await world.newClient().post("/join/look", { token: tokenOf(link) });
    expect(looked.status).toBe(404);
    await stays.delete(`/workspaces/${id}/members/${them.userId}`);
    expect((await parts.post("/join/accept", { token: tokenOf(link) })).status).toBe(404);
    expect((await stays.get(`/workspaces/${id}/invitations`)).json.invitations).toEqual([]);
  });
});

describe("members", () => {
  test("are made owners, and the last owner can neither leave nor step down", async () => {
    const id = await world.addWorkspace("Two of us");
    const first = await world.signIn({ email: "first@example.com", workspaceId: id });
    await world.signIn({ email: "second@example.com", workspaceId: id, role: "member" });
    const { members } = (await first.get(`/workspaces/${id}/members`)).json;
    const [me, them] = members;
    expect(me).toMatchObject({ isMe: true, role: "owner" });
    const stepDown = { role: "member" };
    const alone = await first.patch(`/workspaces/${id}/members/${me.userId}`, stepDown);
    expect(alone.status).toBe(409);
    expect((await first.delete(`/workspaces/${id}/members/${me.userId}`)).status).toBe(409);
    await first.patch(`/workspaces/${id}/members/${them.userId}`, { role: "owner" });
    const left = await first.delete(`/workspaces/${id}/members/${me.userId}`);
    expect(left.status).toBe(200);
    expect((await first.get(`/workspaces/${id}/members`)).status).toBe(404);
    expect((await first.get("/session")).json).toMatchObject({ workspaces: [], workspaceId: null });
  });

  test("may go, and may not send others away", async () => {
    const id = await world.addWorkspace("Leaving");
    const owner = await world.signIn({ email: "stays@example.com", workspaceId: id });
    const member = await world.signIn({
      email: "goes@example.com",
      workspaceId: id,
      role: "member",
    });
    const { members } = (await owner.get(`/workspaces/${id}/members`)).json;
    const [stays, goes] = members;
    expect((await member.delete(`/workspaces/${id}/members/${stays.userId}`)).status).toBe(403);
    expect((await member.delete(`/workspaces/${id}/members/${goes.userId}`)).status).toBe(200);
  });
});

test("the first account can come from the settings", async () => {
  const env = { ADMIN_EMAIL: "Root@example.com", ADMIN_PASSWORD: password };
  const other = await openDashboardFixture({ env });
  try {
    const browser = other.newClient();
    expect((await browser.get("/session")).json).toEqual({ state: "signed_out" });
    const response = await browser.post("/session/sign-in", {
      email: "root@example.com",
      password,
    });
    expect(response.json.workspaces).toMatchObject([{ name: "root's workspace", role: "owner" }]);
  } finally {
    await other.close();
  }
});
