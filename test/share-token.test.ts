// The secret of a link that shares a page, tried on every route of the dashboard and in every place of a request: it
// opens the page of its link and nothing else.
import { afterAll, beforeAll, expect, test } from "vitest";
import { routes } from "../src/dashboard-api/routes.ts";
import { type DashboardFixture, openDashboardFixture } from "./support/dashboard.ts";
import { anApp } from "./support/factories.ts";

const api = "/console/api";

let world: DashboardFixture;
let token: string;
/** Ids that exist, by the name of the parameter. */
let ids: Record<string, string>;
let callCount = 0;

beforeAll(async () => {
  world = await openDashboardFixture();
  const { deps, workspaceId } = world.service;
  const owner = await world.signIn({ email: "owner@example.com" });
  const { id: app } = await anApp(deps.database, { workspaceId });
  const shared = { kind: "overview", query: "", isFrozen: false, days: 30 };
  const { path } = (await owner.post(`/workspaces/${workspaceId}/links`, shared)).json;
  token = path.split("#").at(-1);
  ids = { workspace: workspaceId, app };
});
afterAll(() => world.close());

/** Each call comes from another network: limits of an address are tested elsewhere. */
async function call(name: string, request: { path?: string; headers?: object; body?: object }) {
  callCount += 1;
  const [method = "", pattern = ""] = name.split(" ");
  const { url } = world.service;
  const path = pattern.replace(/:(\w+)/g, (_, id: string) => ids[id] ?? ids["workspace"] ?? "");
  const response = await fetch(`${url}${api}${path}${request.path ?? ""}`, {
    method,
    headers: {
      origin: url,
      "content-type": "application/json",
      "x-forwarded-for": `2001:db8:${callCount.toString(16)}::1`,
      ...request.headers,
    },
    ...(method !== "GET" && { body: JSON.stringify(request.body ?? {}) }),
  });
  const text = await response.text();
  return { status: response.status, text, line: `${name}: ${response.status} ${text}` };
}

const open = (body: object, path = "") => call("POST /shared", { body, path });

test("opens its page, whatever else the request names", async () => {
  const page = await open({ token });
  expect(JSON.parse(page.text).content).toMatchObject({ kind: "overview", app: null });
  const foreign = await world.addWorkspace("Elsewhere");
  const chosen = { workspaceId: foreign, app: ids["app"], kind: "view", query: "rating=1" };
  for (const [field, value] of Object.entries(chosen)) {
    expect((await open({ token, [field]: value })).status).toBe(400);
  }
  const unchanged = await open({ token }, `?workspace=${foreign}&app=${ids["app"]}`);
  expect(JSON.parse(unchanged.text).content).toEqual(JSON.parse(page.text).content);
});

test("is refused when it is changed, cut or of another kind", async () => {
  for (const wrong of [`${token}x`, token.slice(1), token.toLowerCase(), "", world.service.key]) {
    const { status, line } = await open({ token: wrong });
    expect(status, line).toBe(404);
  }
  const { url } = world.service;
  expect((await fetch(`${url}/feeds/${token}`)).status).toBe(404);
  const headers = { authorization: `Bearer ${token}` };
  expect((await fetch(`${url}/api/v1/apps`, { headers })).status).toBe(401);
});

const places = {
  "search parameters": () => ({ path: `?token=${token}&shared=${token}` }),
  "the authorization header": () => ({ headers: { authorization: `Bearer ${token}` } }),
  "the session's cookie": () => ({ headers: { cookie: `starpost=${token}` } }),
  "the body": () => ({ body: { token } }),
};

test("opens no route of the dashboard's table that needs a session, from any place", async () => {
  const closed = routes.filter(({ access }) => access !== "anyone");
  const leaks: string[] = [];
  let tried = 0;
  for (const { name } of closed) {
    for (const [place, request] of Object.entries(places)) {
      const { status, line } = await call(name, request());
      if (status !== 401) leaks.push(`${place}: ${line}`);
      tried += 1;
    }
  }
  expect([leaks, tried]).toEqual([[], 4 * closed.length]);
  expect(closed.length).toBeGreaterThan(80);
});

test("is like an unknown token on routes that need no session", async () => {
  const others = routes.filter(
    ({ access, name }) => access === "anyone" && name !== "POST /shared",
  );
  const account = { name: "Eve", email: "eve@example.com", password: "Seventeen-quiet-otters" };
  const withoutId = (text: string) => text.replace(/"requestId":"[^"]*"/, "");
  for (const { name } of others) {
    const read = async (secret: string) => {
      const answers = [];
      for (const more of [{}, account, { password: account.password }]) {
        const headers = { cookie: `starpost=${secret}` };
        const { status, text } = await call(name, { headers, body: { ...more, token: secret } });
        answers.push([status, withoutId(text)]);
      }
      return answers;
    };
    expect(await read(token), name).toEqual(await read("x".repeat(43)));
  }
  expect(others.length).toBeGreaterThan(5);
});
