// channel test, deliveries tail and listen, with a real service and real sockets.
import { createHmac } from "node:crypto";
import { PassThrough } from "node:stream";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createChannel } from "../../test/support/acts.ts";
import { openReceiver } from "../../test/support/receiver.ts";
import { startTestService, type TestService } from "../../test/support/service.ts";
import { waitFor } from "../../test/support/wait-for.ts";
import { channelDefaults } from "../domain/channel/channel.ts";
import type { CliContext } from "./context.ts";
import { runCli } from "./run.ts";

let service: TestService;
beforeAll(async () => {
  service = await startTestService({ storesUrl: "http://127.0.0.1:1" });
});
afterAll(() => service.close());

type Started = { stdout(): string; stop(): void; exitCode: Promise<number> };

function start(...argv: string[]): Started {
  const [stdin, stdout, stderr] = [new PassThrough(), new PassThrough(), new PassThrough()];
  let text = "";
  stdout.on("data", (chunk: Buffer) => {
    text += chunk.toString("utf8");
  });
  let stop = (): void => {};
  const stopped = new Promise<void>((resolve) => {
    stop = resolve;
  });
  const exitCode = runCli(argv, {
    openContext: async () =>
      ({ ...service.deps, actor: "cli", close: async () => {} }) as unknown as CliContext,
    startService: unused,
    loadConfig: unused,
    migrate: unused,
    untilStopped: () => stopped,
    stdin,
    stdout,
    stderr,
  });
  return { stdout: () => text, stop, exitCode };
}

const unused = (): never => {
  throw new Error("no command asks for this");
};

async function aChannelTo(url: string): Promise<string> {
  const deps = { ...service.deps, actor: "test" };
  const input = { ...channelDefaults, workspaceId: service.workspaceId, name: url, url };
  return (await createChannel(deps, input)).channel.id;
}

test("a channel's test waits for the answer and shows it", async () => {
  const receiver = await openReceiver({ reply: { kind: "status", status: 204 } });
  const id = await aChannelTo(receiver.url);
  const good = start("channel", "test", id);
  expect(await good.exitCode).toBe(0);
  expect(good.stdout()).toMatch(/^204 in \d+ ms\n$/);
  const queued = start("channel", "test", id, "--no-wait", "--json");
  expect(await queued.exitCode).toBe(0);
  expect(JSON.parse(queued.stdout())).toEqual({
    channelId: id,
    deliveryId: expect.any(String),
    event: "review.created",
  });
  await receiver.waitFor(2);
  const drop = start("channel", "test", id, "--event", "review.rating_drop");
  expect(await drop.exitCode).toBe(0);
  const [, , dropped] = await receiver.waitFor(3);
  expect(dropped?.headers["x-service-event"]).toBe("review.rating_drop");
  expect(await start("channel", "test", id, "--event", "review.deleted").exitCode).toBe(2);
  receiver.reply({ kind: "status", status: 401 });
  const refused = start("channel", "test", id, "--json");
  expect(await refused.exitCode).toBe(1);
  expect(JSON.parse(refused.stdout())).toMatchObject({ channelId: id, status: 401 });
  receiver.reply({ kind: "status", status: 410 });
  const gone = start("channel", "test", id);
  expect(await gone.exitCode).toBe(1);
  expect(gone.stdout()).toMatch(/^410/);
  await receiver.close();
});

test("the log is followed from its end until it is stopped", async () => {
  const receiver = await openReceiver();
  const id = await aChannelTo(receiver.url);
  const tail = start("deliveries", "tail", "--channel", id);
  expect(await start("channel", "test", id).exitCode).toBe(0);
  await waitFor(async () => tail.stdout().includes("delivered") || null, {
    withinMs: 15_000,
    what: () => `the line in ${tail.stdout()}`,
  });
  tail.stop();
  expect(await tail.exitCode).toBe(0);
  expect(tail.stdout()).toMatch(/review\.created +delivered .* attempt 1: 200\n$/);
  await receiver.close();
});

test("listen receives, verifies, prints and forwards, and deletes its channel at the end", async () => {
  const own = await openReceiver({ reply: { kind: "status", status: 202 } });
  const workspace = ["--workspace", service.workspaceId];
  const listen = start("listen", ...workspace, "--forward", own.url);
  const find = (pattern: RegExp) =>
    waitFor(async () => pattern.exec(listen.stdout())?.[1] ?? null, {
      withinMs: 15_000,
      what: () => `${pattern} in ${listen.stdout()}`,
    });
  const id = await find(/channel test (\S+)\n/);
  const url = await find(/Listening at (\S+);/);
  const secret = await find(/secret +(\S+)\n/);
  expect(await start("channel", "test", id).exitCode).toBe(0);
  const [request] = await own.waitFor(1);
  const expected = createHmac("sha256", secret)
    .update(request?.body ?? "")
    .digest("hex");
  expect(request?.headers["x-service-signature"]).toBe(`sha256=${expected}`);
  await find(/(review\.created .*→ 202\n)/);
  const forged = await fetch(url, { method: "POST", body: "{}" });
  expect(forged.status).toBe(401);
  expect(listen.stdout()).toContain(
    "refused: webhook-id, webhook-timestamp or webhook-signature is missing",
  );
  listen.stop();
  expect(await listen.exitCode).toBe(0);
  const again = start("listen", ...workspace);
  await waitFor(async () => again.stdout().includes(`secret    ${secret}\n`) || null, {
    withinMs: 15_000,
    what: () => `the same secret ${secret} in ${again.stdout()}`,
  });
  again.stop();
  expect(await again.exitCode).toBe(0);
  expect(await service.deps.database.findChannel({ id, workspaceId: null })).toBeNull();
  await own.close();
});
