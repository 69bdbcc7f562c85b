// The short version of `npm run bench:rounds`: some hours of moved time.
import pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { isFairAndPaced, simulateRounds } from "../../bench/rounds/simulate-rounds.ts";
import { ResourceStack } from "../../src/lib/resource-stack.ts";
import { openTestContext, type TestContext } from "../support/test-context.ts";

let context: TestContext;
const resources = new ResourceStack();
beforeAll(async () => {
  context = await openTestContext();
  resources.add(() => context.close());
});
afterAll(() => resources.closeAll());

test("two processes and the command line read every feed within two rounds, and no host faster than its pace, beside an app that is refused and one that hangs", async () => {
  const { connectionString, database } = context;
  const admin = new pg.Client(connectionString);
  await admin.connect();
  resources.add(() => admin.end());
  const input = {
    ...{ admin, database, resources, connection: { connectionString }, random: () => 0.5 },
    ...{
      appCount: 3,
      troubledCount: 2,
      reviewCount: 20,
      days: 0.2,
      requestsPerSecond: 0.05,
      intervalMinutes: 60,
    },
    ...{ intervalMinutesMax: 60, collectEveryHours: 2 },
  };
  const result = await simulateRounds(input);
  expect(result.hosts.map(({ requestCount }) => requestCount > 5)).toEqual([true, true]);
  expect({ ...result, isGood: isFairAndPaced(result, input) }).toMatchObject({ isGood: true });
});
