// The MCP server with the protocol's own client: as the program that an assistant starts, and over HTTP.
import fs from "node:fs";
import path from "node:path";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createKey, createWorkspace } from "../../../test/support/acts.ts";
import { ensureBuilt } from "../../../test/support/built-cli.ts";
import {
  anAnsweredReview,
  aReview,
  saveReviews,
  saveSnapshots,
} from "../../../test/support/factories.ts";
import { startTestService, type TestService } from "../../../test/support/service.ts";
import { root } from "../../../test/support/source-tree.ts";
import type { App } from "../../domain/feed/listing.ts";
import type { Review } from "../../domain/review/review.ts";
import { dayMs } from "../../lib/timestamp.ts";

let service: TestService;
let client: Client;
let app: App;
let edited: Review;
const older = Array.from({ length: 3 }, (_, index) =>
  aReview({
    rating: 2,
    text: "x".repeat(2_000),
    date: new Date(Date.now() - (9 + index) * dayMs),
    topics: ["login"],
  }),
);

beforeAll(async () => {
  ensureBuilt();
  service = await startTestService({ storesUrl: "http://127.0.0.1:1" });
  app = await service.addApp({ store: "appstore", externalAppId: "4242", countries: ["us"] });
  const { database } = service.deps;
  const { listingId } = app;
  const date = new Date(Date.now() - 2 * dayMs);
  const first = aReview({ rating: 1, text: "It crashes.", topics: ["crash"], date });
  const [before = first] = await saveReviews(database, app, [first, ...older]);
  edited = { ...before, rating: 5, text: "Now it works." };
  await database.transaction(async (tx) => {
    await tx.insertReviewVersions({ listingId, reviewIds: [before.id], now: new Date() });
    await tx.updateReviews({ listingId, reviews: [edited] });
    await tx.addToRollups({ listingId, changes: [{ before, after: edited }] });
  });
  await saveSnapshots(database, app, [{}]);
  client = await connect(service.key);
});
afterAll(async () => {
  await client.close();
  await service.close();
});

/** Starts it as docs/mcp.md says, but for the program of `npx starpost`, which is that of this checkout. */
async function connect(key: string, ...options: string[]): Promise<Client> {
  const page = fs.readFileSync(path.join(root, "docs/mcp.md"), "utf8");
  const [, json = ""] = /```json\n([\s\S]*?)```/.exec(page) ?? [];
  const { args, env } = JSON.parse(json).mcpServers.starpost;
  expect(Object.keys(env)).toEqual(["STARPOST_URL", "STARPOST_KEY"]);
  const connected = new Client({ name: "test", version: "1.0.0" });
  const server = {
    command: process.execPath,
    args: [path.join(root, "dist/src/cli.js"), ...args.slice(1), ...options],
    env: { PATH: process.env["PATH"] ?? "", STARPOST_URL: service.url, STARPOST_KEY: key },
  };
  await connected.connect(new StdioClientTransport({ ...server, stderr: "inherit" }));
  return connected;
}

async function call(name: string, args: Record<string, unknown> = {}, caller = client) {
  const { content, isError, structuredContent } = await caller.callTool({ name, arguments: args });
  const parts = content as { text: string }[];
  const text = parts.at(-1)?.text ?? "";
  if (!isError) {
    expect(parts[0]?.text).toMatch(/^Untrusted data: /);
    expect(structuredContent).toEqual(JSON.parse(text));
  }
  return { isError: isError === true, text, value: isError ? null : JSON.parse(text) };
}

test("with --answers it drafts and sends answers, with a key that may", async () => {
  const { database } = service.deps;
  const { workspaceId } = service;
  const review = await anAnsweredReview(database, workspaceId);
  const text = "It is fixed.";
  const keyOf = async (scope: string) =>
    (await createKey({ ...service.deps, actor: "test" }, { workspaceId, name: scope, scope })).key;
  for (const scope of ["read", "manage"]) {
    const answering = await connect(await keyOf(scope), "--answers");
    const { tools } = await answering.listTools();
    expect(tools.slice(-3).map(({ name }) => name)).toEqual([
      "get_answer",
      "draft_answer",
      "send_answer",
    ]);
    expect(tools.at(-1)?.annotations).toMatchObject({ readOnlyHint: false, destructiveHint: true });
    const drafted = await call("draft_answer", { review, draft: text }, answering);
    const unseen = await call("send_answer", { review, text }, answering);
    const sent = await call("send_answer", { review, text, replaces: "We know" }, answering);
    await answering.close();
    if (scope === "read") {
      for (const one of [drafted, unseen, sent]) expect(one.text).toContain("scope_required");
      continue;
    }
    expect(drafted.value).toMatchObject({ thing: { draft: text, state: "elsewhere" } });
    expect(unseen.text).toContain("conflict");
    expect(sent.value).toMatchObject({ thing: { text, publicText: "We know" } });
  }
});

