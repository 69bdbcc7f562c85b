// The server's own answers, independent of the roles of its process.
import { afterAll, expect, test } from "vitest";
import { createNotFoundHandler } from "../src/api/not-found.ts";
import { openHttpServer } from "../src/app/http-server.ts";
import { silentLog } from "../src/lib/log.ts";
import { MovableClock } from "./support/movable-clock.ts";

const clock = new MovableClock(new Date("2026-11-01T00:00:00Z"));
let isMigrated = async (): Promise<boolean> => true;
const server = await openHttpServer({
  host: "127.0.0.1",
  port: 0,
  api: null,
  notFoundHandler: createNotFoundHandler({ log: silentLog, publicUrl: null }),
  clock,
  database: { isMigrated: () => isMigrated() },
  trustedProxies: [],
  connections: { isProxy: () => false, onRefused: () => {} },
});
afterAll(() => server.close());

test("without the read API every path is a problem with a request id", async () => {
  for (const [method, path] of [
    ["GET", "/"],
    ["GET", "/api/v1/apps"],
    ["POST", "/healthz"],
    ["DELETE", "/nothing/%FF"],
  ] as const) {
    const answer = await fetch(`${server.url}${path}`, { method });
    expect(answer.status).toBe(404);
    expect(answer.headers.get("content-type")).toBe("application/problem+json");
    const requestId = answer.headers.get("x-request-id");
    expect(requestId).toMatch(/^[0-9a-f-]{36}$/);
    expect(await answer.json()).toMatchObject({ code: "not_found", status: 404, requestId });
  }
});

test("/healthz tells of the process, /readyz of the database and its migrations", async () => {
  const statusOf = async (path: string): Promise<number> =>
    (await fetch(`${server.url}${path}`)).status;
  expect([await statusOf("/healthz"), await statusOf("/readyz")]).toEqual([200, 200]);
  isMigrated = async () => false;
  // The answer of the last second is kept: no flood of requests reaches the database.
  expect(await statusOf("/readyz")).toBe(200);
  clock.advance(1_001);
  expect([await statusOf("/healthz"), await statusOf("/readyz")]).toEqual([200, 503]);
  clock.advance(1_001);
  isMigrated = () => Promise.reject(new Error("away"));
  expect([await statusOf("/healthz"), await statusOf("/readyz")]).toEqual([200, 503]);
});
