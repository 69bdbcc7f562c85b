import { expect, test } from "vitest";
import { monotonicMs } from "./clock.ts";
import { silentLog } from "./log.ts";
import { blockMs, openWorkWatch } from "./work-watch.ts";

test("work that blocks everything else is reported with its name, and work that waits is not", async () => {
  const lines: { work: unknown; durationMs: unknown }[] = [];
  let report = (): void => {};
  const reported = new Promise<void>((resolve) => {
    report = resolve;
  });
  const watch = openWorkWatch({
    ...silentLog,
    warn: ({ work, durationMs }) => {
      lines.push({ work, durationMs });
      report();
    },
  });
  await watch.run("the past", async () => {});
  await watch.run("appstore 4242 of workspace w1", async () => {
    // Two heartbeats must have been seen before the block, or there is nothing to miss.
    await new Promise((resolve) => setTimeout(resolve, blockMs / 2));
    const end = monotonicMs() + 2 * blockMs;
    while (monotonicMs() < end);
    await reported;
  });
  watch.close();
  expect(lines).toMatchObject([{ work: ["appstore 4242 of workspace w1"] }]);
  expect(lines[0]?.durationMs).toBeGreaterThanOrEqual(blockMs);
});
