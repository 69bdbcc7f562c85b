// The server's own answers, independent of the roles of its process.
import net from "node:net";
import { buffer } from "node:stream/consumers";
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
  database: { isMigrated: () => isMigrated(), requireWritable: async () => {} },
  trustedProxies: [],
  publicUrl: null,
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

test("health paths answer machines: in HTTP/1.0, without a host and under any", async () => {
  const readStatus = async (head: string): Promise<string> => {
    const socket = net.connect(Number(new URL(server.url).port), "127.0.0.1");
    socket.end(`${head}\r\n\r\n`);
    return (await buffer(socket)).toString().split("\r\n", 1)[0] ?? "";
  };
  for (const path of ["/healthz", "/readyz", "/readyz?from=balancer"]) {
    for (const head of [
      `GET ${path} HTTP/1.0`,
      `HEAD ${path} HTTP/1.0`,
      `GET ${path} HTTP/1.1\r\nConnection: close`,
      `GET ${path} HTTP/1.1\r\nHost: my_backend\r\nConnection: close`,
      `GET ${path} HTTP/1.1\r\nHost: a b\r\nConnection: close`,
      `GET ${path} HTTP/1.1\r\nHost:\r\nConnection: close`,
    ]) {
      expect(await readStatus(head), head).toBe("HTTP/1.1 200 OK");
    }
  }
  expect(await readStatus("GET /api/v1/apps HTTP/1.1\r\nConnection: close")).toContain("400");
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
