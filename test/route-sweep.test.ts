// Every route that the router knows belongs to a class, and each class is attacked: without credentials, with those of
// another class or workspace, with other methods, malformed ids and bodies that are too large. A new route fails here
// until it is classified. Foreign ids of the dashboard's API are in src/dashboard-api/access.test.ts.
import { afterAll, beforeAll, expect, test } from "vitest";
import { endpoints } from "../src/api/endpoints.ts";
import { manageRoutes } from "../src/api/manage/routes.ts";
import { routes as dashboardRoutes } from "../src/dashboard-api/routes.ts";
import { signRecipientLink } from "../src/use-cases/channels/email-recipients.ts";
import { createKey } from "./support/acts.ts";
import { type DashboardFixture, openDashboardFixture } from "./support/dashboard.ts";
import { anApp, aReview, saveReviews } from "./support/factories.ts";
import { classes, type RouteClass } from "./support/route-classes.ts";
import { takeTurn } from "./support/volume.ts";

/** Those of the dashboard's table that need no session, because they begin one. */
const withoutSession = [
  "GET /session",
  "GET /session/ways",
  "POST /join/look",
  "POST /join/sign-up",
  "POST /session/forgotten-password",
  "POST /session/known-browser",
  "POST /session/provider",
  "POST /session/reset-password",
  "POST /session/sign-in",
  "POST /session/sign-in-link",
  "POST /setup",
  "POST /setup/look",
  "POST /shared",
];
const builtFile =
  /^\/(?:assets\/[\w.-]+|[\w-]+\.(?:html|ico|js|json|png|svg|txt|webmanifest|woff2))$/;

const consolePath = "/console/api";
const noId = "00000000-0000-4000-8000-000000000000";
const largeBody = JSON.stringify({ name: "x".repeat(100_000) });

let world: DashboardFixture;
let sweep: { method: string; path: string; class: RouteClass | null }[];
/** Credentials of the workspace, and of another one. */
let cookie: string;
let feedToken: string;
let shareToken: string;
let mailTokens: Record<"confirm" | "stop", string>;
/** Makes a key of a workspace: each has a limit of its own. */
let newKey: (workspaceId?: string, scope?: string) => Promise<string>;
let foreignWorkspace: string;
let foreignKey: string;
let ids: { app: string; review: string };

beforeAll(async () => {
  world = await openDashboardFixture({ env: { METRICS_PORT: "0" } });
  const { deps, workspaceId, routes } = world.service;
  sweep = routes.map(({ method, path }) => {
    const plain = path.replace(/(:\w+)\{(?:[^{}]|\{[^}]*\})*\}/g, "$1");
    return { method, path: plain, class: classify(plain) };
  });
  const owner = await world.signIn({ email: "owner@example.com" });
  cookie = owner.cookie();
  const base = `/workspaces/${workspaceId}`;
  const { views } = (await owner.post(`${base}/views`, { name: "Bad", query: "rating=1" })).json;
  const link = async (body: object) => (await owner.post(`${base}/links`, body)).json.path;
  feedToken = (await link({ kind: "feed", viewId: views[0].id, days: 30 })).split("/").at(-1);
  const shared = { kind: "overview", query: "", isFrozen: false, days: 30 };
  shareToken = (await link(shared)).split("#").at(-1);
  const recipient = { workspaceId, address: "ann@example.com", endsAtMs: 0 };
  const sign = (purpose: "confirm" | "stop") =>
    signRecipientLink(deps.cursorKeys[0], { ...recipient, purpose });
  mailTokens = { confirm: sign("confirm"), stop: sign("stop") };
  const app = await anApp(deps.database, { workspaceId });
  const [review] = await saveReviews(deps.database, app, [aReview()]);
  ids = { app: app.id, review: review?.id ?? "" };
  newKey = async (owned = workspaceId, scope = "read") =>
    (await createKey({ ...deps, actor: "test" }, { workspaceId: owned, name: "Key", scope })).key;
  foreignWorkspace = await world.addWorkspace("Elsewhere");
  foreignKey = await newKey(foreignWorkspace);
});
afterAll(() => world.close());

