// The metrics for Prometheus over HTTP.
import { afterAll, beforeAll, expect, test } from "vitest";
import { startTestService, type TestService } from "../../test/support/service.ts";

let service: TestService;
beforeAll(async () => {
  service = await startTestService({
    storesUrl: "http://127.0.0.1:9",
    env: { METRICS_PORT: "0", METRICS_HOST: "127.0.0.2", ROLES: "api" },
  });
});
afterAll(() => service.close());

async function figures(): Promise<string> {
  const answer = await fetch(String(service.metricsUrl));
  expect(answer.status).toBe(200);
  expect(answer.headers.get("content-type")).toContain("text/plain");
  return answer.text();
}

test("responses of the API are counted by status", async () => {
  await service.get("/apps");
  await fetch(`${service.url}/api/v1/apps`);
  // A response is counted when its connection is done with it, a moment after it was read here.
  await expect.poll(figures).toContain('answers_total{method="GET",status="401"} 1');
  const text = await figures();
  expect(text).toContain('starpost_http_answers_total{method="GET",status="200"} 1');
  expect(text).toContain("process_resident_memory_bytes");
});

test("a feed and a delivery that wait are reported with their lag", async () => {
  expect(await figures()).toContain("starpost_deliveries_pending 0");
  const app = await service.addApp({ store: "appstore", externalAppId: "1" });
  await service.addChannel("http://127.0.0.1:9/hook", app);
  const text = await figures();
  expect(text).toMatch(/starpost_feeds\{outcome="none"\} [1-9]/);
  expect(text).toContain("starpost_channels 1");
  expect(text).toContain("starpost_channels_failing 0");
  expect(text).toMatch(/starpost_feed_lag_seconds \d/);
});

test("metrics have one path only, and none on the public port", async () => {
  const elsewhere = await fetch(new URL("/", String(service.metricsUrl)));
  expect(elsewhere.status).toBe(404);
  expect((await fetch(`${service.url}/metrics`)).status).toBe(404);
  const posted = await fetch(String(service.metricsUrl), { method: "POST" });
  expect([posted.status, posted.headers.get("allow")]).toEqual([405, "GET, HEAD"]);
});