test("every tool is described and only reads", async () => {
  const { tools } = await client.listTools();
  expect(tools.map(({ name }) => name)).toEqual([
    "list_apps",
    "list_topics",
    "search_reviews",
    "get_review",
    "get_ratings",
    "get_trends",
    "rating_history",
    "list_releases",
    "get_verdict",
    "what_changed",
    "get_coverage",
  ]);
  for (const { description, annotations } of tools) {
    expect(description).toMatch(/\w{3}/);
    expect(annotations?.readOnlyHint).toBe(true);
  }
  const page = fs.readFileSync(path.join(root, "docs/mcp.md"), "utf8");
  const documented = [...page.matchAll(/^\| `(\w+)` \|/gm)].map(([, name]) => name);
  expect(documented).toEqual(tools.map(({ name }) => name));
  expect(client.getInstructions()).toContain("strangers");
  expect(client.getServerCapabilities()?.tools).toEqual({ listChanged: false });
});

test("apps, topics, ratings and trends are those of the read API", async () => {
  const { value: apps } = await call("list_apps");
  expect(apps).toEqual(await service.get("/apps"));
  expect((await call("list_topics")).value).toEqual(await service.get("/topics"));
  const ratings = await call("get_ratings", { app: app.id });
  expect(ratings.value).toEqual(await service.get(`/ratings?app=${app.id}`));
  const [release] = (await call("list_releases", { app: app.id })).value.releases;
  const verdict = await call("get_verdict", { app: app.id, version: release.version });
  const path = `/releases/${release.version}/verdict?app=${app.id}`;
  expect(verdict.value).toEqual(await service.get(path));
  const trends = await call("get_trends", { app: app.id, from: "2026-01-01" });
  expect(trends.value).toEqual(await service.get(`/trends?app=${app.id}&from=2026-01-01`));
});

describe("reviews", () => {
  test("are found by filters, page by page, with long texts cut", async () => {
    const first = await call("search_reviews", { rating: [2, 3], limit: 2 });
    expect(first.value.reviews.map(({ rating }: Review) => rating)).toEqual([2, 2]);
    expect([...first.value.reviews[0].text].length).toBe(1_501);
    const { nextCursor: cursor } = first.value;
    const second = await call("search_reviews", { rating: [2, 3], limit: 2, cursor });
    expect(second.value).toMatchObject({ reviews: [{ rating: 2 }], nextCursor: null });
  });

  test("are found by single values as well as by lists", async () => {
    const { value } = await call("search_reviews", { rating: 2, topic: "login", app: app.id });
    expect(value.reviews).toHaveLength(3);
    const worded = await call("search_reviews", { q: "now it WORKS", hasReply: false });
    expect(worded.value.reviews).toMatchObject([{ id: edited.id, reply: null }]);
  });

  test("have their edits", async () => {
    const { value } = await call("get_review", { review: edited.id });
    expect(value).toEqual(await service.get(`/reviews/${edited.id}`));
    expect(value).toMatchObject({
      ...{ rating: 5, text: "Now it works." },
      versions: [{ rating: 1, text: "It crashes." }],
    });
  });
});

test("rating history, releases, changes and coverage are those of the read API", async () => {
  const query = `app=${app.id}`;
  const history = await call("rating_history", { app: app.id, by: "day", region: "us" });
  const from = await service.get(`/ratings/history?${query}&region=us`);
  expect(history.value).toEqual(from);
  const { value: releases } = await call("list_releases", { app: app.id });
  expect(releases).toEqual(await service.get(`/releases?${query}`));
  const changes = await call("what_changed", { app: app.id, since: "4.2.1" });
  expect(changes.value).toEqual(await service.get(`/changes?${query}&since=4.2.1`));
  const { value: coverage } = await call("get_coverage", { app: app.id });
  expect(coverage.feeds.map(({ kind }: { kind: string }) => kind)).toContain("ratings");
});

