// Access to every route of the table: a user of another workspace gets 404 for every id, a member gets 403 where
// owners are needed, and without a session there is nothing.
import { generateKeyPairSync } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "vitest";
import {
  type DashboardClient,
  type DashboardFixture,
  openDashboardFixture,
} from "../../test/support/dashboard.ts";
import { anApp, aReview, saveReviews } from "../../test/support/factories.ts";
import { channelDefaults, channelFiltersSchema } from "../domain/channel/channel.ts";
import { uuidV7 } from "../lib/uuid.ts";
import type { DashboardRoute } from "./dashboard-route.ts";
import { routes } from "./routes.ts";

let world: DashboardFixture;
/** Ids of things of the service's workspace, by the name of the parameter. */
const ids: Record<string, string> = {};
/** The same for the stranger's own workspace, as far as a route needs two ids. */
const strangersIds: Record<string, string> = {};
let stranger: DashboardClient;
let member: DashboardClient;
let owner: DashboardClient;

beforeAll(async () => {
  world = await openDashboardFixture();
  const { database, clock } = world.service.deps;
  const { workspaceId } = world.service;
  const base = `/workspaces/${workspaceId}`;
  owner = await world.signIn({ email: "owner@example.com" });
  member = await world.signIn({ email: "member@example.com", role: "member" });
  const strangersWorkspace = await world.addWorkspace("Elsewhere");
  stranger = await world.signIn({ email: "stranger@example.com", workspaceId: strangersWorkspace });
  const strangersApp = await anApp(database, { workspaceId: strangersWorkspace });
  Object.assign(strangersIds, { workspace: strangersWorkspace, app: strangersApp.id });

  const app = await anApp(database, { workspaceId });
  const [review] = await saveReviews(database, app, [aReview()]);
  const input = { ...channelDefaults, name: "All", url: "http://127.0.0.1:9/hook" };
  const { channel } = (await owner.post(`${base}/channels`, input)).json;
  const { deliveryId } = (await owner.post(`${base}/channels/${channel.id}/test`)).json;
  const { apiKey } = (await owner.post(`${base}/keys`, { name: "Key" })).json;
  const { invitation } = (await owner.post(`${base}/invitations`, { email: null, role: "member" }))
    .json;
  const { credential } = (await owner.post(`${base}/credentials`, newCredential())).json;
  const { members } = (await owner.get(`${base}/members`)).json;
  const note = (await owner.post(`${base}/notes`, { review: review?.id, text: "Look into it" }))
    .json;
  const { views } = (await owner.post(`${base}/views`, { name: "Bad news", query: "rating=1" }))
    .json;
  const shared = { kind: "overview", query: "", isFrozen: false, days: 30 };
  await owner.post(`${base}/links`, shared);
  const { items } = (await owner.get(`${base}/outgoing`)).json;
  const topic = { name: "sleep_timer", phrases: ["sleep timer"] };
  const { id: topicId } = (await owner.post(`${base}/topics`, topic)).json;
  const template = { name: "Thanks", text: "Thank you" };
  const { id: templateId } = (await owner.post(`${base}/reply-templates`, template)).json;
  await database.insertAuditEntry({
    id: uuidV7(clock.now()),
    at: clock.now(),
    workspaceId,
    actor: "service",
    action: "channel.deleted",
    subject: channel.id,
    detail: { name: "All", url: "http://127.0.0.1:9/hook", reason: "410" },
  });
  const { notices } = (await owner.get(`${base}/channels`)).json;
  Object.assign(ids, {
    workspace: workspaceId,
    app: app.id,
    review: review?.id,
    channel: channel.id,
    delivery: deliveryId,
    key: apiKey.id,
    invitation: invitation.id,
    user: members[0].userId,
    credential: credential.id,
    notice: notices[0].id,
    note: note.id,
    view: views[0].id,
    link: items.find(({ kind }: { kind: string }) => kind === "overview").id,
    topic: topicId,
    template: templateId,
    session: (await owner.get("/session/sessions")).json.sessions[0].id,
  });
});
afterAll(() => world.close());

