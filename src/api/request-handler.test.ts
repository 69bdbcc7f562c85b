import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { getRequestListener } from "@hono/node-server";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { anyText } from "../../test/support/any-text.ts";
import { type ApiTestContext, openApiTestContext } from "../../test/support/api-test-context.ts";
import { aKey, anApp, aReview, saveReviews, saveSnapshots } from "../../test/support/factories.ts";
import { openDatabase } from "../database/database.ts";
import { AppError } from "../domain/error.ts";
import { silentLog } from "../lib/log.ts";

let context: ApiTestContext;
beforeAll(async () => {
  context = await openApiTestContext();
});
afterAll(() => context.close());

const apps = "/api/v1/apps";
const all = ["/api/v1/apps", "/api/v1/reviews", "/api/v1/ratings", "/api/v1/trends"];

describe("200", () => {
  test("HEAD responds like GET, without the body", async () => {
    const got = await context.request(apps);
    const head = await context.request(apps, { method: "HEAD" });
    expect(head).toMatchObject({ status: 200, text: "" });
    for (const name of ["etag", "content-length", "content-type", "ratelimit-limit"]) {
      expect(head.headers.get(name)).toBe(got.headers.get(name));
    }
    expect(Number(head.headers.get("content-length"))).toBe(got.text.length);
  });

  test("responses are private, have an id and carry the limit", async () => {
    const { headers } = await context.request(apps);
    expect(headers.get("cache-control")).toBe("private, max-age=0, must-revalidate");
    expect(headers.get("vary")).toBe("Accept-Encoding, Authorization");
    expect(headers.get("x-request-id")).toMatch(/^[0-9a-f-]{36}$/);
    expect(headers.get("ratelimit-limit")).toBe("60");
    expect(headers.get("access-control-allow-origin")).toBeNull();
  });

  test("the scheme's case does not matter", async () => {
    const { key } = await context.addWorkspace();
    const headers = { authorization: `bearer  ${key}` };
    expect((await context.request(apps, { key: null, headers })).status).toBe(200);
  });

  test("large responses are compressed for clients that accept it, over a real connection", async () => {
    const { workspace, key } = await context.addWorkspace();
    const app = await anApp(context.database, { workspaceId: workspace.id });
    await saveReviews(
      context.database,
      app,
      Array.from({ length: 20 }, () => aReview()),
    );
    const server = createServer(getRequestListener(context.api.fetch)).listen(0, "127.0.0.1");
    await once(server, "listening");
    const { port } = server.address() as AddressInfo;
    const requestWith = async (encoding: string): Promise<Response> =>
      fetch(`http://127.0.0.1:${port}/api/v1/reviews`, {
        headers: { authorization: `Bearer ${key}`, "accept-encoding": encoding },
      });
    const plain = await requestWith("identity");
    const text = await plain.text();
    expect(plain.headers.get("content-encoding")).toBeNull();
    for (const encoding of ["gzip", "br"]) {
      const compressed = await requestWith(encoding);
      expect(compressed.headers.get("content-encoding")).toBe(encoding);
      expect(compressed.headers.get("etag")).not.toBe(plain.headers.get("etag"));
      // fetch unpacks: what is left to compare is the text and that fewer bytes were sent.
      expect(await compressed.text()).toBe(text);
      expect(Number(compressed.headers.get("content-length"))).toBeLessThan(text.length / 2);
    }
    server.close();
  });

  test("uses of a key are recorded in a batch", async () => {
    const { workspace, key } = await context.addWorkspace();
    await context.request(apps, { key });
    await context.request(apps, { key });
    const [before] = await context.database.listApiKeys({ workspaceId: workspace.id });
    expect(before?.lastUsedAt).toBeNull();
    await context.api.close();
    const [after] = await context.database.listApiKeys({ workspaceId: workspace.id });
    expect(after?.lastUsedAt).toEqual(context.clock.now());
    expect(after?.lastUsedAddress).toBe("192.0.2.1");
  });
});

