// The loop of a job worker on a clock that the test moves.
import { expect, test } from "vitest";
import { createEventCollector } from "../../../../test/support/event-collector.ts";
import { MovableClock } from "../../../../test/support/movable-clock.ts";
import { silentLog } from "../../../lib/log.ts";
import { dayMs } from "../../../lib/timestamp.ts";
import type { JobHandler } from "./job-handler.ts";
import { type JobWorkerDeps, startJobWorker } from "./job-worker.ts";

test("old translations and jobs are deleted every day, however long the process runs", async () => {
  const clock = new MovableClock(new Date("2026-11-21T12:00:00Z"));
  const pruned = createEventCollector<Date>("prunings");
  let roundCount = 0;
  const jobs = {
    async pruneProviderJobs({ jobsBefore }: { jobsBefore: Date }) {
      pruned.add(jobsBefore);
      return 0;
    },
    async findProviderState() {
      roundCount += 1;
      return null;
    },
    claimProviderJobs: async () => [],
  };
  // Each wait of the loop is a quarter of a day.
  const delay = async (): Promise<void> => {
    clock.advance(dayMs / 4);
    await new Promise((resolve) => setImmediate(resolve));
  };
  const deps = { clock, log: silentLog, delay, jobs } as unknown as JobWorkerDeps;
  const handler = { kind: "translate", provider: "double" } as JobHandler<never>;
  const worker = startJobWorker(deps, handler);
  const [first, second, third] = await pruned.waitFor(3);
  await worker.close();
  expect(Number(second) - Number(first)).toBe(dayMs);
  expect(Number(third) - Number(second)).toBe(dayMs);
  expect(roundCount).toBeGreaterThan(pruned.items.length);
});
