import { once } from "node:events";
import net, { type AddressInfo } from "node:net";
import { expect, test } from "vitest";
import { monotonicMs } from "../../lib/clock.ts";
import { openDeadlines } from "./deadlines.ts";

const durationMs = 20;

test("what came in time is in time, however late a busy process reads it", async () => {
  const server = net.createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const client = net.connect((server.address() as AddressInfo).port, "127.0.0.1");
  const [[peer]] = await Promise.all([once(server, "connection"), once(client, "connect")]);
  const deadlines = openDeadlines(durationMs);
  const isInTime = new Promise<boolean>((resolve) => {
    const end = deadlines.add(() => resolve(false));
    client.once("data", () => resolve(end()));
  });
  peer.write("answered at once");
  const busyUntilMs = monotonicMs() + 2 * durationMs;
  while (monotonicMs() < busyUntilMs);
  expect(await isInTime).toBe(true);
  deadlines.close();
  client.destroy();
  server.close();
});