function classify(path: string): RouteClass | null {
  if (Object.hasOwn(classes, path)) return classes[path] ?? null;
  if (managedMethods(path).length > 0) return "managing key";
  const ofTable = dashboardRoutes.filter(
    ({ name }) => `${consolePath}${name.split(" ")[1]}` === path,
  );
  if (ofTable.length > 0) return "session";
  return builtFile.test(path) ? "public" : null;
}

function pathsOf(named: RouteClass): string[] {
  const found = new Set(sweep.filter((one) => one.class === named).map(({ path }) => path));
  if (found.size === 0) throw new Error(`no route is of the class ${named}`);
  return [...found];
}

const toRouterPath = (path: string): string => `/api/v1${path}`.replace(/\{(\w+)\}/, ":$1");

/** The methods that the routes of the set-up have at a path. */
const managedMethods = (path: string): string[] =>
  manageRoutes()
    .filter((route) => toRouterPath(route.path) === path)
    .map(({ method }) => method.toUpperCase());

const fill = (path: string, id = noId): string =>
  path.replace(/\/:\w+\?/, "").replace(/:\w+/g, () => id);

let callCount = 0;

/** Each call comes from another network: limits of an address are tested elsewhere. */
async function call(method: string, path: string, init: RequestInit = {}, url = world.service.url) {
  callCount += 1;
  const address = `2001:${(callCount >> 16).toString(16)}:${(callCount & 65_535).toString(16)}::1`;
  const headers = { origin: url, "x-forwarded-for": address, ...init.headers };
  const response = await fetch(`${url}${path}`, { redirect: "manual", ...init, method, headers });
  const text = await response.text();
  const line = `${method} ${path.slice(0, 200)}: ${response.status}`;
  expect(response.status, line).toBeLessThan(500);
  expect(response.headers.get("x-content-type-options"), line).toBe("nosniff");
  if (response.status >= 400) {
    expect(text, line).not.toMatch(/\n\s+at |node_modules|SQLSTATE|select |Harbour Apps/);
  }
  return { status: response.status, text, line };
}

const bearer = (key: string) => ({ headers: { authorization: `Bearer ${key}` } });
const jsonBody = (body: string, session?: string) => ({
  headers: { "content-type": "application/json", ...(session && { cookie: session }) },
  body,
});

test("every route of the router is classified, and every class has routes", () => {
  const unknown = sweep
    .filter((one) => one.class === null)
    .map(({ method, path }) => `${method} ${path}`);
  expect(unknown).toEqual([]);
  const known = new Set(sweep.map(({ path }) => path));
  expect(Object.keys(classes).filter((path) => !known.has(path))).toEqual([]);
  const anyone = dashboardRoutes.filter(({ access }) => access === "anyone");
  expect(anyone.map(({ name }) => name).sort()).toEqual(withoutSession);
  expect(pathsOf("API key").sort()).toEqual(endpoints.map(({ path }) => toRouterPath(path)).sort());
});

test("public routes answer everybody alike", async () => {
  for (const path of pathsOf("public").filter((one) => !one.includes("/:"))) {
    const plain = await call("GET", path);
    expect([200, 302], plain.line).toContain(plain.status);
    const withKey = await call("GET", path, bearer(foreignKey));
    expect([withKey.status, withKey.text], path).toEqual([plain.status, plain.text]);
  }
});

