import { Hono } from "hono";
import { expect, test } from "vitest";
import { documentsPerSecond, limitDocuments } from "./document-limit.ts";

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
