// The MCP server with the protocol's own client: in this process over a real service, and as the program that
// an assistant starts.
import fs from "node:fs";
import path from "node:path";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { ensureBuilt } from "../../test/support/built-cli.ts";
import { aReview, saveReviews, saveSnapshots } from "../../test/support/factories.ts";
import { startTestService, type TestService } from "../../test/support/service.ts";
import { root } from "../../test/support/source-tree.ts";
import type { App } from "../domain/listing.ts";
import type { Review } from "../domain/review.ts";
import { dayMs } from "../lib/timestamp.ts";

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
async function connect(key: string): Promise<Client> {
  const page = fs.readFileSync(path.join(root, "docs/mcp.md"), "utf8");
  const [, json = ""] = /```json\n([\s\S]*?)```/.exec(page) ?? [];
  const { args, env } = JSON.parse(json).mcpServers.starpost;
  expect(Object.keys(env)).toEqual(["STARPOST_URL", "STARPOST_KEY"]);
  const connected = new Client({ name: "test", version: "1.0.0" });
  const server = {
    command: process.execPath,
    args: [path.join(root, "dist/src/cli.js"), ...args.slice(1)],
    env: { PATH: process.env["PATH"] ?? "", STARPOST_URL: service.url, STARPOST_KEY: key },
  };
  await connected.connect(new StdioClientTransport({ ...server, stderr: "inherit" }));
  return connected;
}

async function call(name: string, args: Record<string, unknown> = {}, caller = client) {
  const { content, isError } = await caller.callTool({ name, arguments: args });
  const [first] = content as { text: string }[];
  const text = first?.text ?? "";
  return { isError: isError === true, text, value: isError ? null : JSON.parse(text) };
}

test("every tool is described and only reads", async () => {
  const { tools } = await client.listTools();
  expect(tools.map(({ name }) => name)).toEqual([
    "list_apps",
    "list_topics",
    "search_reviews",
    "get_review",
    "get_ratings",
    "get_trends",
    "what_changed",
  ]);
  for (const { description, annotations } of tools) {
    expect(description).toMatch(/\w{3}/);
    expect(annotations?.readOnlyHint).toBe(true);
  }
  const page = fs.readFileSync(path.join(root, "docs/mcp.md"), "utf8");
  const documented = [...page.matchAll(/^\| `(\w+)` \|/gm)].map(([, name]) => name);
  expect(documented).toEqual(tools.map(({ name }) => name));
  expect(client.getInstructions()).toContain("strangers");
});

test("apps, topics, ratings and trends are those of the read API", async () => {
  const { value: apps } = await call("list_apps");
  expect(apps).toEqual(await service.get("/apps"));
  expect((await call("list_topics")).value).toEqual(await service.get("/topics"));
  const ratings = await call("get_ratings", { app: app.id });
  expect(ratings.value).toEqual(await service.get(`/ratings?app=${app.id}`));
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
  });

  test("have their edits", async () => {
    const { value } = await call("get_review", { review: edited.id });
    expect(value).toEqual(await service.get(`/edits?review=${edited.id}`));
    expect(value).toMatchObject({
      review: { rating: 5, text: "Now it works." },
      edits: [{ rating: 1, text: "It crashes." }],
    });
  });
});

test("what changed is the last days against those before", async () => {
  const { value } = await call("what_changed", { app: app.id, days: 7 });
  expect(value).toMatchObject({
    current: { reviews: 1, averageStars: 5 },
    previous: { reviews: 3, averageStars: 2 },
    topics: [
      { topic: "login", current: 0, previous: 3 },
      { topic: "crash", current: 1, previous: 0 },
    ],
  });
});

describe("failures are answers that an assistant can act on", () => {
  test("an unknown app, and a review that is not there", async () => {
    expect(await call("get_ratings", { app: "nobody" })).toMatchObject({
      isError: true,
      text: expect.stringContaining("app_not_found"),
    });
    const review = await call("get_review", { review: app.id });
    expect(review).toMatchObject({ isError: true, text: expect.stringContaining("not_found") });
  });

  test("arguments that can't be right", async () => {
    expect(await call("search_reviews", { rating: [9] })).toMatchObject({ isError: true });
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
