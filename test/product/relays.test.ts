// The relay of examples/relays: started, given the fixtures of webhooks, with a chat that takes them or does not.
import { type ChildProcess, spawn } from "node:child_process";
import { createHmac } from "node:crypto";
import path from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { anAlertEvent } from "../support/channel-events.ts";
import { openReceiver, type Receiver } from "../support/receiver.ts";
import { root } from "../support/source-tree.ts";
import { waitFor } from "../support/wait-for.ts";
import {
  fixtures,
  replay,
  secret,
  sendNow,
  type WebhookFixture,
} from "../support/webhook-fixtures.ts";

const file = path.join(root, "examples/relays/chat-relay.mjs");
const valid = fixtures.filter(({ isValid }) => isValid);

let chat: Receiver;
let child: ChildProcess;
let url = "";

beforeAll(async () => {
  chat = await openReceiver();
  const free = await openReceiver();
  const { port } = free;
  await free.close();
  url = `http://127.0.0.1:${port}/`;
  const env = { ...process.env, PORT: String(port), STARPOST_SECRET: secret, TARGET_URL: chat.url };
  child = spawn(process.execPath, [file], { stdio: "ignore", env });
  await waitFor(async () => (await fetch(url).catch(() => null)) !== null, {
    withinMs: 20_000,
    what: () => "the relay to listen",
  });
});
afterAll(async () => {
  child.kill("SIGKILL");
  await chat.close();
});

const post = async ({ body, headers }: WebhookFixture) =>
  (await fetch(url, { method: "POST", body, headers })).status;
const send = (fixture: WebhookFixture, id?: string) =>
  post(sendNow(fixture, id === undefined ? {} : { id }));

test("what is signed is posted once as a text, and the rest is refused", async () => {
  for (const fixture of fixtures) expect(await send(fixture)).toBe(fixture.isValid ? 204 : 401);
  for (const fixture of valid) expect(await send(fixture)).toBe(204);
  expect(chat.requests).toHaveLength(new Set(valid.map((one) => one.headers["webhook-id"])).size);
  for (const { body } of chat.requests) {
    expect(Object.keys(JSON.parse(String(body)))).toEqual(["text"]);
  }
  const { review } = JSON.parse(valid.find(({ body }) => body.includes('"review"'))?.body ?? "{}");
  const texts = chat.requests.map(({ body }) => JSON.parse(String(body)).text);
  expect(texts.some((text) => text.replaceAll("\u2060", "").includes(review.text))).toBe(true);
});

test("what the chat does not take is answered so that it comes again", async () => {
  const [fixture] = valid;
  if (!fixture) throw new Error("no fixture");
  chat.reply({ kind: "status", status: 500 });
  expect(await send(fixture, "another")).toBe(503);
  chat.reply({ kind: "status", status: 200 });
  expect(await send(fixture, "another")).toBe(204);
});

test.each(["reviews.spike", "release.worse", "storefront.failing", "channel.failing"] as const)(
  "an alert without a review, %s, is posted as well",
  async (event) => {
    const [fixture] = valid;
    if (!fixture) throw new Error("no fixture");
    const { moreCount: _, ...alert } = anAlertEvent(event, "<!channel> 20 reviews a day");
    const before = chat.requests.length;
    expect(await send({ ...fixture, body: JSON.stringify(alert) }, event)).toBe(204);
    const { text } = JSON.parse(String(chat.requests[before]?.body));
    expect(text).toContain("20 reviews a day");
    expect(text).not.toMatch(/[<!](?!\u2060)/);
  },
);

test("a recorded request is refused, also with a new time and id", async () => {
  const [fixture] = valid;
  if (!fixture) throw new Error("no fixture");
  expect(await post(fixture)).toBe(401);
  expect(await post(replay(fixture))).toBe(401);
});

test("what a reviewer wrote neither mentions, links nor formats anything", async () => {
  const [fixture] = valid;
  if (!fixture) throw new Error("no fixture");
  const event = JSON.parse(fixture.body);
  const text =
    "<users/all> @channel <!channel> [pay here](https://evil.example) *b* `c` ~~d~~ #e /f\r\n> g";
  const body = JSON.stringify({ ...event, review: { ...event.review, text } });
  const signature = `sha256=${createHmac("sha256", secret).update(body).digest("hex")}`;
  const headers = { ...fixture.headers, "X-Service-Signature": signature };
  const before = chat.requests.length;
  expect(await send({ ...fixture, body, headers }, "hostile")).toBe(204);
  const posted = JSON.parse(String(chat.requests[before]?.body)).text;
  expect(posted).not.toMatch(/[<>@`*~[\]#](?!\u2060)|https?:\/\//);
  expect(posted).toContain("pay here");
});
