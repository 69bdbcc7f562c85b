// The digest over the real service: the data of the use case, and refused parameters by name.
import { afterAll, beforeAll, expect, test } from "vitest";
import {
  type DashboardClient,
  type DashboardFixture,
  openDashboardFixture,
} from "../../../test/support/dashboard.ts";
import { anApp, aReview, saveReviews } from "../../../test/support/factories.ts";
import { digestSchema } from "../../domain/digest.ts";

let world: DashboardFixture;
let browser: DashboardClient;
let path: string;
beforeAll(async () => {
  world = await openDashboardFixture();
  browser = await world.signIn({ email: "reader@example.com" });
  const { workspaceId, deps } = world.service;
  const app = await anApp(deps.database, { workspaceId });
  await saveReviews(deps.database, app, [
    aReview({ date: new Date("2026-11-18T09:00:00Z"), text: "The tide table is one hour late." }),
  ]);
  path = `/workspaces/${workspaceId}/apps/${app.id}/digest`;
});
afterAll(() => world.close());

test("a week and a version have a digest", async () => {
  const week = (await browser.get(`${path}?to=2026-11-20`)).json.digest;
  expect(digestSchema.parse(week)).toMatchObject({ kind: "week", reviews: { total: 1 } });
  expect(week.quotes).toMatchObject([{ text: "The tide table is one hour late." }]);
  const release = (await browser.get(`${path}?since=4.2.1`)).json.digest;
  expect(digestSchema.parse(release)).toMatchObject({ kind: "release", version: "4.2.1" });
});

test.each([
  ["since=9.9", "since"],
  ["to=yesterday", "to"],
])("?%s is refused by name", async (query, field) => {
  const response = await browser.get(`${path}?${query}`);
  expect(response.status).toBe(400);
  expect(response.json.fields).toMatchObject([{ field }]);
});
