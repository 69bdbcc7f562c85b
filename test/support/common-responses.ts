// What every endpoint of the read API answers alike, shown for each of them: registers tests, grouped by
// status, in the test file of the endpoint.
import { describe, expect, test } from "vitest";
import { AppError } from "../../src/domain/error.ts";
import { type ApiTestContext, openApiTestContext } from "./api-test-context.ts";

export function describeCommonResponses(given: {
  world: () => ApiTestContext;
  path: string;
  /** A workspace whose question is answered with 200, its key, and the question's query string. */
  aReader: () => Promise<{ key: string; query: string }>;
}): void {
  const { path, aReader } = given;
  const ask: ApiTestContext["request"] = (...asked) => given.world().request(...asked);

  describe("304", () => {
    test("a known ETag is answered without a body, HEAD too", async () => {
      const { key, query } = await aReader();
      const { headers } = await ask(path + query, { key });
      const known = { "if-none-match": headers.get("etag") ?? "" };
      for (const method of ["GET", "HEAD"]) {
        const answer = await ask(path + query, { key, method, headers: known });
        expect(answer).toMatchObject({ status: 304, text: "" });
        expect(answer.headers.get("etag")).toBe(headers.get("etag"));
      }
    });
  });

  describe("401", () => {
    test("without a key, and with one that nobody has", async () => {
      const { query } = await aReader();
      for (const key of [null, `sp_${"Z".repeat(43)}`]) {
        const answer = await ask(path + query, { key });
        expect(answer).toMatchObject({ status: 401, json: { code: "unauthorized" } });
        expect(answer.headers.get("www-authenticate")).toBe("Bearer");
      }
    });
  });

  describe("403", () => {
    test("on the starter plan", async () => {
      const { key } = await given.world().addWorkspace({ plan: "starter" });
      const answer = await ask(path, { key });
      expect(answer).toMatchObject({ status: 403, json: { code: "plan_required" } });
    });
  });

  describe("404", () => {
    test("below the endpoint there is nothing", async () => {
      const { key, query } = await aReader();
      const answer = await ask(`${path}/nothing${query}`, { key });
      expect(answer).toMatchObject({ status: 404, json: { code: "not_found" } });
      expect(answer.headers.get("ratelimit-remaining")).toBe("59");
    });
  });

  describe("405", () => {
    test("to any method but GET and HEAD", async () => {
      const { key, query } = await aReader();
      for (const method of ["POST", "PUT", "PATCH", "DELETE", "OPTIONS"]) {
        const answer = await ask(path + query, { key, method });
        expect(answer).toMatchObject({ status: 405, json: { code: "method_not_allowed" } });
        expect(answer.headers.get("allow")).toBe("GET, HEAD");
      }
    });
  });

  describe("429", () => {
    test("after 60 requests in a minute, until a place is free", async () => {
      const { key, query } = await aReader();
      const burst = Array.from({ length: 61 }, () => ask(path + query, { key }));
      const statuses = (await Promise.all(burst)).map(({ status }) => status);
      expect(statuses.filter((status) => status === 200)).toHaveLength(60);
      const refused = await ask(path + query, { key });
      expect(refused).toMatchObject({ status: 429, json: { code: "rate_limited" } });
      given.world().clock.advance(Number(refused.headers.get("retry-after")) * 1_000);
      expect((await ask(path + query, { key })).status).toBe(200);
    });
  });

  describe("503", () => {
    test("while the database is away, with the time to come back", async () => {
      const away = () => Promise.reject(new AppError("unavailable", "the database is away"));
      const database = { findApp: away, listApps: away, listReviewPage: away };
      const without = await openApiTestContext({ database });
      const query = path.endsWith("/apps") ? "" : `?app=${without.workspace.id}`;
      const answer = await without.request(path + query);
      expect(answer).toMatchObject({ status: 503, json: { code: "unavailable", retryAfter: 5 } });
      expect(answer.headers.get("retry-after")).toBe("5");
      await without.close();
    });
  });
}
