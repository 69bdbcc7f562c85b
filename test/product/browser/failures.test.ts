// Failures are shown where people look: storefronts that can't be read, deliveries under way and on their way
// again, and what can't be done here.
import { EventEmitter, once } from "node:events";
import pg from "pg";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { StoreState } from "../../../simulator/store-state.ts";
import { channelDefaults } from "../../../src/domain/channel/channel.ts";
import type { Feed } from "../../../src/domain/feed/feed.ts";
import { systemClock } from "../../../src/lib/clock.ts";
import { addApp, createChannel, createWorkspace } from "../../support/acts.ts";
import { hasBrowser, type WatchedPage } from "../../support/browser.ts";
import { checkPage } from "../../support/browser-checks.ts";
import { type BrowserFixture, openBrowserFixture } from "../../support/browser-fixture.ts";
import { choose, typeInto } from "../../support/hands.ts";
import type { Reply } from "../../support/receiver.ts";
import { waitFor } from "../../support/wait-for.ts";

const planner = { store: "appstore", externalAppId: "1700000002" } as const;
const storeState = new StoreState(systemClock);

let world: BrowserFixture;
let visitor: WatchedPage;
let page: Page;
let workspaceId = "";
let channelId = "";

describe.skipIf(!hasBrowser())("what fails", { shuffle: false }, () => {
  beforeAll(async () => {
    storeState.addApp({ ...planner, name: "Tidepool Planner" });
    for (const region of ["us", "de", "jp"]) {
      storeState.addReview(planner, { region, rating: 4, text: `Calm and quick in ${region}.` });
    }
    world = await openBrowserFixture(storeState);
    const { deps } = world.service;
    workspaceId = (await createWorkspace(deps, { name: "Harbour", plan: "studio" })).id;
    visitor = await world.signIn({ email: "mara@example.com", workspaceId });
    page = visitor.page;
    for (const region of ["de", "jp"]) {
      world.simulator.faultFlags.enable({ fault: "forbidden", when: { region } });
    }
    await addApp(
      { ...deps, actor: "test" },
      {
        ...{ ...planner, workspaceId, name: null, languages: null, isCollected: true },
        countries: ["us", "de", "jp"],
      },
    );
    const input = { ...channelDefaults, name: "All", url: world.receiver.url, workspaceId };
    channelId = (await createChannel({ ...deps, actor: "test" }, input)).channel.id;
  });
  afterAll(() => world?.close());

  test("failing storefronts are named on every page that depends on them", async () => {
    await waitFor(async () => (await readFailingRegions()).length === 2, {
      what: () => "two failing storefronts",
      withinMs: 20_000,
    });
    await page.goto(`/w/${workspaceId}/overview`);
    await page.getByText("2 of 3 storefronts failing (Germany, Japan)").waitFor();
    expect(await checkPage(visitor, "overview-failing")).toEqual([]);
    await page.goto(`/w/${workspaceId}/reviews`);
    await page.getByText("2 of 3 storefronts failing (Germany, Japan)").waitFor();
    const failing = page.getByText("2 of 3 storefronts failing (Germany, Japan)");
    const sides = (a: string, b: string) => `/compare?${new URLSearchParams({ a, b })}`;
    await page.goto(`/w/${workspaceId}${sides("country=us", "country=de")}`);
    await failing.waitFor();
    // Figures that don't have the failing storefronts lack nothing.
    const whole = ["/reviews?country=us", "/reviews?store=googleplay"];
    for (const path of [...whole, sides("country=us", "store=googleplay")]) {
      await page.goto(`/w/${workspaceId}${path}`);
      await page.getByRole("link", { name: /^Sources.*1 failing/ }).waitFor();
      expect([path, await failing.count()]).toEqual([path, 0]);
    }
    await page.getByRole("link", { name: /^Sources.*1 failing/ }).click();
    await page.getByText("2 of 3 storefronts failing: Germany, Japan").waitFor();
    expect(await checkPage(visitor, "sources-failing")).toEqual([]);
    await page.getByRole("link", { name: "Tidepool Planner" }).first().click();
    await page.getByText(/^\d+ feeds$/).click();
    const feeds = page.getByRole("table").getByRole("row");
    await feeds.nth(1).waitFor();
    const rows = await feeds.allInnerTexts();
    const failingRows = rows.filter((row) => row.includes("Failing"));
    expect(failingRows.map((row) => row.split("\t")[0])).toEqual(
      rows.slice(1, 1 + failingRows.length).map((row) => row.split("\t")[0]),
    );
    expect(failingRows.join()).toContain("Reviews, Germany");
    expect(failingRows.join()).toContain("403");
    await page.getByText(/Reviews, Germany: 1 failed attempt, never read, next attempt/).waitFor();
    await page.getByText("Most failures pass by themselves").waitFor();
    const before = await readGermanFeed();
    await page.getByRole("button", { name: "Retry Reviews, Germany" }).click();
    await page.getByText("Reading it now").waitFor();
    await waitFor(
      async () => Number((await readGermanFeed()).checkedAt) > Number(before.checkedAt),
      {
        what: () => "a second attempt",
        withinMs: 20_000,
      },
    );
    // A try by hand that fails neither postpones the planned one nor counts as a failure in a row.
    const { failureCount, nextDueAt } = before;
    expect(await readGermanFeed()).toMatchObject({ failureCount, nextDueAt });
    await page.getByText(/Reviews, Germany: 1 failed attempt,/).waitFor();
    await page.getByText(/Reviews, Japan: 1 failed attempt,/).waitFor();
    expect(await checkPage(visitor, "app-failing")).toEqual([]);
  });

  test("a change of a store's pages is explained where apps are listed", async () => {
    const { config, database } = world.service.deps;
    const client = new pg.Client({ connectionString: config.databaseUrl ?? "" });
    await client.connect();
    await client.query(
      `update feeds set quarantined_page = $1 where kind = 'reviews' and store = 'appstore'`,
      [
        {
          kind: "dates_shifted",
          source: "public",
          reason: "dates moved",
          contents: {},
          since: new Date(),
          unconfirmed: {
            count: 12,
            examples: [
              { rating: 2, title: "Late tides", text: "The chart is empty", date: new Date() },
            ],
          },
        },
      ],
    );
    await client.end();
    await page.goto(`/w/${workspaceId}/sources`);
    await page.getByText("App Store changed its pages.").waitFor();
    await page.getByText("they show dates that moved").waitFor();
    await page.getByText("starpost incident accept appstore/public/dates_shifted").waitFor();
    expect(await checkPage(visitor, "sources-incident")).toEqual([]);
    // No app of Google Play is followed here.
    await expect.poll(() => page.getByText("Google Play changed its pages").count()).toBe(0);
    for (const incident of await database.listLayoutIncidents())
      await database.rejectLayoutIncident(incident);
  });

  test("a delivery under way says so, and one that is sent again is no failure", async () => {
    const first = createHeldReply(204);
    world.receiver.reply(first.reply);
    await page.goto(`/w/${workspaceId}/sources/channels/${channelId}`);
    await page.getByRole("button", { name: "Send a test" }).click();
    await world.receiver.waitFor(1);
    const row = page.locator("details", { hasText: "New review" }).first();
    await row.getByText("Sending", { exact: true }).waitFor();
    await expect.poll(() => row.innerText()).not.toContain("no response");
    first.release();
    await row.getByText("Delivered", { exact: true }).waitFor();

    const second = createHeldReply(503);
    world.receiver.reply(second.reply);
    await row.locator("summary").first().click();
    await row.getByRole("button", { name: "Redeliver" }).click();
    await world.receiver.waitFor(2);
    await row.getByText("Redelivered after HTTP 204").waitFor();
    second.release();
    await row.getByText(/Retrying in \d+ (s|min)/).waitFor();

    await page.getByRole("combobox", { name: "Status" }).selectOption("Failing, retried");
    await row.getByText("Retrying").waitFor();
    // Held, because the button and its message go as soon as the channel works again.
    const third = createHeldReply(200);
    world.receiver.reply(third.reply);
    await page.getByRole("button", { name: "Retry all now" }).click();
    await page.getByText("Trying 1 delivery again").waitFor();
    await world.receiver.waitFor(3);
    third.release();
    await page.getByText("No delivery has this status").waitFor();
  });

  test("a channel is paused and resumed", async () => {
    await page.goto(`/w/${workspaceId}/sources/channels/${channelId}?tab=settings`);
    await page.getByRole("button", { name: "Pause" }).click();
    await page.getByText("Paused: nothing is sent").waitFor();
    expect(await checkPage(visitor, "channel-paused")).toEqual([]);
    await page.goto(`/w/${workspaceId}/sources`);
    await page.getByText("Paused", { exact: true }).waitFor();
    await page.getByRole("link", { name: "All", exact: true }).click();
    await page.getByRole("button", { name: "Resume" }).click();
    await page.getByText("Paused: nothing is sent").waitFor({ state: "detached" });
  });

  test("what needs a translation provider is off, with the reason", async () => {
    await page.goto(`/w/${workspaceId}/sources`);
    await page.getByRole("link", { name: "Tidepool Planner" }).first().click();
    await page.getByText("no translation provider is set").waitFor();
    await expect
      .poll(() => page.getByRole("button", { name: "Translate now" }).isDisabled())
      .toBe(true);
    await page.goto(`/w/${workspaceId}/sources/channels/new`);
    await page.getByText("No translation provider is set").waitFor();
    await expect
      .poll(() => page.getByLabel("Translate reviews into English").isDisabled())
      .toBe(true);
  });

  test("a channel and a review that are not there say so, also in the window's title", async () => {
    const missing = "01a1fdfa-4601-77ee-8a05-52b9d09ab8a2";
    await page.goto(`/w/${workspaceId}/sources/channels/${missing}`);
    await page.getByRole("heading", { name: "Channel not found" }).waitFor();
    await expect.poll(() => page.title()).toBe("Channel not found · Starpost");
    await page.goto(`/w/${workspaceId}/reviews/${missing}/${missing}`);
    await page.getByRole("heading", { name: "Review not found" }).waitFor();
    await expect.poll(() => page.title()).toBe("Review not found · Starpost");
    // The answers were 404.
    visitor.takeErrors();
    await page.goto(`/w/${workspaceId}/sources/channels/new`);
    await page.getByRole("heading", { name: "New channel" }).waitFor();
  });

  test.each([
    ["Channel", "/sources/channels/:channel", "Parts of the channel"],
    ["App", "/sources/apps/:app", "Collecting"],
    ["Release", "/releases/:app", "back to its overview"],
    ["Review", "/reviews/:app/:review", "Calm and quick"],
  ])(
    "a service that fails doesn't make a page say that there is no %s",
    async (noun, path, words) => {
      const all = await visitor.context.request.get(
        `/console/api/workspaces/${workspaceId}/reviews`,
      );
      const [review] = ((await all.json()) as { reviews: { id: string; appId: string }[] }).reviews;
      const ids = { channel: channelId, app: review?.appId, review: review?.id };
      const filled = path.replaceAll(/:(\w+)/g, (_, name: keyof typeof ids) => ids[name] ?? "");
      const isAway = (url: URL) => url.pathname.startsWith("/console/api/workspaces/");
      await page.route(isAway, (route) => route.fulfill({ status: 500, body: "" }));
      await page.goto(`/w/${workspaceId}${filled}`);
      const retry = page.locator("main").getByRole("button", { name: "Try again" });
      try {
        await retry.waitFor();
        const headings = page.getByRole("heading", { level: 1 });
        await expect.poll(() => headings.allInnerTexts()).toEqual([noun]);
      } finally {
        await page.unroute(isAway);
      }
      await retry.click();
      await (noun === "Channel" ? page.getByLabel(words) : page.getByText(words)).first().waitFor();
      await retry.waitFor({ state: "detached" });
      // The answers were 500.
      visitor.takeErrors();
    },
  );

  test("what was typed is still there after the page's data couldn't be read again", async () => {
    await page.goto(`/w/${workspaceId}/sources/channels/${channelId}?tab=settings`);
    const name = page.getByLabel("Name", { exact: true });
    await typeInto(name, "Half a na");
    const [failed] = await Promise.all([
      page.waitForResponse((response) => response.status() === 500),
      page.route(`**/channels/${channelId}`, (route) => route.fulfill({ status: 500, body: "" })),
    ]);
    await failed.finished();
    await page.unroute(`**/channels/${channelId}`);
    await page.waitForResponse((response) => response.url() === failed.url() && response.ok());
    expect(await name.inputValue()).toBe("Half a na");
    visitor.takeErrors();
    await page.goto(`/w/${workspaceId}/sources/channels/new`);
  });

  test("a field's error is said once, and choosing from a list is no error yet", async () => {
    await typeInto(page.getByLabel("Name", { exact: true }), "Second");
    await typeInto(page.getByLabel("Endpoint URL"), "ftp://example.com/hook");
    await choose(page.getByRole("group", { name: "Stars", exact: true }), "Only some");
    await page.getByText("Choose at least one").waitFor();
    await expect.poll(() => page.getByRole("alert").count()).toBe(0);
    await choose(page, "5 ★");
    await page.getByRole("button", { name: "Create the channel" }).click();
    await page.getByRole("alert").first().waitFor();
    await expect
      .poll(() => page.getByRole("alert").allInnerTexts())
      .toEqual(["The URL must begin with https:// or http://"]);
  });
});

async function readFailingRegions(): Promise<unknown[]> {
  const response = await visitor.context.request.get(
    `/console/api/workspaces/${workspaceId}/alerts`,
  );
  const { apps } = (await response.json()) as { apps: { failing: unknown[] }[] };
  return apps[0]?.failing ?? [];
}

async function readGermanFeed(): Promise<Feed> {
  const { database } = world.service.deps;
  const [app] = await database.listApps({ workspaceId });
  const feeds = app ? await database.listFeeds(app.listingId) : [];
  const feed = feeds.find(({ kind, region }) => kind === "reviews" && region === "de");
  if (!feed) throw new Error("reviews of Germany have no feed");
  return feed;
}

/** A reply that the endpoint holds back until the test releases it. */
function createHeldReply(status: number): { reply: () => Promise<Reply>; release: () => void } {
  const released = new EventEmitter();
  const reply = once(released, "release").then((): Reply => ({ kind: "status", status }));
  return { reply: () => reply, release: () => void released.emit("release") };
}
