// Two processes of the read API on one database: both see changes at once and count requests together.
import { afterAll, beforeAll, expect, test } from "vitest";
import { systemClock } from "../../src/lib/clock.ts";
import { revokeKey, setWorkspacePlan } from "../support/acts.ts";
import { aKey, anApp, aReview, aWorkspace, saveReviews } from "../support/factories.ts";
import { type ServiceProcess, startServiceProcesses } from "../support/service-processes.ts";
import { openTestContext, type TestContext } from "../support/test-context.ts";

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

function request(
  service: ServiceProcess | undefined,
  key: string,
  path = "apps",
): Promise<Response> {
  const headers = { authorization: `Bearer ${key}` };
  return fetch(`${service?.url}/api/v1/${path}`, { headers });
}

// Refused requests of this address so far: they count for the limit of the last test.
let refusedCount = 0;

/** The response of each process: the body, or the status of an error. */
function requestAll(key: string, path = "apps"): Promise<unknown[]> {
  return Promise.all(
    services.map(async (service) => {
      const response = await request(service, key, path);
      const body: unknown = await response.json();
      if (response.status === 401) refusedCount += 1;
      return response.status === 200 ? body : response.status;
    }),
  );
}

test("60 requests of a burst over both are accepted, and not one more", async () => {
  const { key } = await aKey(context.database, await aWorkspace(context.database));
  const burst = Array.from({ length: 150 }, (_, index) => request(services[index % 2], key));
  const statuses = (await Promise.all(burst)).map(({ status }) => status);
  expect(statuses.filter((status) => status === 200)).toHaveLength(60);
  expect(statuses.filter((status) => status === 429)).toHaveLength(90);
});

test("a new app, a new review, another plan and a revoked key reach both", async () => {
  const { database } = context;
  const workspace = await aWorkspace(database);
  const { id, key } = await aKey(database, workspace);
  expect(await requestAll(key)).toEqual([{ apps: [] }, { apps: [] }]);
  const app = await anApp(database, { workspaceId: workspace.id });
  const apps = { apps: [expect.objectContaining({ id: app.id })] };
  expect(await requestAll(key)).toEqual([apps, apps]);

  const path = `trends?app=${app.id}`;
  const totals = (total: number) => expect.objectContaining({ totals: { total, analyzed: total } });
  expect(await requestAll(key, path)).toEqual([totals(0), totals(0)]);
  await saveReviews(database, app, [aReview()]);
  expect(await requestAll(key, path)).toEqual([totals(1), totals(1)]);

  await setWorkspacePlan({ clock: systemClock, database }, { id: workspace.id, plan: "starter" });
  expect(await requestAll(key)).toEqual([403, 403]);
  const deps = { clock: systemClock, database, actor: "test" };
  await revokeKey(deps, { id, workspaceId: workspace.id });
  expect(await requestAll(key)).toEqual([401, 401]);
});

// The last test: after it, invalid keys of this address are refused for a minute.
test("guesses at keys are counted together for an address, and a valid key is not affected", async () => {
  const guesses = Array.from({ length: 50 }, (_, index) =>
    request(services[index % 2], `sp_${"x".repeat(40)}${index}`),
  );
  const statuses = (await Promise.all(guesses)).map(({ status }) => status);
  expect(statuses.filter((status) => status === 401)).toHaveLength(30 - refusedCount);
  expect(statuses.filter((status) => status === 429)).toHaveLength(20 + refusedCount);
  const { key } = await aKey(context.database, await aWorkspace(context.database));
  expect(await requestAll(key)).toEqual([{ apps: [] }, { apps: [] }]);
});
