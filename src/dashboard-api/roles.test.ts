// The table of roles against the router: every route of a workspace, called by each role in its own workspace and in
// another one. A role gets what the table gives it, and a viewer's pages hold nothing that viewers must not see.
import { afterAll, beforeAll, expect, test } from "vitest";
import {
  type ApiResponse,
  type DashboardClient,
  type DashboardFixture,
  openDashboardFixture,
} from "../../test/support/dashboard.ts";
import { anApp, aReview, saveReviews } from "../../test/support/factories.ts";
import { waitFor } from "../../test/support/wait-for.ts";
import { channelDefaults } from "../domain/channel/channel.ts";
import { hasRole, type MemberRole, memberRoles } from "../domain/people/user.ts";
import type { DashboardRoute } from "./dashboard-route.ts";
import { routes } from "./routes.ts";

const noId = "00000000-0000-4000-8000-000000000000";
const hidden = "must-stay-hidden";
/** Refused to all but owners for another reason: the second one is for somebody else's membership. */
const refusedInHandler = ["DELETE /workspaces/:workspace/members/:user"];

let world: DashboardFixture;
let foreignWorkspace: string;
let known: Record<string, string>;
const clients = new Map<MemberRole, DashboardClient>();

const ofWorkspaces = routes.filter(({ name }) => name.includes("/workspaces/:workspace"));

beforeAll(async () => {
  world = await openDashboardFixture({ env: { ROLES: "dashboard,api,deliver" } });
  const { database } = world.service.deps;
  const { workspaceId } = world.service;
  for (const role of memberRoles) {
    clients.set(role, await world.signIn({ email: `${role}@example.com`, role }));
  }
  foreignWorkspace = await world.addWorkspace("Elsewhere");
  const owner = clientOf("owner");
  const base = `/workspaces/${workspaceId}`;
  const app = await anApp(database, { workspaceId });
  const [review] = await saveReviews(database, app, [aReview({ text: "In plain sight" })]);
  const url = `http://127.0.0.1:9/${hidden}`;
  const input = { ...channelDefaults, name: `Channel ${hidden}`, url };
  const { channel } = (await owner.post(`${base}/channels`, input)).json;
  // The endpoint refuses, so the channel also fails.
  for (let count = 0; count < 3; count += 1)
    await owner.post(`${base}/channels/${channel.id}/test`);
  const hasFailed = async () => {
    const { channels } = (await owner.get(`${base}/alerts`)).json;
    return channels.length > 0;
  };
  await waitFor(hasFailed, { withinMs: 20_000, what: "a failing channel" });
  await owner.post(`${base}/keys`, { name: `Key ${hidden}` });
  const reviewPath = `${base}/apps/${app.id}/reviews/${review?.id}`;
  await owner.post(`${reviewPath}/work/notes`, { text: `Note ${hidden}` });
  known = { workspace: workspaceId, app: app.id, review: review?.id ?? "", channel: channel.id };
});
afterAll(() => world.close());

function clientOf(role: MemberRole): DashboardClient {
  const client = clients.get(role);
  if (!client) throw new Error(`no client has the role ${role}`);
  return client;
}

function call(
  client: DashboardClient,
  route: DashboardRoute,
  ids: Record<string, string>,
): Promise<ApiResponse> {
  const [method = "", path = ""] = route.name.split(" ");
  const url = path.replace(/:(\w+)/g, (_, name: string) => ids[name] ?? noId);
  return client.request(url, { method, ...(route.body && { body: {} }) });
}

test("the router has no route of a workspace beside the table", () => {
  const prefix = "/console/api/workspaces/";
  const ofRouter = world.service.routes
    .filter(({ path, method }) => path.startsWith(prefix) && method !== "ALL")
    .map(({ method, path }) => `${method} ${path.replace(/\{(?:[^{}]|\{[^}]*\})*\}/g, "")}`);
  const ofTable = ofWorkspaces.map(({ name }) => name.replace(" ", " /console/api"));
  expect([...new Set(ofRouter)].sort()).toEqual(ofTable.sort());
});

const deletion = "DELETE /workspaces/:workspace";

/** A workspace of one's own that may go. */
async function addSpare(role: MemberRole): Promise<string> {
  const { database, clock } = world.service.deps;
  const workspaceId = await world.addWorkspace(`Spare of the ${role}`);
  const userId = (await database.findUserByEmail(`${role}@example.com`))?.id ?? "";
  await database.insertMember({ workspaceId, userId, role, joinedAt: clock.now() });
  return workspaceId;
}

test("each role may do in its own workspace what the table says, and nothing in another one", async () => {
  const leaks: string[] = [];
  let callCount = 0;
  for (const role of memberRoles) {
    for (const route of ofWorkspaces) {
      const { access, name } = route;
      if (access === "anyone" || access === "user") throw new Error(`${name} names no role`);
      const foreign = await call(clientOf(role), route, { workspace: foreignWorkspace });
      if (foreign.status !== 404) leaks.push(`${role}, elsewhere: ${name}: ${foreign.status}`);
      const workspace = name === deletion ? await addSpare(role) : (known["workspace"] ?? "");
      const own = await call(clientOf(role), route, { workspace });
      const isRefused =
        /^Only an owner of|^Viewers only read/.test(own.json?.detail ?? "") ||
        // The handler looks for the thing first.
        (role !== "owner" && refusedInHandler.includes(name) && own.status === 404);
      const isExpected =
        hasRole(role, access) && (role === "owner" || !refusedInHandler.includes(name));
      if (isRefused === isExpected || own.status === 401) {
        leaks.push(`${role}: ${name}: ${own.status} ${own.text.slice(0, 200)}`);
      }
      callCount += 2;
    }
  }
  process.stdout.write(
    `${callCount} calls by ${memberRoles.length} roles, ${leaks.length} leaks\n`,
  );
  expect(leaks).toEqual([]);
  expect(callCount).toBe(ofWorkspaces.length * memberRoles.length * 2);
  expect(callCount).toBeGreaterThan(400);
});

test("no page of a viewer names a channel, its destination, a key or a note", async () => {
  const pages = ofWorkspaces.filter(({ name }) => name.startsWith("GET"));
  const found: Record<string, string[]> = { viewer: [], member: [] };
  for (const role of ["viewer", "member"] as const) {
    for (const route of pages) {
      if (role === "viewer" && route.access !== "viewer") continue;
      const { text } = await call(clientOf(role), route, known);
      if (text.includes(hidden)) found[role]?.push(route.name);
    }
  }
  expect(found["viewer"]).toEqual([]);
  // The same pages show them to members, so the search is able to find them.
  expect(found["member"]?.length).toBeGreaterThan(3);
});
