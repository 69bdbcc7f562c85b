import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type ApiTestContext, openApiTestContext } from "../../test/support/api-test-context.ts";

const own = "https://dashboard.example";
let context: ApiTestContext;
beforeAll(async () => {
  context = await openApiTestContext({ settings: { corsOrigins: [own] } });
});
afterAll(() => context.close());

const apps = "/api/v1/apps";
const preflight = {
  key: null,
  method: "OPTIONS",
  headers: { origin: own, "access-control-request-method": "GET" },
};

describe("a named origin", () => {
  test("may read answers and problems, with their limits", async () => {
    for (const key of [context.key, null]) {
      const { headers } = await context.request(apps, { key, headers: { origin: own } });
      expect(headers.get("access-control-allow-origin")).toBe(own);
      expect(headers.get("access-control-expose-headers")).toContain("RateLimit-Remaining");
      expect(headers.get("vary")).toContain("Origin");
    }
  });

  test("may send a key", async () => {
    const answer = await context.request(apps, preflight);
    expect(answer).toMatchObject({ status: 204, text: "" });
    expect(answer.headers.get("access-control-allow-headers")).toContain("Authorization");
  });
});

describe("any other origin", () => {
  const headers = { ...preflight.headers, origin: "https://elsewhere.example" };

  test("may not", async () => {
    const answer = await context.request(apps, { headers });
    expect(answer.headers.get("access-control-allow-origin")).toBeNull();
    expect(answer.headers.get("vary")).toContain("Origin");
    expect((await context.request(apps, { ...preflight, headers })).status).toBe(405);
  });

  test("may when the operator allows all", async () => {
    const open = await openApiTestContext({ settings: { corsOrigins: ["*"] } });
    expect((await open.request(apps, { ...preflight, headers })).status).toBe(204);
    await open.close();
  });
});
