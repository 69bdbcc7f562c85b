// A page of the dashboard asks a fixed number of questions: as many statements for 50 apps with ten feeds each and 20
// channels as for one of each.
import { afterAll, beforeAll, expect, test } from "vitest";
import { routes } from "../src/dashboard-api/routes.ts";
import { channelDefaults } from "../src/domain/channel/channel.ts";
import type { App } from "../src/domain/feed/listing.ts";
import { listStatements } from "./support/count-statements.ts";
import {
  type DashboardClient,
  type DashboardFixture,
  openDashboardFixture,
} from "./support/dashboard.ts";
import { anApp, aReview, saveReviews, saveSnapshots } from "./support/factories.ts";

type Size = {
  workspaceId: string;
  client: DashboardClient;
  app: App;
  channelId: string;
  reviewId: string;
};

let world: DashboardFixture;
const sizes: Size[] = [];
const countries = "us gb ca au de fr es it jp br".split(" ");

beforeAll(async () => {
  world = await openDashboardFixture();
  for (const [appCount, channelCount] of [
    [1, 1],
    [50, 20],
  ] as const) {
    sizes.push(await openWorkspace({ appCount, channelCount }));
  }
});
afterAll(() => world.close());

async function openWorkspace(count: { appCount: number; channelCount: number }): Promise<Size> {
  const { database } = world.service.deps;
  const workspaceId = await world.addWorkspace(`${count.appCount} apps`);
  const client = await world.signIn({ email: `of-${count.appCount}@example.com`, workspaceId });
  const apps: App[] = [];
  let reviewId = "";
  for (let index = 0; index < count.appCount; index += 1) {
    const app = await anApp(database, { workspaceId, countries });
    const { listingId } = app;
    const now = new Date();
    for (const kind of ["reviews", "ratings"] as const) {
      await database.setFeeds({ listingId, kind, regions: countries, now });
    }
    const date = new Date(now.getTime() - 86_400_000);
    const review = aReview({ rating: 1, topics: ["crash"], version: "4.2.1", date });
    const [saved] = await saveReviews(database, app, [review]);
    await saveSnapshots(database, app, [{}]);
    apps.push(app);
    reviewId = saved?.id ?? "";
  }
  let channelId = "";
  for (let index = 0; index < count.channelCount; index += 1) {
    const input = { ...channelDefaults, name: `Channel ${index}`, url: "http://127.0.0.1:9/hook" };
    const response = await client.post(`/workspaces/${workspaceId}/channels`, input);
    expect(response.status, response.text).toBe(200);
    channelId = response.json.channel.id;
  }
  const app = apps.at(-1);
  if (!app) throw new Error("there is no app");
  return { workspaceId, client, app, channelId, reviewId };
}

const ownIds = ({ workspaceId, app, channelId, reviewId }: Size): Record<string, string> => ({
  workspace: workspaceId,
  app: app.id,
  channel: channelId,
  review: reviewId,
});

const knownParameters = ["workspace", "app", "channel", "review"];

/** Pages that the data here doesn't fill: pictures of apps come from a store. */
const unanswered = new Map([
  ["/workspaces/:workspace/icons", 400],
  // An export of any size is read page by page.
  ["/workspaces/:workspace/reviews/export", 400],
]);

/** Every page's data, as the router has it, of which only ids of these kinds are part of the path. */
const pages = routes
  .map(({ name }) => name.split(" "))
  .flatMap(([method, path = ""]) => {
    const parameters = [...path.matchAll(/:(\w+)/g)].map(([, name = ""]) => name);
    const isKnown = parameters.every((name) => knownParameters.includes(name));
    return method === "GET" && path.startsWith("/workspaces/:workspace/") && isKnown ? [path] : [];
  });

test("the pages are those of the router", () => {
  expect(pages).toEqual(
    expect.arrayContaining([
      "/workspaces/:workspace/apps",
      "/workspaces/:workspace/app-names",
      "/workspaces/:workspace/apps/:app",
      "/workspaces/:workspace/alerts",
      "/workspaces/:workspace/channels",
      "/workspaces/:workspace/channels/:channel",
      "/workspaces/:workspace/overview",
      "/workspaces/:workspace/reviews",
    ]),
  );
});

const triesCount = 4;

test.each(pages)(
  "GET %s asks as many questions for many apps and channels as for one",
  async (page) => {
    const counts: string[][] = [];
    for (const size of sizes) {
      const ids = ownIds(size);
      const path = page.replaceAll(/:(\w+)/g, (_match, name: string) => ids[name] ?? "");
      const tries: string[][] = [];
      // A request also asks what is kept for a minute, and notes now and then that its session was seen: the least counts.
      for (let count = 0; count < triesCount; count += 1)
        tries.push(
          await listStatements(async () => {
            const { status, text } = await size.client.get(path);
            expect(status, text).toBe(unanswered.get(page) ?? 200);
          }),
        );
      counts.push(tries.reduce((least, one) => (one.length < least.length ? one : least)));
    }
    const [one = [], many = []] = counts;
    expect(one.length).toBeGreaterThan(0);
    // Statements over many apps can have another text.
    expect(many.length, many.toSorted().join("\n")).toBe(one.length);
  },
);

test("saving a channel takes 13 statements, the session, its limits and the answer included", async () => {
  const [{ workspaceId, client, channelId }] = sizes as [Size];
  const path = `/workspaces/${workspaceId}/channels/${channelId}`;
  const save = async (minSampleSize: number): Promise<string[]> => {
    const { version } = (await client.get(path)).json.channel;
    return listStatements(async () => {
      const { status, text } = await client.patch(path, { stars: [1, 2], minSampleSize, version });
      expect(status, text).toBe(200);
    });
  };
  // A request now and then notes that its session was seen: the least counts.
  const tries = [await save(40), await save(50)];
  const least = tries.reduce((one, other) => (other.length < one.length ? other : one));
  expect(least.length, least.join("\n")).toBeLessThanOrEqual(13);
});
