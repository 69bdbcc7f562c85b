// Responses that all endpoints of the read API have in common. Registers their tests, grouped by status, in
// the test file of each endpoint.
import { describe, expect, test } from "vitest";
import { manageRoutes } from "../../src/api/manage/routes.ts";
import { AppError } from "../../src/domain/error.ts";
import { type ApiTestContext, openApiTestContext } from "./api-test-context.ts";

export function describeCommonResponses(options: {
  context: () => ApiTestContext;
  path: string;
  /** The key of a workspace and a query string for which the endpoint returns 200. */
  aReader: () => Promise<{ key: string; query: string }>;
}): void {
  const { path, aReader } = options;
  const request: ApiTestContext["request"] = (...params) => options.context().request(...params);

  describe("304", () => {
    test("a known ETag gets a response without a body, HEAD too", async () => {
      const { key, query } = await aReader();
      const { headers } = await request(path + query, { key });
      const known = { "if-none-match": headers.get("etag") ?? "" };
      for (const method of ["GET", "HEAD"]) {
        const response = await request(path + query, { key, method, headers: known });
        expect(response).toMatchObject({ status: 304, text: "" });
        expect(response.headers.get("etag")).toBe(headers.get("etag"));
      }
    });
  });

  describe("401", () => {
    test("without a key, and with an unknown one", async () => {
      const { query } = await aReader();
      for (const key of [null, `sp_${"Z".repeat(43)}`]) {
        const response = await request(path + query, { key });
        expect(response).toMatchObject({ status: 401, json: { code: "unauthorized" } });
        expect(response.headers.get("www-authenticate")).toBe("Bearer");
      }
    });
  });

  describe("403", () => {
    test("on the starter plan", async () => {
      const { key } = await options.context().addWorkspace({ plan: "starter" });
      const response = await request(path, { key });
      expect(response).toMatchObject({ status: 403, json: { code: "plan_required" } });
    });
  });

  describe("404", () => {
    test("paths below the endpoint do not exist", async () => {
      const { key, query } = await aReader();
      const response = await request(`${path}/nothing/here${query}`, { key });
      expect(response).toMatchObject({ status: 404, json: { code: "not_found" } });
      expect(response.headers.get("ratelimit-remaining")).toBe("59");
    });
  });

  describe("405", () => {
    test("to methods that the path is not for", async () => {
      const { key, query } = await aReader();
      const isWritten = manageRoutes().some((route) => `/api/v1${route.path}` === path);
      for (const method of ["POST", "PUT", "PATCH", "DELETE", "OPTIONS"]) {
        if (isWritten && method === "POST") continue;
        const response = await request(path + query, { key, method });
        expect(response).toMatchObject({ status: 405, json: { code: "method_not_allowed" } });
        expect(response.headers.get("allow")).toBe(isWritten ? "GET, HEAD, POST" : "GET, HEAD");
      }
    });
  });

  describe("429", () => {
    test("after 60 requests in a minute, until the window has moved on", async () => {
      const { key, query } = await aReader();
      const statuses: number[] = [];
      // More at once could wait too long for their turn on a slow machine.
      for (const count of [...Array.from({ length: 10 }, () => 6), 1]) {
        const some = Array.from({ length: count }, () => request(path + query, { key }));
        statuses.push(...(await Promise.all(some)).map(({ status }) => status));
      }
      expect(statuses.filter((status) => status === 200)).toHaveLength(60);
      const refused = await request(path + query, { key });
      expect(refused).toMatchObject({ status: 429, json: { code: "rate_limited" } });
      options.context().clock.advance(Number(refused.headers.get("retry-after")) * 1_000);
      expect((await request(path + query, { key })).status).toBe(200);
    });
  });

  describe("503", () => {
    test("while the database is unavailable, with Retry-After", async () => {
      const unavailable = () => Promise.reject(new AppError("unavailable", "the database is away"));
      const database = { listFollowedApps: unavailable };
      const broken = await openApiTestContext({ database });
      const { query } = await aReader();
      const response = await broken.request(path + query);
      expect(response).toMatchObject({ status: 503, json: { code: "unavailable", retryAfter: 5 } });
      expect(response.headers.get("retry-after")).toBe("5");
      await broken.close();
    });
  });
}
