// The dashboard while a store's pages look odd: reviews of an app, shown as unconfirmed, and its name and facts.
import pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import {
  type DashboardClient,
  type DashboardFixture,
  openDashboardFixture,
} from "../../../test/support/dashboard.ts";
import { anApp, startTime } from "../../../test/support/factories.ts";
import { formatTimestamp } from "../../lib/timestamp.ts";

let world: DashboardFixture;
let browser: DashboardClient;
let base: string;
let app: { id: string; listingId: string };

beforeAll(async () => {
  world = await openDashboardFixture();
  browser = await world.signIn({ email: "owner@example.com" });
  const { workspaceId, deps } = world.service;
  base = `/workspaces/${workspaceId}`;
  app = await anApp(deps.database, { workspaceId, countries: ["us"] });
  const feed = { listingId: app.listingId, kind: "reviews", regions: ["us"] } as const;
  await deps.database.setFeeds({ ...feed, now: startTime });
});
afterAll(() => world.close());

test("reviews that were read and are not stored are shown with the reason, and are in no list", async () => {
  const found = async () => (await browser.get(`${base}/apps/${app.id}`)).json;
  expect((await found()).held).toEqual([]);
  const date = formatTimestamp(startTime);
  const example = { rating: 2, title: "Chart 7", text: "It freezes", date };
  const held = {
    ...{ kind: "waiting", source: "public", contents: {}, since: date },
    reason: "25 reviews wait, because none of their page were known before",
    unconfirmed: { count: 25, examples: [example] },
  };
  const { databaseUrl } = world.service.deps.config;
  const client = new pg.Client({ connectionString: databaseUrl ?? "" });
  await client.connect();
  await client.query("update feeds set quarantined_page = $1 where listing_id = $2", [
    held,
    app.listingId,
  ]);
  await client.end();
  const { held: shown, feeds } = await found();
  const { since, reason, unconfirmed } = held;
  expect(shown).toEqual([{ region: "us", since, reason, unconfirmed }]);
  expect(JSON.stringify(feeds)).not.toContain("It freezes");
  expect((await browser.get(`${base}/reviews?app=${app.id}`)).json.reviews).toEqual([]);
});

test("details that wait for a second day are among the alerts, with what is shown meanwhile", async () => {
  const { database } = world.service.deps;
  const { listingId: id } = app;
  await database.saveListingDetails({ id, name: "Tidepool", iconUrl: "" });
  expect((await browser.get(`${base}/alerts`)).json.heldDetails).toEqual([]);
  const details = JSON.stringify(["Sample Makers", null, null]);
  await database.holdListingDetails({ id, details, since: startTime });
  expect((await browser.get(`${base}/alerts`)).json.heldDetails).toMatchObject([
    { appId: app.id, changes: "name Sample Makers instead of Tidepool" },
  ]);
});