test("no credential opens routes of another class", async () => {
  const { key } = world.service;
  const tokens = [
    "",
    "x",
    `${key}x`,
    key.slice(0, -1),
    feedToken,
    shareToken,
    mailTokens.stop,
    cookie,
  ];
  for (const path of pathsOf("API key").map((one) => fill(one))) {
    for (const token of tokens) {
      expect((await call("GET", path, bearer(token))).status, path).toBe(401);
    }
    expect((await call("GET", path, { headers: { cookie } })).status, path).toBe(401);
    expect((await call("GET", `${path}?key=${key}&api_key=${key}`)).status, path).toBe(401);
  }
  for (const { method, path } of manageRoutes()) {
    const target = fill(toRouterPath(path));
    const name = method.toUpperCase();
    const { headers } = jsonBody("{}", cookie);
    const body = method === "get" ? {} : { body: "{}" };
    for (const token of tokens) {
      const request = { ...body, headers: { ...headers, ...bearer(token).headers } };
      expect((await call(name, target, request)).status, `${name} ${path}`).toBe(401);
    }
    const reader = { ...body, headers: { ...headers, ...bearer(await newKey()).headers } };
    expect((await call(name, target, reader)).status, `${name} ${path}`).toBe(403);
  }
  for (const path of pathsOf("API key and POST")) {
    for (const token of tokens) {
      const { headers } = jsonBody("{}", cookie);
      const request = { body: "{}", headers: { ...headers, ...bearer(token).headers } };
      expect((await call("POST", path, request)).status, path).toBe(401);
    }
  }
  for (const token of [key, mailTokens.stop, shareToken, "x".repeat(43), `${feedToken}x`]) {
    expect((await call("GET", `/feeds/${token}`)).status).toBe(404);
  }
  const endless = signRecipientLink(Buffer.alloc(32), {
    workspaceId: noId,
    address: "",
    endsAtMs: 0,
    purpose: "stop",
  });
  for (const token of [
    key,
    feedToken,
    shareToken,
    endless,
    mailTokens.confirm,
    `${mailTokens.stop}x`,
  ]) {
    for (const method of ["GET", "POST"]) {
      expect((await call(method, `/mail/stop/${token}`)).status).toBe(404);
    }
  }
  expect((await call("POST", `/mail/confirm/${mailTokens.stop}`)).status).toBe(404);
});

test("routes of the dashboard's table need a session of their own", async () => {
  for (const { name } of dashboardRoutes) {
    const [method = "", path = ""] = name.split(" ");
    if (withoutSession.includes(name)) continue;
    const body = method === "GET" ? {} : { body: "{}" };
    for (const [token, session] of [
      [world.service.key, feedToken],
      [shareToken, shareToken],
    ] as const) {
      const headers = {
        "content-type": "application/json",
        ...bearer(token).headers,
        cookie: `starpost=${session}`,
      };
      const target = `${consolePath}${fill(path)}`;
      const { status, line } = await call(method, target, { headers, ...body });
      expect(status, line).toBe(401);
    }
  }
});

test("a key of another workspace reads nothing, and can't tell foreign ids from unknown ones", async () => {
  const key = await newKey(foreignWorkspace);
  const withoutId = (text: string): string => text.replace(/"requestId":"[^"]*"/, "");
  for (const path of pathsOf("API key")) {
    const isOne = path.includes(":review");
    const answers = [];
    for (const known of [true, false]) {
      const review = known ? ids.review : noId;
      const target = isOne ? fill(path, review) : `${path}?app=${known ? ids.app : noId}`;
      answers.push(await call("GET", target, bearer(key)));
    }
    const [foreign, unknown] = answers;
    expect([400, 404], foreign?.line).toContain(foreign?.status);
    expect(withoutId(foreign?.text ?? "")).toBe(withoutId(unknown?.text ?? ""));
  }
});

