// Who may ask what, over every route of the table: a person of another workspace gets 404 for every id, a
// member gets 403 for an owner's things, and nobody gets anything without a session.
import { afterAll, beforeAll, expect, test } from "vitest";
import {
  type DashboardClient,
  type DashboardFixture,
  openDashboardFixture,
} from "../../test/support/dashboard.ts";
import { anApp, aReview, saveReviews } from "../../test/support/factories.ts";
import { channelDefaults } from "../domain/channel.ts";
import type { DashboardRoute } from "./dashboard-route.ts";
import { routes } from "./routes.ts";

let world: DashboardFixture;
/** Ids of things of the service's workspace, by the name of the parameter. */
const ids: Record<string, string> = {};
let stranger: DashboardClient;
let member: DashboardClient;
let owner: DashboardClient;
let strangersWorkspace = "";

beforeAll(async () => {
  world = await openDashboardFixture();
  const { service } = world;
  const { database } = service.deps;
  const workspaceId = service.workspaceId;
  owner = await world.signIn({ email: "owner@example.com" });
  member = await world.signIn({ email: "member@example.com", role: "member" });
  strangersWorkspace = await world.addWorkspace("Elsewhere");
  stranger = await world.signIn({ email: "stranger@example.com", workspaceId: strangersWorkspace });

  const app = await anApp(database, { workspaceId });
  const [review] = await saveReviews(database, app, [aReview()]);
  const channel = await owner.post(`/workspaces/${workspaceId}/channels`, {
    ...channelDefaults,
    name: "All",
    url: "http://127.0.0.1:9/hook",
  });
  const channelId = channel.json.channel.id;
  const tested = await owner.post(`/workspaces/${workspaceId}/channels/${channelId}/test`);
  const key = await owner.post(`/workspaces/${workspaceId}/keys`, { name: "Key" });
  const invitation = { email: null, role: "member" };
  const invited = await owner.post(`/workspaces/${workspaceId}/invitations`, invitation);
  const [me] = (await owner.get(`/workspaces/${workspaceId}/members`)).json.members;
  const [session] = (await owner.get("/session/sessions")).json.sessions;
  Object.assign(ids, {
    workspace: workspaceId,
    app: app.id,
    review: review?.id,
    channel: channelId,
    delivery: tested.json.deliveryId,
    key: key.json.apiKey.id,
    invitation: invited.json.invitation.id,
    user: me.userId,
    session: session.id,
    credential: app.id,
    notice: app.id,
  });
});
afterAll(() => world.close());

function partsOf(route: DashboardRoute): { method: string; path: string; params: string[] } {
  const [method = "", path = ""] = route.name.split(" ");
  return { method, path, params: [...path.matchAll(/:(\w+)/g)].map((match) => match[1] ?? "") };
}

function fill(path: string, given: Record<string, string>): string {
  return path.replace(/:(\w+)/g, (_, name: string) => given[name] ?? "");
}

/** Bodies that are right by their type, so that what is refused is refused for who asks. */
const bodies: Record<string, unknown> = {
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
  "POST /workspaces/:workspace/keys": { name: "Mine" },
  "POST /workspaces/:workspace/invitations": { email: null, role: "owner" },
};

const scoped = routes.filter((route) => partsOf(route).params.includes("workspace"));
const listed = scoped.map((route) => ({ name: route.name, route }));

async function ask(browser: DashboardClient, route: DashboardRoute, given: Record<string, string>) {
  const { method, path } = partsOf(route);
  const needsBody = route.body !== null;
  const query = route.name.endsWith("/export") ? "?format=csv" : "";
  return browser.request(`${fill(path, given)}${query}`, {
    method,
    ...(needsBody ? { body: bodies[route.name] ?? {} } : {}),
  });
}

test.each(listed)("$name of another workspace is not found", async ({ route }) => {
  expect((await ask(stranger, route, ids)).status).toBe(404);
});

const withThings = listed.filter(({ route }) => partsOf(route).params.length > 1);
test.each(withThings)("$name by an id of another workspace is not found", async ({ route }) => {
  const own = { ...ids, workspace: strangersWorkspace };
  expect((await ask(stranger, route, own)).status).toBe(404);
});

const ownersOnly = listed.filter(({ route }) => route.access === "owner");
test.each(ownersOnly)("$name is refused to a member", async ({ route }) => {
  const said = await ask(member, route, ids);
  expect([said.status, said.json.code]).toEqual([403, "forbidden"]);
});

test.each(listed)("$name needs a session", async ({ route }) => {
  expect((await ask(world.newClient(), route, ids)).status).toBe(401);
});

test("after all that nothing has changed", async () => {
  const { workspace } = (await owner.get(`/workspaces/${ids["workspace"]}/settings`)).json;
  expect(workspace.name).toBe("Harbour Apps");
  const { channels } = (await owner.get(`/workspaces/${ids["workspace"]}/channels`)).json;
  expect(channels).toHaveLength(1);
  expect(channels[0].name).toBe("All");
});