function newCredential(): object {
  const { privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const keyFile = privateKey.export({ type: "pkcs8", format: "pem" });
  const names = { keyId: "AB12CD34EF", issuerId: null, bucket: null };
  return { store: "appstore", name: "Team key", keyFile, ...names };
}

function partsOf(route: DashboardRoute): { method: string; path: string; params: string[] } {
  const [method = "", path = ""] = route.name.split(" ");
  return { method, path, params: [...path.matchAll(/:(\w+)/g)].map((match) => match[1] ?? "") };
}

function fill(path: string, params: Record<string, string>): string {
  return path.replace(/:(\w+)/g, (_, name: string) => params[name] ?? "");
}

/** Valid bodies, so that only the caller can be the reason of a refusal. */
const bodies: Record<string, unknown> = {
  "POST /workspaces/:workspace/replies/:review/compose": { tone: null },
  "POST /workspaces/:workspace/replies/:review/draft": { draft: "Taken over" },
  "POST /workspaces/:workspace/replies/:review/send": { text: "Taken over" },
  "POST /workspaces/:workspace/reply-templates": { name: "Taken over", text: "Taken over" },
  "PATCH /workspaces/:workspace/reply-templates/:template": { text: "Taken over" },
  "PATCH /workspaces/:workspace/settings": { name: "Taken over" },
  "PATCH /workspaces/:workspace/members/:user": { role: "member" },
  "PATCH /workspaces/:workspace/apps/:app": { name: "Taken over" },
  "PATCH /workspaces/:workspace/channels/:channel": { name: "Taken over" },
  "POST /workspaces/:workspace/channels": {
    ...channelDefaults,
    name: "X",
    url: "http://127.0.0.1:9",
  },
  "POST /workspaces/:workspace/channels/preview": channelDefaults,
  "POST /workspaces/:workspace/channels/request-preview": {
    request: { method: "POST", body: "{}" },
  },
  "POST /workspaces/:workspace/keys": { name: "Mine" },
  "POST /workspaces/:workspace/topics": { name: "taken_over", phrases: ["taken over"] },
  "POST /workspaces/:workspace/topics/:topic/tick": {
    review: "01a1fdfa-4601-77ee-8a05-52b9d09ab8a2",
    isRight: true,
  },
  "POST /workspaces/:workspace/topics/preview": { phrases: ["taken over"] },
  "PATCH /workspaces/:workspace/topics/:topic": { phrases: ["taken over"] },
  "PATCH /workspaces/:workspace/views/:view": { name: "Taken over", query: "rating=5" },
  "POST /workspaces/:workspace/views": { name: "Taken over", query: "rating=5" },
  "POST /workspaces/:workspace/notes": {
    review: "01a1fdfa-4601-77ee-8a05-52b9d09ab8a2",
    text: "Taken over",
  },
  "PATCH /workspaces/:workspace/reviews/work": {
    reviews: ["01a1fdfa-4601-77ee-8a05-52b9d09ab8a2"],
    isDone: true,
  },
  "POST /workspaces/:workspace/links": { kind: "overview", query: "", isFrozen: true, days: 30 },
  "POST /workspaces/:workspace/invitations": { email: null, role: "owner" },
};

const listed = routes
  .filter((route) => partsOf(route).params.includes("workspace"))
  .map((route) => ({ name: route.name, route }));

async function request(
  client: DashboardClient,
  route: DashboardRoute,
  params: Record<string, string>,
  headers: Record<string, string> = {},
) {
  const { method, path } = partsOf(route);
  const query = route.name.endsWith("/export") ? "?format=csv" : "";
  const response = await client.request(`${fill(path, params)}${query}`, {
    method,
    headers,
    ...(route.body && { body: bodies[route.name] ?? {} }),
  });
  expectSecurityHeaders(response);
  return response;
}

/** Headers of every route, whatever its status. */
function expectSecurityHeaders({ headers }: { headers: Headers }): void {
  expect(headers.get("content-security-policy")).toContain("default-src 'none'");
  expect(headers.get("content-security-policy")).toContain("frame-ancestors 'none'");
  expect(headers.get("x-content-type-options")).toBe("nosniff");
  expect(headers.get("x-frame-options")).toBe("DENY");
  expect(headers.get("referrer-policy")).toBe("same-origin");
}

test.each(listed)("$name of another workspace is not found", async ({ route }) => {
  expect((await request(stranger, route, ids)).status).toBe(404);
});

const byId = listed.flatMap(({ name, route }) =>
  partsOf(route)
    .params.filter((param) => param !== "workspace")
    .map((param) => ({ name, route, param })),
);
test.each(byId)("$name with the $param of another workspace is not found", async (line) => {
  const foreign = ids[line.param];
  expect(foreign).toMatch(/^[0-9a-f-]{36}$/);
  const params = { ...strangersIds, [line.param]: foreign ?? "" };
  expect((await request(stranger, line.route, params)).status).toBe(404);
});

test.each(["overview", "reviews", "reviews/export"])(
  "%s with the app of another workspace as a filter is not found",
  async (path) => {
    const format = path.endsWith("export") ? "&format=csv" : "";
    const url = `/workspaces/${strangersIds["workspace"]}/${path}?app=${ids["app"]}${format}`;
    expect((await stranger.get(url)).status).toBe(404);
  },
);

test("a channel can't be for the app of another workspace, nor an app use its credential", async () => {
  const base = `/workspaces/${strangersIds["workspace"]}`;
  const apps = [ids["app"]];
  const channel = { ...channelDefaults, name: "X", url: "http://127.0.0.1:9", apps };
  expect((await stranger.post(`${base}/channels`, channel)).status).toBe(404);
  const preview = { ...channelFiltersSchema.parse(channelDefaults), apps };
  expect((await stranger.post(`${base}/channels/preview`, preview)).status).toBe(404);
  const app = await stranger.post(`${base}/apps`, {
    store: "appstore",
    externalAppId: "1234567890",
    name: null,
    foundIn: null,
    countries: null,
    languages: null,
    isCollected: true,
    credentialId: ids["credential"],
  });
  expect(app.status).toBe(404);
});

test("a member can't read apps through the owner's store account", async () => {
  const app = { store: "appstore", externalAppId: "1234567890", name: null, foundIn: null };
  const choice = { countries: null, languages: null, isCollected: true };
  const body = { ...app, ...choice, credentialId: ids["credential"] };
  const response = await member.post(`/workspaces/${ids["workspace"]}/apps`, body);
  expect([response.status, response.json.code]).toEqual([403, "forbidden"]);
});

const ownersOnly = listed.filter(({ route }) => route.access === "owner");
test.each(ownersOnly)("$name is refused to a member", async ({ route }) => {
  const response = await request(member, route, ids);
  expect([response.status, response.json.code]).toEqual([403, "forbidden"]);
});

test.each(routes.filter(({ isSensitive }) => isSensitive))(
  "$name needs a password that was entered a short while ago",
  async (route) => {
    const { database, clock } = world.service.deps;
    const late = await world.signIn({ email: `late-${uuidV7(clock.now())}@example.com` });
    const [session] = (await late.get("/session/sessions")).json.sessions;
    await database.proveSession({
      id: session.id,
      provedAt: new Date(clock.now().getTime() - 16 * 60_000),
    });
    const response = await request(late, route, ids);
    expect([response.status, response.json.code]).toEqual([403, "reauthentication_required"]);
  },
);

test("what shows or makes secrets, changes members or deletes is sensitive", () => {
  const dangerous = routes.filter(
    ({ name, access }) =>
      (access === "owner" && !name.startsWith("GET")) || name.includes("second-factor"),
  );
  const others = dangerous.filter(({ isSensitive }) => !isSensitive).map(({ name }) => name);
  expect(others.sort()).toEqual([
    // Each takes away a way in, which must go fast, or shows and changes no secret.
    "DELETE /workspaces/:workspace/invitations/:invitation",
    "GET /session/second-factor",
    "PATCH /workspaces/:workspace/settings",
    "POST /workspaces/:workspace/channels/:channel/secret/end-old",
    "POST /workspaces/:workspace/keys/:key/revoke",
    "POST /workspaces/:workspace/workspaces",
  ]);
});

test("a member leaves without it, and is not removed by others without it", async () => {
  const { database, clock } = world.service.deps;
  const late = await world.signIn({ email: "leaving@example.com" });
  const [session] = (await late.get("/session/sessions")).json.sessions;
  await database.proveSession({
    id: session.id,
    provedAt: new Date(clock.now().getTime() - 16 * 60_000),
  });
  const base = `/workspaces/${ids["workspace"]}/members`;
  expect((await late.delete(`${base}/${ids["user"]}`)).json.code).toBe("reauthentication_required");
  const me = await database.findUserByEmail("leaving@example.com");
  expect((await late.delete(`${base}/${me?.id}`)).status).toBe(200);
});

// Each from another network: one of them may send a hundred a second.
test.each(listed)("$name needs a session", async ({ route }) => {
  const network = {
    "x-forwarded-for": `2001:db8:${listed.findIndex((one) => one.route === route)}::1`,
  };
  expect((await request(world.newClient(), route, ids, network)).status).toBe(401);
});

test("after all that nothing has changed", async () => {
  const base = `/workspaces/${ids["workspace"]}`;
  const get = async (path: string) => (await owner.get(`${base}/${path}`)).json;
  expect((await get("settings")).workspace.name).toBe("Harbour Apps");
  const { channels, notices } = await get("channels");
  expect(channels.map(({ name }: { name: string }) => name)).toEqual(["All"]);
  expect(notices).toHaveLength(1);
  expect((await get("apps")).apps).toHaveLength(1);
  expect((await get("credentials")).credentials).toHaveLength(1);
  expect((await get("invitations")).invitations).toHaveLength(1);
  const { members } = await get("members");
  const names = members.map(({ name }: { name: string }) => name);
  expect(names.filter((name: string) => !name.startsWith("late-"))).toEqual(["owner", "member"]);
  expect((await get("views")).views).toMatchObject([{ name: "Bad news" }]);
  const work = await get(`reviews/${ids["review"]}/work`);
  expect(work.notes).toMatchObject([{ text: "Look into it" }]);
  const links = (await get("outgoing")).items.filter(
    ({ kind }: { kind: string }) => kind !== "channel" && kind !== "key",
  );
  expect(links).toMatchObject([{ kind: "overview", name: "All apps" }]);
  const { keys } = await get("keys");
  expect(keys.map(({ revokedAt }: { revokedAt: unknown }) => revokedAt)).toEqual([null, null]);
});