test("other methods are refused on every route", async () => {
  const methodsOf = new Map<string, Set<string>>();
  for (const { method, path, class: found } of sweep) {
    if (found === "before a handler") continue;
    const methods = methodsOf.get(path) ?? new Set();
    if (found === "API key and POST") {
      methodsOf.set(path, new Set(["POST"]));
      continue;
    }
    const managed = managedMethods(path);
    if (managed.length > 0) {
      methodsOf.set(path, new Set([...managed, ...(found === "API key" ? ["GET"] : [])]));
      continue;
    }
    // ALL refuses all methods but those of the table; in the read API it answers GET.
    methodsOf.set(path, methods.add(method === "ALL" && found !== "session" ? "GET" : method));
  }
  const { key } = world.service;
  for (const [path, methods] of methodsOf) {
    for (const method of ["GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "PROPFIND"]) {
      if (methods.has(method)) continue;
      const { status, line } = await call(method, fill(path), {
        headers: { cookie, ...bearer(key).headers },
      });
      expect([404, 405, 429], line).toContain(status);
    }
  }
});

test("malformed ids are not found, with every route that has one", async () => {
  const reader = await newKey();
  const malformed = [
    "x",
    "%00",
    "%ff",
    "..%2f..%2fetc%2fpasswd",
    `${noId}0`,
    "1%27%20or%20%271",
    "x".repeat(5_000),
  ];
  let turn = 0;
  for (const path of new Set(sweep.map((one) => one.path).filter((one) => one.includes(":")))) {
    const names = [...path.matchAll(/:\w+\??/g)].map(([name]) => name);
    const isManaged = classify(path) === "managing key";
    // A workspace makes at most 60 changes a minute, refused ones included.
    const key = isManaged ? await newKey(await world.addWorkspace("Sweep"), "manage") : reader;
    for (const name of names) {
      turn += 1;
      for (const id of takeTurn(malformed, turn)) {
        const target = fill(path.replace(name, id));
        const method = managedMethods(path)[0] ?? "GET";
        const { status, line, text } = await call(method, target, bearer(key));
        expect([400, 404], `${line} ${text}`).toContain(status);
      }
    }
  }
});

test("bodies that are too large are refused, with a session and without", async () => {
  const key = await newKey(foreignWorkspace);
  for (const { name, body } of dashboardRoutes) {
    const [method = "", path = ""] = name.split(" ");
    if (!body) continue;
    const target = `${consolePath}${fill(path.replace(":workspace", world.service.workspaceId))}`;
    for (const session of [cookie, undefined]) {
      const { status, line } = await call(method, target, jsonBody(largeBody, session));
      const isOpen = session !== undefined || withoutSession.includes(name);
      expect(status, line).toBe(isOpen ? 413 : 401);
    }
  }
  for (const path of ["stop", "confirm"] as const) {
    const { status } = await call("POST", `/mail/${path}/${mailTokens[path]}`, { body: largeBody });
    expect(status).toBe(413);
  }
  const forAll = { workspaceId: world.service.workspaceId, address: "", endsAtMs: 0 };
  const own = signRecipientLink(world.service.deps.cursorKeys[0], { ...forAll, purpose: "stop" });
  for (const type of ["multipart/form-data", "multipart/form-data; boundary=x", "x"]) {
    const form = { headers: { "content-type": type }, body: "--x\r\n" };
    expect((await call("POST", `/mail/stop/${own}`, form)).status).toBe(200);
  }
  for (const path of pathsOf("API key and POST")) {
    const { body, headers } = jsonBody(largeBody);
    const accept = "application/json, text/event-stream";
    const request = { body, headers: { ...headers, ...bearer(key).headers, accept } };
    expect((await call("POST", path, request)).status, path).toBe(413);
  }
  for (const { method, path, body, bodyBytesMax } of manageRoutes()) {
    if (body === null || bodyBytesMax !== undefined) continue;
    // A workspace has a limit of writes.
    const managing = await newKey(await world.addWorkspace("Large"), "manage");
    const { headers } = jsonBody("");
    const request = { headers: { ...headers, ...bearer(managing).headers }, body: largeBody };
    const { status, line } = await call(method.toUpperCase(), fill(toRouterPath(path)), request);
    expect(status, line).toBe(413);
  }
  for (const path of pathsOf("API key").map((one) => fill(one))) {
    const isWritten = managedMethods(path).includes("POST");
    const refused = (await call("POST", path, jsonBody(largeBody))).status;
    expect(refused, path).toBe(isWritten ? 401 : 405);
    const query = await call("GET", `${path}?app=${"x".repeat(20_000)}`, bearer(key));
    expect([400, 429], query.line).toContain(query.status);
  }
});

test("the port for figures answers GET /metrics alone, without a tenant's text, and the other port never", async () => {
  const url = new URL(String(world.service.metricsUrl)).origin;
  const { status, text } = await call("GET", "/metrics", {}, url);
  expect([status, text.includes("Harbour Apps")]).toEqual([200, false]);
  for (const method of ["POST", "PUT", "DELETE", "OPTIONS"]) {
    const init = method === "OPTIONS" ? {} : { body: largeBody };
    expect((await call(method, "/metrics", init, url)).status).toBe(405);
  }
  for (const path of [
    "/",
    "/metrics/",
    "/metrics?x",
    "/..%2fmetrics",
    "/api/v1/apps",
    "/console/api/session",
  ]) {
    expect((await call("GET", path, bearer(world.service.key), url)).status).toBe(404);
  }
  expect((await call("GET", "/metrics")).status).toBe(404);
});

test("without HOST both ports are closed to other addresses of the machine", async () => {
  for (const url of [world.service.url, String(world.service.metricsUrl)]) {
    const { port } = new URL(url);
    const refused = { cause: { code: "ECONNREFUSED" } };
    await expect(fetch(`http://127.0.0.2:${port}/`)).rejects.toMatchObject(refused);
  }
});