describe("304", () => {
  test.each(all)("%s responds to a known ETag without a body", async (path) => {
    const { workspace, key } = await context.addWorkspace();
    const app = await anApp(context.database, { workspaceId: workspace.id });
    await saveSnapshots(context.database, app, [{ average: 0, total: 0, histogram: null }]);
    const query = path === apps ? "" : `?app=${app.id}`;
    const etag = (await context.request(path + query, { key })).headers.get("etag") ?? "";
    expect(etag).toMatch(/^"[\w-]{27}"$/);
    for (const known of [etag, `W/${etag}`, `"other", ${etag}`, "*"]) {
      const headers = { "if-none-match": known };
      const answer = await context.request(path + query, { key, headers });
      expect(answer).toMatchObject({ status: 304, text: "" });
      expect(answer.headers.get("etag")).toBe(etag);
      expect(answer.headers.get("ratelimit-limit")).toBe("60");
    }
    const headers = { "if-none-match": '"other"' };
    expect((await context.request(path + query, { key, headers })).status).toBe(200);
  });

  test("of requests that come together each is answered for its own workspace", async () => {
    const [one, other] = [await context.addWorkspace(), await context.addWorkspace()];
    const app = await anApp(context.database, { workspaceId: one.workspace.id });
    const path = `/api/v1/reviews?app=${app.id}`;
    const etag = (await context.request(path, { key: one.key })).headers.get("etag") ?? "";
    const headers = { "if-none-match": etag };
    const paths = [path, `/api/v1/reviews?app=${app.id.toUpperCase()}`, `${path}%20`];
    const requests = [one.key, other.key].flatMap((key) =>
      paths.map(async (sent) => (await context.request(sent, { key, headers })).status),
    );
    expect(await Promise.all(requests)).toEqual([304, 200, 404, 404, 404, 404]);
  });

  test("an ETag no longer holds once something changed", async () => {
    const { workspace, key } = await context.addWorkspace();
    const etag = (await context.request(apps, { key })).headers.get("etag") ?? "";
    await anApp(context.database, { workspaceId: workspace.id });
    context.clock.advance(1_000);
    const headers = { "if-none-match": etag };
    expect((await context.request(apps, { key, headers })).status).toBe(200);
  });
});

describe("400", () => {
  test("no query string causes an internal error", async () => {
    const name = fc.constantFrom(
      ..."app store from to rating sentiment topic limit cursor __proto__ toString".split(" "),
    );
    const value = fc.oneof(
      anyText(),
      fc.constantFrom("%", "%ff", "%00", "5", "2026-11-21", "appstore", "mixed"),
    );
    const pairs = fc.array(fc.tuple(name, value), { maxLength: 5 });
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...all), pairs, async (path, parameters) => {
        const query = parameters.map(([key, text]) => `${key}=${text.replaceAll(/[#\s\\]/g, "")}`);
        const answer = await context.request(`${path}?${query.join("&")}`);
        expect([200, 400, 404]).toContain(answer.status);
      }),
      { numRuns: 150 },
    );
  });

  test("a query string beyond its bound is refused", async () => {
    const answer = await context.request(`${apps}?${"x".repeat(17_000)}`);
    expect(answer).toMatchObject({ status: 400, json: { code: "invalid_parameter" } });
  });
});

