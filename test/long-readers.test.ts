// Everything that reads for a long time: it breaks off, and never ends as if it were complete, when an app that it reads
// moves to another listing, loses a storefront or is unfollowed, or its workspace is deleted.
import pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { App } from "../src/domain/feed/listing.ts";
import { exportRatings } from "../src/features/exports/export-ratings.ts";
import { exportReviews } from "../src/features/exports/export-reviews.ts";
import { exportWorkspace } from "../src/features/exports/export-workspace.ts";
import { streamExport } from "../src/features/exports/routes.ts";
import { ensurePrivateListing } from "../src/use-cases/apps/private-listing.ts";
import { deleteWorkspace, removeApp } from "./support/acts.ts";
import { type ApiTestContext, openApiTestContext } from "./support/api-test-context.ts";
import { aKey, anApp, aWorkspace } from "./support/factories.ts";
import { fillListing } from "./support/filled-listing.ts";

let context: ApiTestContext;
let client: pg.Client;
const deps = () => ({ ...context, actor: "test" });
beforeAll(async () => {
  context = await openApiTestContext();
  client = new pg.Client({ connectionString: context.connectionString });
  await client.connect();
});
afterAll(async () => {
  await client.end();
  await context.close();
});

/** More than one page of every reader. */
const count = 1_200;

async function* readBody(response: Response): AsyncGenerator<string> {
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  for (let part = await reader?.read(); part && !part.done; part = await reader?.read()) {
    yield part.value;
  }
}

const streams: Record<string, (app: App) => AsyncGenerator<unknown>> = {
  async *"GET /reviews/export"({ workspaceId, id }) {
    const { key } = await aKey(context.database, { id: workspaceId });
    const headers = { authorization: `Bearer ${key}` };
    const url = `http://starpost.test/api/v1/reviews/export?app=${id}`;
    const incoming = { socket: { remoteAddress: "192.0.2.1" } };
    yield* readBody(await context.api.fetch(new Request(url, { headers }), { incoming }));
  },
  async *"GET /reviews/export of all apps"({ workspaceId }) {
    const { key } = await aKey(context.database, { id: workspaceId });
    const headers = { authorization: `Bearer ${key}` };
    const url = "http://starpost.test/api/v1/reviews/export?format=csv";
    const incoming = { socket: { remoteAddress: "192.0.2.1" } };
    yield* readBody(await context.api.fetch(new Request(url, { headers }), { incoming }));
  },
  async *"the dashboard's export"({ workspaceId, id }) {
    const query = { workspaceId, filters: { app: id }, format: "csv", fileName: "x" } as const;
    yield* readBody(await streamExport(deps(), query));
  },
  async *"the dashboard's export of all apps"({ workspaceId }) {
    const query = { workspaceId, filters: {}, format: "jsonl", fileName: "x" } as const;
    yield* readBody(await streamExport(deps(), query));
  },
  "starpost export reviews": ({ id }) =>
    exportReviews(context.database, { appId: id, workspaceId: null }),
  "starpost export ratings": (app) => exportRatings(context.database, app),
  async *"starpost export workspace"({ workspaceId: id }) {
    for await (const batch of exportWorkspace(deps(), { id }))
      if (batch[0]?.kind === "review") yield batch;
  },
};

const changes: Record<string, (app: App) => Promise<unknown>> = {
  "moves to a listing of its own": ({ id }) => ensurePrivateListing(deps(), id),
  "loses a storefront": ({ id }) =>
    client.query("update apps set countries = $2 where id = $1", [id, ["us"]]),
  "is unfollowed": ({ id, workspaceId }) => removeApp(deps(), { id, workspaceId }),
  "goes with its workspace": ({ workspaceId }) => deleteWorkspace(deps(), { id: workspaceId }),
};

/** An app with more than a page of reviews and ratings, on a listing that another workspace follows. */
async function aLargeApp(): Promise<App> {
  const { id: workspaceId } = await aWorkspace(context.database);
  const app = await anApp(context.database, { workspaceId });
  const other = await aWorkspace(context.database);
  await anApp(context.database, { workspaceId: other.id, externalAppId: app.externalAppId });
  await fillListing(client, { app, count });
  // Those of two storefronts are seen: about a third.
  await client.query(`update reviews set country = 'us' where listing_id = $1`, [app.listingId]);
  await client.query(
    `insert into snapshots (listing_id, region, day, average, total, captured_at)
     select $1, 'us', date '2020-01-01' + n, 4.5, 100, now() from generate_series(1, $2::integer) n`,
    [app.listingId, count],
  );
  return app;
}

const cases = Object.keys(streams).flatMap((stream) =>
  Object.keys(changes).map((change) => [stream, change] as const),
);

test.each(cases)("%s breaks off when an app %s", async (name, change) => {
  const app = await aLargeApp();
  const stream = streams[name]?.(app);
  expect((await stream?.next())?.done).toBe(false);
  await changes[change]?.(app);
  const readRest = async () => {
    while (!(await stream?.next())?.done);
  };
  await expect(readRest()).rejects.toThrow();
});

test.each(Object.keys(streams))(
  "%s ends when another app is followed and a storefront is added",
  async (name) => {
    const app = await aLargeApp();
    const { id, workspaceId } = app;
    const stream = streams[name]?.(app);
    expect((await stream?.next())?.done).toBe(false);
    await anApp(context.database, { workspaceId });
    await client.query("update apps set countries = $2 where id = $1", [id, ["us", "gb", "de"]]);
    while (!(await stream?.next())?.done);
  },
);
