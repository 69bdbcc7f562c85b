// Two processes of the read API on one database: what one of them learns or counts, the other knows.
import { afterAll, beforeAll, expect, test } from "vitest";
import { systemClock } from "../src/lib/clock.ts";
import { revokeKey } from "../src/use-cases/keys/keys.ts";
import { setWorkspacePlan } from "../src/use-cases/members/workspaces.ts";
import { aKey, anApp, aReview, aWorkspace, saveReviews } from "./support/factories.ts";
import { type ServiceProcess, startServiceProcesses } from "./support/service-processes.ts";
import { openTestContext, type TestContext } from "./support/test-context.ts";

let context: TestContext;
let services: ServiceProcess[] = [];
let stopServices = async (): Promise<void> => {};
beforeAll(async () => {
  context = await openTestContext();
  const started = await startServiceProcesses(context.connectionString, 2);
  services = started.services;
  stopServices = started.close;
});
afterAll(async () => {
  await stopServices();
  await context.close();
});

function ask(service: ServiceProcess | undefined, key: string, path = "apps"): Promise<Response> {
  const headers = { authorization: `Bearer ${key}` };
  return fetch(`${service?.url}/api/v1/${path}`, { headers });
}

// Refusals of this test's address so far: they use up the places of later ones.
let refusedCount = 0;

/** What both answer: the body, or the status of a refusal. */
function askAll(key: string, path = "apps"): Promise<unknown[]> {
  return Promise.all(
    services.map(async (service) => {
      const answer = await ask(service, key, path);
      const body: unknown = await answer.json();
      if (answer.status === 401) refusedCount += 1;
      return answer.status === 200 ? body : answer.status;
    }),
  );
}

const waitMsMax = 5_000;

/** Asks both until they say so: news between processes take a moment. */
async function expectSoon(key: string, path: string, wanted: unknown): Promise<void> {
  const deadline = performance.now() + waitMsMax;
  for (;;) {
    const answers = await askAll(key, path);
    try {
      expect(answers).toEqual([wanted, wanted]);
      return;
    } catch (error) {
      if (performance.now() > deadline) throw error;
    }
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

test("60 requests of a burst over both are answered, and not one more", async () => {
  const { key } = await aKey(context.database, await aWorkspace(context.database));
  const burst = Array.from({ length: 150 }, (_, index) => ask(services[index % 2], key));
  const statuses = (await Promise.all(burst)).map(({ status }) => status);
  expect(statuses.filter((status) => status === 200)).toHaveLength(60);
  expect(statuses.filter((status) => status === 429)).toHaveLength(90);
});

test("a new app, a new review, another plan and a revoked key reach both", async () => {
  const { database } = context;
  const workspace = await aWorkspace(database);
  const { id, key } = await aKey(database, workspace);
  expect(await askAll(key)).toEqual([{ apps: [] }, { apps: [] }]);
  const app = await anApp(database, { workspaceId: workspace.id });
  await database.notify("apps", workspace.id);
  await expectSoon(key, "apps", { apps: [expect.objectContaining({ id: app.id })] });

  const path = `trends?app=${app.id}`;
  const totals = (total: number) => expect.objectContaining({ totals: { total, analyzed: total } });
  expect(await askAll(key, path)).toEqual([totals(0), totals(0)]);
  await saveReviews(database, app, [aReview()]);
  await database.notify("reviews", app.listingId);
  await expectSoon(key, path, totals(1));

  await setWorkspacePlan(database, { id: workspace.id, plan: "starter" });
  await expectSoon(key, "apps", 403);
  const deps = { clock: systemClock, database, actor: "test" };
  await revokeKey(deps, { id, workspaceId: workspace.id });
  await expectSoon(key, "apps", 401);
});

// The last one: after it refused keys of this address are turned away for a minute.
test("guesses at keys are counted together for an address, and a valid key is not affected", async () => {
  const guesses = Array.from({ length: 50 }, (_, index) =>
    ask(services[index % 2], `sp_${"x".repeat(40)}${index}`),
  );
  const statuses = (await Promise.all(guesses)).map(({ status }) => status);
  expect(statuses.filter((status) => status === 401)).toHaveLength(30 - refusedCount);
  expect(statuses.filter((status) => status === 429)).toHaveLength(20 + refusedCount);
  const { key } = await aKey(context.database, await aWorkspace(context.database));
  expect(await askAll(key)).toEqual([{ apps: [] }, { apps: [] }]);
});