describe("401", () => {
  test("a missing, malformed, unknown or revoked key gets the same response", async () => {
    const revoked = await aKey(context.database, context.workspace);
    await context.database.revokeApiKey({ id: revoked.id, now: context.clock.now() });
    const headers = [
      {},
      { authorization: "Basic abc" },
      { authorization: "Bearer " },
      { authorization: "Bearer sp_short" },
      { authorization: `Bearer sp_${"x".repeat(5_000)}` },
      { authorization: `Bearer sp_${"Z".repeat(43)}` },
      { authorization: `Bearer ${revoked.key}` },
    ];
    const answers = [];
    for (const one of headers) {
      answers.push(await context.request(apps, { key: null, headers: one }));
    }
    const bodies = answers.map(({ json }) => JSON.stringify({ ...Object(json), requestId: "" }));
    expect(new Set(bodies).size).toBe(1);
    for (const answer of answers) {
      expect(answer).toMatchObject({ status: 401, json: { code: "unauthorized" } });
      expect(answer.headers.get("www-authenticate")).toBe("Bearer");
      expect(answer.headers.get("content-type")).toBe("application/problem+json");
      expect(answer.headers.get("cache-control")).toBe("no-store");
    }
  });

  test("a revoked key stops at once", async () => {
    const other = await openApiTestContext();
    expect((await other.request(apps, { key: other.key })).status).toBe(200);
    await other.database.revokeApiKey({ id: other.keyId, now: other.clock.now() });
    expect((await other.request(apps, { key: other.key })).status).toBe(401);
    await other.close();
  });

  test("the key comes before the parameters", async () => {
    expect((await context.request(`${apps}?nonsense=1`, { key: null })).status).toBe(401);
  });
});

describe("403", () => {
  test("the starter plan has no read API, and says so before any error of parameters", async () => {
    const { key } = await context.addWorkspace({ plan: "starter" });
    for (const path of all) {
      const answer = await context.request(`${path}?nonsense=1`, { key });
      expect(answer).toMatchObject({ status: 403, json: { code: "plan_required" } });
      expect(answer.headers.get("ratelimit-limit")).toBe("60");
    }
  });
});

describe("500", () => {
  test("what breaks inside is logged in full and hidden outside", async () => {
    const logged: unknown[] = [];
    const log = {
      debug() {},
      info() {},
      warn() {},
      error: (facts: Record<string, unknown>) => logged.push(facts["err"]),
    };
    const bug = new Error("column secret_column does not exist");
    const listFollowedApps = () => Promise.reject(bug);
    const broken = await openApiTestContext({ log, database: { listFollowedApps } });
    const answer = await broken.request(apps);
    expect(answer).toMatchObject({ status: 500, json: { code: "internal" } });
    expect(answer.text).not.toContain("secret");
    expect(logged).toEqual([bug]);
    await broken.close();
  });
});

describe("503", () => {
  test("while the database is away clients learn when to retry", async () => {
    const away = () => Promise.reject(new AppError("unavailable", "the database is away"));
    for (const database of [{ listFollowedApps: away }, { findApiKeyOwner: away }]) {
      const without = await openApiTestContext({ database });
      const answer = await without.request(apps);
      expect(answer).toMatchObject({ status: 503, json: { code: "unavailable", retryAfter: 5 } });
      expect(answer.headers.get("retry-after")).toBe("5");
      expect(answer.text).not.toContain("database");
      await without.close();
    }
  });

  test("without the database the limit accepts no request", async () => {
    const takeRatePermit = () => Promise.reject(new AppError("unavailable", "away"));
    const without = await openApiTestContext({ database: { takeRatePermit } });
    expect((await without.request(apps)).json).toMatchObject({ status: 503, code: "unavailable" });
    // Guesses at keys are counted there too.
    expect((await without.request(apps, { key: null })).status).toBe(503);
    await without.close();
  });

  test("a database that does not answer at all is such a case", async () => {
    const connection = { connectionString: "postgresql://nobody@127.0.0.1:1/nothing" };
    const gone = await openDatabase({ log: silentLog, connection });
    const { findApiKeyOwner, listFollowedApps } = gone;
    for (const database of [{ findApiKeyOwner }, { listFollowedApps }]) {
      const without = await openApiTestContext({ database });
      expect((await without.request(apps)).status).toBe(503);
      await without.close();
    }
    await gone.close();
  });
});
