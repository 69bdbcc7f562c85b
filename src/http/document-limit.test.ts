import { Hono } from "hono";
import { expect, test } from "vitest";
import {
  documentsPerSecond,
  limitAnonymous,
  limitDocuments,
  markAuthenticated,
} from "./document-limit.ts";

test("a network that asks for many documents waits and is refused, and others are answered", async () => {
  const waits: number[] = [];
  const app = new Hono();
  const address = (context: { req: { header(name: string): string | undefined } }) =>
    context.req.header("x-address") ?? "";
  const limit = limitDocuments(address, async (durationMs) => void waits.push(durationMs));
  app.use("/healthz", limit);
  app.get("/healthz", (context) => context.text("ok"));
  const request = async (from: string) =>
    app.request("/healthz", { headers: { "x-address": from } });
  // A second may begin in between: at most two are counted.
  const answers = [];
  for (let index = 0; index < 3 * documentsPerSecond; index += 1) {
    answers.push(await request(`2001:db8:1:${index.toString(16)}::1`));
  }
  const refused = answers.filter(({ status }) => status === 429);
  expect(refused.length).toBeGreaterThanOrEqual(documentsPerSecond);
  expect(waits).toEqual(refused.map(() => 1_000));
  expect(await refused[0]?.json()).toMatchObject({ code: "rate_limited", status: 429 });
  expect((await request("2001:db8:2::1")).status).toBe(200);
  expect((await request("192.0.2.1")).status).toBe(200);
});

test("a key or session that was valid once is not counted, and an invented one is", async () => {
  const app = new Hono();
  app.use(
    limitAnonymous(
      () => "192.0.2.1",
      async () => {},
    ),
  );
  app.get("*", (context) => {
    const isValid = /valid/.test(
      `${context.req.header("cookie")} ${context.req.header("authorization")}`,
    );
    if (isValid) markAuthenticated(context);
    return context.text("ok", isValid ? 200 : 401);
  });
  const countRefused = async (path: string, headers: Record<string, string>) => {
    let count = 0;
    for (let index = 0; index < 3 * documentsPerSecond; index += 1)
      if ((await app.request(path, { headers })).status === 429) count += 1;
    return count;
  };
  expect(await countRefused("/", { cookie: "session=valid" })).toBe(0);
  expect(await countRefused("/", { authorization: "Bearer valid" })).toBe(0);
  // A second may begin in between: at most two are counted.
  const anonymous: [string, Record<string, string>][] = [
    ["/sign-in", {}],
    ["/console/api/session", { cookie: "session=invented" }],
    ["/api/v1/apps", { authorization: "Bearer invented" }],
  ];
  for (const [path, headers] of anonymous)
    expect(await countRefused(path, headers), path).toBeGreaterThanOrEqual(documentsPerSecond);
  expect(await countRefused("/assets/main.js", {})).toBe(0);
});
