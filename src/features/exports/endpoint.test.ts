import pg from "pg";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type ApiTestContext, openApiTestContext } from "../../../test/support/api-test-context.ts";
import { anApp, aReview, saveReviews } from "../../../test/support/factories.ts";
import { fillListing } from "../../../test/support/filled-listing.ts";
import { listAuditEntries } from "../../../test/support/list-audit-entries.ts";
import { exportedReview } from "../../api/contract.ts";
import { rowsPerRequest } from "../../api/row-stream.ts";
import type { Database } from "../../database/database.ts";
import { minuteMs } from "../../lib/timestamp.ts";

const path = "/api/v1/reviews/export";
let context: ApiTestContext;
/** How many pages were read since the test began. */
let pageCount = 0;
beforeAll(async () => {
  const database: Partial<Database> = {};
  context = await openApiTestContext({ database });
  const { listReviewPage } = context.database;
  database.listReviewPage = (query) => {
    pageCount += 1;
    return listReviewPage(query);
  };
});
afterAll(() => context.close());

async function aReader(count = 0) {
  const { workspace, key } = await context.addWorkspace();
  const app = await anApp(context.database, { workspaceId: workspace.id });
  const newest = new Date("2026-11-20T10:00:00Z").getTime();
  const reviews = Array.from({ length: count }, (_, index) =>
    aReview({ date: new Date(newest - index * minuteMs), rating: 1 + (index % 5) }),
  );
  await saveReviews(context.database, app, reviews);
  return { key, app };
}

/** A response whose body is read by the test, in the time that it wants. */
async function open(key: string, query = "", method = "GET"): Promise<Response> {
  const headers = { authorization: `Bearer ${key}` };
  const request = new Request(`http://starpost.test${path}${query}`, { method, headers });
  const socket = { remoteAddress: "192.0.2.1" };
  return context.api.fetch(request, { incoming: { socket } });
}

async function readRows(key: string, query = "") {
  const { status, text } = await context.request(path + query, { key });
  expect(status, text).toBe(200);
  const lines = text.split("\n");
  expect(lines.pop()).toBe("");
  return lines.map((line) => exportedReview.strict().parse(JSON.parse(line)));
}

describe("200", () => {
  test("lines of JSON: all reviews that match, as pages have them, in their order", async () => {
    const { key, app } = await aReader(230);
    const found: unknown[] = [];
    for (let cursor = ""; ; ) {
      const list = `/api/v1/reviews?limit=100&rating=1,2&include=reply${cursor}`;
      const { reviews, nextCursor } = Object((await context.request(list, { key })).json);
      found.push(...reviews);
      if (nextCursor === null) break;
      cursor = `&cursor=${nextCursor}`;
    }
    const rows = await readRows(key, "?rating=1,2&include=reply");
    expect(rows.map(({ cursor: _, storeId: __, ...review }) => review)).toEqual(found);
    expect(rows).toHaveLength(92);
    expect(await readRows(key, `?app=${app.id}`)).toHaveLength(230);
  });

  test("is in the audit log with the key that read it", async () => {
    const { workspace, key } = await context.addWorkspace();
    await anApp(context.database, { workspaceId: workspace.id });
    await readRows(key, "?rating=1");
    const entries = await listAuditEntries(context.database, workspace.id);
    expect(entries).toContainEqual(
      expect.objectContaining({
        action: "reviews.exported",
        actor: expect.stringMatching(/^API key /),
      }),
    );
  });

  test("goes on behind any row", async () => {
    const { key } = await aReader(120);
    const rows = await readRows(key);
    for (const at of [0, 99, 118, 119]) {
      expect(await readRows(key, `?cursor=${rows[at]?.cursor}`)).toEqual(rows.slice(at + 1));
    }
  });

  test("CSV with a header, the fields of `include`, and no formulas", async () => {
    const { key, app } = await aReader();
    const reply = { text: "Thanks; see you", at: null };
    const review = aReview({
      title: null,
      text: '=HYPERLINK("x")',
      topics: ["ads", "crash"],
      reply,
    });
    await saveReviews(context.database, app, [review]);
    const { headers, text } = await context.request(`${path}?format=csv&include=reply,votes`, {
      key,
    });
    expect(headers.get("content-type")).toBe("text/csv; charset=utf-8");
    const [head = "", row = "", ...end] = text.split("\r\n");
    expect(end).toEqual([""]);
    expect(head).toMatch(/^id,store,.*,topics,storeId,reply,votes,cursor$/);
    expect(
      row
        .replace(/,[\w-]+$/, "")
        .split(",")
        .slice(3)
        .join(","),
    ).toBe(
      `riverstone,4,,"'=HYPERLINK(""x"")",,,4.2.1,us,2026-11-21T12:00:00Z,neutral,0,ads crash,${review.storeReviewId},"Thanks; see you",`,
    );
  });

  test("a search that finds nothing on many pages ends as well", async () => {
    const { key } = await aReader(1_100);
    expect(await readRows(key, "?q=nowhere")).toEqual([]);
  });

  test("a page is read when the client has taken the one before", async () => {
    const { key } = await aReader(500);
    pageCount = 0;
    const reader = (await open(key)).body?.getReader();
    expect(pageCount).toBe(0);
    await reader?.read();
    await reader?.read();
    expect(pageCount).toBe(2);
    await reader?.cancel();
    expect(pageCount).toBe(2);
  });

  test("counts as one request for each 10,000 rows", async () => {
    const { key, app } = await aReader();
    const client = new pg.Client(context.connectionString);
    await client.connect();
    await fillListing(client, { app, count: rowsPerRequest + 1 });
    await client.end();
    await context.database.updateApp({
      ...app,
      name: null,
      countries: "au br ca de es fr gb it jp us".split(" "),
    });
    const { headers, text } = await context.request(path, { key });
    expect(headers.get("ratelimit-remaining")).toBe("59");
    expect(text.split("\n")).toHaveLength(rowsPerRequest + 2);
    const after = await context.request("/api/v1/apps", { key });
    expect(after.headers.get("ratelimit-remaining")).toBe("57");
  });
});

