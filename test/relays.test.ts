// The relay of examples/relays: started, given the fixtures of webhooks, with a chat that takes them or does not.
import { type ChildProcess, spawn } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openReceiver, type Receiver } from "./support/receiver.ts";
import { root } from "./support/source-tree.ts";
import { waitFor } from "./support/wait-for.ts";

type Fixture = { name: string; isValid: boolean; body: string; headers: Record<string, string> };

const { secret, fixtures } = JSON.parse(
  fs.readFileSync(path.join(root, "examples/webhook-fixtures.json"), "utf8"),
) as { secret: string; fixtures: Fixture[] };
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

const send = async ({ body, headers }: Fixture, id = headers["webhook-id"] ?? "") =>
  (await fetch(url, { method: "POST", body, headers: { ...headers, "webhook-id": id } })).status;

test("what is signed is posted once as a text, and the rest is refused", async () => {
  for (const fixture of fixtures) expect(await send(fixture)).toBe(fixture.isValid ? 204 : 401);
  for (const fixture of valid) expect(await send(fixture)).toBe(204);
  expect(chat.requests).toHaveLength(new Set(valid.map((one) => one.headers["webhook-id"])).size);
  for (const { body } of chat.requests) {
    expect(Object.keys(JSON.parse(String(body)))).toEqual(["text"]);
  }
  const { review } = JSON.parse(valid.find(({ body }) => body.includes('"review"'))?.body ?? "{}");
  const texts = chat.requests.map(({ body }) => JSON.parse(String(body)).text);
  expect(texts.some((text) => text.includes(review.text))).toBe(true);
});

test("what the chat does not take is answered so that it comes again", async () => {
  const [fixture] = valid;
  if (!fixture) throw new Error("no fixture");
  chat.reply({ kind: "status", status: 500 });
  expect(await send(fixture, "another")).toBe(503);
  chat.reply({ kind: "status", status: 200 });
  expect(await send(fixture, "another")).toBe(204);
});