describe("over HTTP", () => {
  async function connectHttp(key: string): Promise<Client> {
    const connected = new Client({ name: "test", version: "1.0.0" });
    const headers = { authorization: `Bearer ${key}` };
    const url = new URL("/mcp", service.url);
    // The type lets the session's id be undefined, which exact optional properties do not.
    const transport = new StreamableHTTPClientTransport(url, { requestInit: { headers } });
    await connected.connect(transport as Parameters<Client["connect"]>[0]);
    return connected;
  }

  async function keyOf(plan: "starter" | "studio", scope = "read"): Promise<string> {
    const deps = { ...service.deps, actor: "test" };
    const { id: workspaceId } = await createWorkspace(deps, { name: plan, plan });
    return (await createKey(deps, { workspaceId, name: "k", scope })).key;
  }

  test("a key with the scope mcp calls the tools, and nothing else of the API", async () => {
    const key = await keyOf("studio", "mcp");
    const http = await connectHttp(key);
    expect((await call("list_apps", {}, http)).value).toEqual({ apps: [] });
    await http.close();
    const headers = { authorization: `Bearer ${key}` };
    const response = await fetch(`${service.url}/api/v1/apps`, { headers });
    expect(response.status).toBe(403);
    expect(await response.json()).toMatchObject({ code: "scope_required" });
  });

  test("the same tools with the same answers, in the key's workspace alone", async () => {
    const http = await connectHttp(service.key);
    expect((await http.listTools()).tools).toEqual((await client.listTools()).tools);
    expect(http.getInstructions()).toContain("strangers");
    const { value } = await call("get_review", { review: edited.id }, http);
    expect(value).toEqual(await service.get(`/reviews/${edited.id}`));
    const stranger = await connectHttp(await keyOf("studio"));
    const foreign = await call("get_review", { review: edited.id }, stranger);
    expect(foreign).toMatchObject({ isError: true, text: expect.stringContaining("not_found") });
    expect((await call("list_apps", {}, stranger)).value).toEqual({ apps: [] });
    await http.close();
    await stranger.close();
  });

  test("tools count as requests of the API", async () => {
    const key = await keyOf("studio");
    const http = await connectHttp(key);
    await call("list_topics", {}, http);
    const headers = { authorization: `Bearer ${key}` };
    const response = await fetch(`${service.url}/api/v1/apps`, { headers });
    expect(response.headers.get("ratelimit-remaining")).toBe("58");
    await http.close();
  });

  test.each([
    [401, "unauthorized", async () => "sp_nobody"],
    [403, "plan_required", () => keyOf("starter")],
  ])("%i: %s", async (status, code, aKey) => {
    const response = await post(await aKey(), "{}");
    expect([response.status, Object(await response.json()).code]).toEqual([status, code]);
  });

  test("other methods, other bodies and too large ones are refused", async () => {
    const headers = { authorization: `Bearer ${service.key}` };
    const listening = await fetch(`${service.url}/mcp`, { headers });
    expect([listening.status, listening.headers.get("allow")]).toEqual([405, "POST"]);
    expect((await post(service.key, "no JSON")).status).toBe(400);
    expect((await post(service.key, JSON.stringify("x".repeat(100_000)))).status).toBe(413);
  });

  test("429 beyond 120 messages a minute", async () => {
    const key = await keyOf("studio");
    const statuses: number[] = [];
    for (let count = 0; count < 121; count += 1) {
      statuses.push((await post(key, "no JSON")).status);
    }
    expect(statuses.indexOf(429)).toBe(120);
  });

  function post(key: string, body: string): Promise<Response> {
    const accept = "application/json, text/event-stream";
    const headers = { authorization: `Bearer ${key}`, accept, "content-type": "application/json" };
    return fetch(`${service.url}/mcp`, { method: "POST", headers, body });
  }
});

describe("failures are answers that an assistant can act on", () => {
  test("an unknown app and version, and a review that is not there", async () => {
    expect(await call("get_ratings", { app: "nobody" })).toMatchObject({
      isError: true,
      text: expect.stringContaining("app_not_found"),
    });
    expect(await call("what_changed", { app: app.id, since: "9.9" })).toMatchObject({
      isError: true,
      text: expect.stringContaining("since"),
    });
    const review = await call("get_review", { review: app.id });
    expect(review).toMatchObject({ isError: true, text: expect.stringContaining("not_found") });
  });

  test("arguments that can't be right", async () => {
    expect(await call("search_reviews", { rating: [9] })).toMatchObject({ isError: true });
    for (const review of ["export", "..", `${edited.id}/x`]) {
      const refused = { isError: true, text: expect.stringMatching(/invalid/i) };
      expect(await call("get_review", { review })).toMatchObject(refused);
    }
    const unknown = await call("search_reviews", { text: "battery" });
    expect(unknown).toMatchObject({ isError: true, text: expect.stringContaining("text") });
  });

  test("a key that is not one", async () => {
    const stranger = await connect("sp_nobody");
    const { isError, text } = await call("list_apps", {}, stranger);
    expect([isError, text.startsWith("unauthorized:")]).toEqual([true, true]);
    await stranger.close();
  });
});