test("waits while the rate limit is used up, and ends when the client leaves meanwhile", async () => {
  const { key, app } = await aReader();
  const client = new pg.Client(context.connectionString);
  await client.connect();
  await fillListing(client, { app, count: rowsPerRequest + 1 });
  await client.query("update apps set countries = $1 where id = $2", [
    "au br ca de es fr gb it jp us".split(" "),
    app.id,
  ]);
  await client.end();
  const reader = (await open(key)).body?.getReader();
  for (let count = 0; count < 59; count += 1) await context.request("/api/v1/topics", { key });
  for (let rows = 0; rows < rowsPerRequest; ) {
    rows += new TextDecoder().decode((await reader?.read())?.value).split("\n").length - 1;
  }
  const last = reader?.read();
  expect((await context.request("/api/v1/topics", { key })).status).toBe(429);
  // Something within 15 seconds, so that no proxy takes the stream for dead: a line that readers skip.
  expect(new TextDecoder().decode((await last)?.value)).toBe("\n");
  const next = reader?.read();
  await reader?.cancel();
  expect(await next).toEqual({ done: true, value: undefined });
  // The process answers others, so nothing asks the limit again and again.
  expect((await context.request("/api/v1/apps")).status).toBe(200);
  context.clock.advance(minuteMs);
  expect((await open(key, "", "HEAD")).status).toBe(200);
});

describe("400", () => {
  test.each(["?limit=10", "?updatedSince=2026-01-01T00:00:00Z", "?format=xml", "?cursor=AAAA"])(
    "%s gets a problem document",
    async (query) => {
      const { status, json } = await context.request(path + query);
      expect(status).toBe(400);
      expect(Object(json).code).toMatch(/^invalid_(parameter|cursor)$/);
    },
  );

  test("a cursor of other filters", async () => {
    const { key } = await aReader(2);
    const [row] = await readRows(key);
    const { json } = await context.request(`${path}?rating=1&cursor=${row?.cursor}`, { key });
    expect(json).toMatchObject({ code: "invalid_cursor" });
  });
});

test("401 without a key, 403 on the starter plan, 404 for a foreign app", async () => {
  const { app } = await aReader(1);
  expect((await context.request(path, { key: null })).status).toBe(401);
  const { key } = await context.addWorkspace({ plan: "starter" });
  expect((await context.request(path, { key })).status).toBe(403);
  expect(await context.request(`${path}?app=${app.id}`)).toMatchObject({
    status: 404,
    json: { code: "app_not_found" },
  });
});

describe("429", () => {
  test("while another stream of the key is open, and no longer once it was cancelled", async () => {
    const { key } = await aReader(300);
    const first = await open(key);
    const second = await context.request(path, { key });
    expect(second).toMatchObject({ status: 429, json: { code: "rate_limited", retryAfter: 10 } });
    expect((await context.request(path)).status).toBe(200);
    await first.body?.cancel();
    expect(await readRows(key)).toHaveLength(300);
  });

  test("HEAD and a failed read leave no stream open", async () => {
    const { key } = await aReader(3);
    expect((await open(key, "", "HEAD")).status).toBe(200);
    const broken = await openApiTestContext({
      database: { loadFeedReviews: () => Promise.reject(new Error("away")) },
    });
    const app = await anApp(broken.database, { workspaceId: broken.workspace.id });
    await saveReviews(broken.database, app, [aReview()]);
    for (let times = 0; times < 2; times += 1) {
      await expect(broken.request(`${path}?include=reply`)).rejects.toThrow("away");
    }
    await broken.close();
    expect(await readRows(key)).toHaveLength(3);
  });
});
