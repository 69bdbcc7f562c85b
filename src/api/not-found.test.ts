// Answers at unknown paths, and to methods other than GET and HEAD.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type ApiTestContext, openApiTestContext } from "../../test/support/api-test-context.ts";

let context: ApiTestContext;
beforeAll(async () => {
  context = await openApiTestContext();
});
afterAll(() => context.close());

const apps = "/api/v1/apps";
const all = [apps, "/api/v1/reviews", "/api/v1/ratings", "/api/v1/trends"];

describe("404", () => {
  const paths = "/api/v1 /api/v1/ /api/v1/app /api/v1/apps/ /api/v2/apps /api/x /x /docs/ /a/%FF";
  test.each(paths.split(" "))("there is nothing under %s, with or without a key", async (path) => {
    for (const method of ["GET", "POST"]) {
      const answer = await context.request(path, { key: null, method });
      expect(answer).toMatchObject({ status: 404, json: { code: "not_found" } });
      expect(answer.headers.get("content-type")).toBe("application/problem+json");
    }
  });
});

describe("405", () => {
  test.each(["POST", "PUT", "PATCH", "DELETE", "OPTIONS"])("%s is refused", async (method) => {
    for (const path of [...all.slice(1), "/api/v1/openapi.json", "/docs"]) {
      const answer = await context.request(path, { method, key: null });
      expect(answer).toMatchObject({ status: 405, json: { code: "method_not_allowed" } });
      expect(answer.headers.get("allow")).toBe("GET, HEAD");
    }
  });
});

describe("404 and 405 below /api", () => {
  test.each([
    ["GET", "/api/v1/nothing", 404],
    ["GET", "/api", 404],
    ["PUT", apps, 405],
    ["DELETE", "/api/v1/openapi.json", 405],
  ])("%s %s counts for clients with a key", async (method, path, status) => {
    const { key } = await context.addWorkspace({ plan: "starter" });
    for (const left of [59, 58]) {
      const answer = await context.request(path, { key, method });
      expect(answer.status).toBe(status);
      expect(answer.headers.get("ratelimit-remaining")).toBe(String(left));
    }
    const burst = Array.from({ length: 58 }, () => context.request(apps, { key }));
    await Promise.all(burst);
    const refused = await context.request(path, { key, method });
    expect(refused).toMatchObject({ status: 429, json: { code: "rate_limited" } });
  });

  test("guesses at keys are counted there too, and look like requests without a key", async () => {
    const guess = { key: `sp_${"y".repeat(43)}`, address: "192.0.2.77" };
    for (let count = 0; count < 30; count += 1) {
      const answer = await context.request("/api/v1/nothing", guess);
      expect(answer.status).toBe(404);
      expect(answer.headers.get("ratelimit-limit")).toBeNull();
    }
    expect((await context.request("/api/v1/nothing", guess)).status).toBe(429);
    expect((await context.request("/api/v1/nothing", { ...guess, key: null })).status).toBe(404);
  });

  test("elsewhere nothing is counted", async () => {
    const { key } = await context.addWorkspace();
    const answer = await context.request("/nothing", { key });
    expect(answer).toMatchObject({ status: 404, json: { code: "not_found" } });
    expect(answer.headers.get("x-request-id")).toMatch(/^[0-9a-f-]{36}$/);
    expect(answer.headers.get("ratelimit-limit")).toBeNull();
  });
});
