import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type ApiTestContext, openApiTestContext } from "../../test/support/api-test-context.ts";
import { aKey } from "../../test/support/factories.ts";

let context: ApiTestContext;
beforeAll(async () => {
  context = await openApiTestContext();
});
afterAll(() => context.close());

const apps = "/api/v1/apps";

describe("429", () => {
  test("the first 60 of a burst are answered, then none until a place is free", async () => {
    const { key } = await context.addWorkspace();
    const { key: other } = await context.addWorkspace();
    const burst = await Promise.all(
      Array.from({ length: 70 }, () => context.request(apps, { key })),
    );
    expect(burst.filter(({ status }) => status === 200)).toHaveLength(60);
    expect(burst.map(({ headers }) => headers.get("ratelimit-remaining"))).toContain("59");
    const refused = burst.filter(({ status }) => status === 429);
    expect(refused).toHaveLength(10);
    expect(refused[0]?.json).toMatchObject({ code: "rate_limited", retryAfter: 60 });
    expect(refused[0]?.headers.get("retry-after")).toBe("60");
    expect(refused[0]?.headers.get("ratelimit-remaining")).toBe("0");
    expect((await context.request(apps, { key: other })).status).toBe(200);
    context.clock.advance(59_999);
    expect((await context.request(apps, { key })).headers.get("retry-after")).toBe("1");
    context.clock.advance(1);
    expect((await context.request(apps, { key })).status).toBe(200);
  });

  test("every key has a limit of its own, also within one workspace", async () => {
    const { workspace, key } = await context.addWorkspace();
    const second = await aKey(context.database, workspace);
    await context.request(apps, { key });
    const { headers } = await context.request(apps, { key: second.key });
    expect(headers.get("ratelimit-remaining")).toBe("59");
  });

  test("faulty, unknown and unchanged answers count, refusals of the plan too", async () => {
    const { key } = await context.addWorkspace();
    const { key: starter } = await context.addWorkspace({ plan: "starter" });
    const headers = { "if-none-match": "*" };
    expect((await context.request(`${apps}?x=1`, { key })).status).toBe(400);
    expect((await context.request("/api/v1/ratings?app=x", { key })).status).toBe(404);
    const unchanged = await context.request(apps, { key, headers });
    expect(unchanged.status).toBe(304);
    expect(unchanged.headers.get("ratelimit-remaining")).toBe("57");
    await context.request(apps, { key: starter });
    const refused = await context.request(apps, { key: starter });
    expect(refused.headers.get("ratelimit-remaining")).toBe("58");
  });

  test("failed keys are limited per address; a valid key from there and other addresses are not", async () => {
    const { key } = await context.addWorkspace();
    const address = "203.0.113.9";
    const wrong = { key: `sp_${"q".repeat(43)}`, address };
    for (let count = 0; count < 30; count += 1) {
      expect((await context.request(apps, wrong)).status).toBe(401);
    }
    const refused = await context.request(apps, wrong);
    expect(refused).toMatchObject({ status: 429, json: { code: "rate_limited", retryAfter: 60 } });
    expect((await context.request(apps, { key: null, address })).status).toBe(429);
    expect((await context.request(apps, { key: null, address: `::ffff:${address}` })).status).toBe(
      429,
    );
    expect((await context.request(apps, { key, address })).status).toBe(200);
    expect((await context.request(apps, { ...wrong, address: "203.0.113.10" })).status).toBe(401);
    context.clock.advance(60_000);
    expect((await context.request(apps, wrong)).status).toBe(401);
  });

  test("behind a trusted proxy failed keys are limited per forwarded address, else per peer", async () => {
    const proxied = await openApiTestContext({ settings: { trustedProxies: ["192.0.2.1/32"] } });
    const request = (address: string, client: string) => {
      const headers = { "x-forwarded-for": client };
      return proxied.request(apps, { key: null, address, headers });
    };
    for (let count = 0; count < 30; count += 1) await request("192.0.2.1", "203.0.113.9");
    expect((await request("192.0.2.1", "203.0.113.9")).status).toBe(429);
    expect((await request("192.0.2.1", "203.0.113.10")).status).toBe(401);
    for (let count = 0; count < 30; count += 1) await request("192.0.2.2", `203.0.113.${count}`);
    expect((await request("192.0.2.2", "203.0.113.99")).status).toBe(429);
    await proxied.close();
  });
});
