// Headers of whatever the service answers, page by page and on both ports; those of the dashboard's API are checked
// with each of its routes in src/dashboard-api/access.test.ts.
import { afterAll, beforeAll, expect, test } from "vitest";
import { startTestService, type TestService } from "./support/service.ts";

let service: TestService;
beforeAll(async () => {
  service = await startTestService({
    storesUrl: "http://127.0.0.1:9",
    env: { ROLES: "api,dashboard", METRICS_PORT: "0" },
  });
});
afterAll(() => service.close());

const answersOfService = [
  ["GET", "/healthz", 200],
  ["GET", "/readyz", 200],
  ["GET", "/api/v1/openapi.json", 200],
  ["GET", "/api/v1/apps", 401],
  ["POST", "/api/v1/apps", 401],
  ["PUT", "/api/v1/apps", 405],
  ["GET", "/api/v1/nothing", 404],
  ["POST", "/nothing", 404],
  ["GET", "/docs", 200],
  ["GET", "/docs/guides", 200],
  ["GET", "/", 200],
] as const;
test("with an https PUBLIC_URL every answer keeps browsers on TLS", async () => {
  const env = { ROLES: "api,dashboard", PUBLIC_URL: "https://reviews.example.com" };
  const secure = await startTestService({ storesUrl: "http://127.0.0.1:9", env });
  try {
    for (const [method, path] of answersOfService) {
      const { headers } = await fetch(`${secure.url}${path}`, { method, redirect: "manual" });
      expect(headers.get("strict-transport-security"), path).toBe("max-age=31536000");
    }
  } finally {
    await secure.close();
  }
});

const pages = ["/", "/settings", "/docs", "/docs/guides"];

test.each(answersOfService)("%s %s forbids sniffing", async (method, path, status) => {
  const answer = await fetch(`${service.url}${path}`, { method });
  expect(answer.status).toBe(status);
  expect(answer.headers.get("x-content-type-options")).toBe("nosniff");
  expect(answer.headers.get("x-powered-by")).toBeNull();
});

test("answers with a key do so as well", async () => {
  const headers = { authorization: `Bearer ${service.key}` };
  for (const path of ["/apps", "/topics", "/reviews", "/reviews?limit=0"]) {
    const answer = await fetch(`${service.url}/api/v1${path}`, { headers });
    expect(answer.headers.get("x-content-type-options")).toBe("nosniff");
  }
});

test.each(pages)("%s can't be framed and loads nothing from elsewhere", async (path) => {
  const request = { headers: { accept: "text/html" } };
  const { headers, status } = await fetch(`${service.url}${path}`, request);
  expect(status).toBe(200);
  const policy = headers.get("content-security-policy") ?? "";
  expect(policy).toContain("default-src 'none'");
  expect(policy).toContain("frame-ancestors 'none'");
  expect(policy).not.toMatch(/https?:|\*|unsafe-eval/);
  expect(headers.get("x-frame-options")).toBe("DENY");
});

test.each([
  ["GET", "/metrics", 200],
  ["POST", "/metrics", 405],
  ["GET", "/", 404],
] as const)("%s %s of the port for metrics forbids sniffing", async (method, path, status) => {
  const answer = await fetch(new URL(path, String(service.metricsUrl)), { method });
  expect(answer.status).toBe(status);
  expect(answer.headers.get("x-content-type-options")).toBe("nosniff");
});
