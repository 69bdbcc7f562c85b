// Every number of Overview that leads to reviews is the number of reviews that the read API gives for the same
// filters: fifty are picked at random.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { StoreState } from "../../../simulator/store-state.ts";
import { analysisVersion } from "../../../src/analysis/analyze.ts";
import type { App } from "../../../src/domain/feed/listing.ts";
import { systemClock } from "../../../src/lib/clock.ts";
import { dayMs } from "../../../src/lib/timestamp.ts";
import { createWorkspace } from "../../support/acts.ts";
import { hasBrowser, type WatchedPage } from "../../support/browser.ts";
import { type BrowserFixture, openBrowserFixture } from "../../support/browser-fixture.ts";
import { aKey, anApp, aReview, saveReviews } from "../../support/factories.ts";

type ApiReview = {
  store: string;
  externalAppId: string;
  rating: number;
  version: string;
  country: string;
  date: string;
  sentiment: { label: string } | null;
  topics: string[];
};

const pickedCount = 50;

/** Rows of the current analysis are not analysed again during the test. */
const current = { analysisVersion };

let world: BrowserFixture;
let visitor: WatchedPage;
let workspaceId = "";
let apps: App[] = [];

describe.skipIf(!hasBrowser())("the numbers", () => {
  beforeAll(async () => {
    world = await openBrowserFixture(new StoreState(systemClock));
    workspaceId = (await createWorkspace(world.service.deps, { name: "Reef", plan: "studio" })).id;
    apps = await addApps();
    visitor = await world.signIn({ email: "lea@example.com", workspaceId });
  });
  afterAll(() => world?.close());

  test("fifty numbers of the page, picked at random, equal the API's", async () => {
    const reviews = await readAllReviews();
    const shown = await readNumbers(`/w/${workspaceId}/overview`);
    for (const { id } of apps)
      shown.push(...(await readNumbers(`/w/${workspaceId}/overview?app=${id}`)));
    expect(shown.length).toBeGreaterThan(pickedCount);
    const picked = shown
      .map((one) => ({ one, order: Math.random() }))
      .sort((a, b) => a.order - b.order)
      .slice(0, pickedCount)
      .map(({ one }) => one);
    const wrong = picked
      .map(({ href, number }) => ({ href, number, counted: count(reviews, href) }))
      .filter(({ number, counted }) => number !== counted);
    expect(wrong).toEqual([]);
    expect(picked.some(({ number }) => number > 0)).toBe(true);
  });
});

/** Two stores, a hundred days, all stars, sentiments, versions, storefronts and some topics. */
async function addApps(): Promise<App[]> {
  const { database } = world.service.deps;
  const now = systemClock.now().getTime();
  const first = await anApp(database, { workspaceId, countries: ["us", "gb", "de"] });
  const second = await anApp(database, {
    ...{ workspaceId, store: "googleplay", externalAppId: "app.tide" },
  });
  const sentiments = ["positive", "neutral", "negative", "mixed"] as const;
  const topics = ["crash", "ads", "battery", "login", "price"];
  for (const app of [first, second]) {
    await saveReviews(
      database,
      app,
      Array.from({ length: 190 }, (_, index) =>
        aReview({
          ...current,
          date: new Date(now - index * 0.55 * dayMs),
          rating: ((index * 7) % 5) + 1,
          sentiment: sentiments[(index * 3) % 4] ?? null,
          topics: topics.filter((_, topic) => index % (topic + 2) === 0),
          version: index < 60 ? "3.1" : "3.0",
          country: app === first ? (["us", "gb", "de"][index % 3] ?? "us") : "en",
        }),
      ),
    );
  }
  return [first, second];
}

async function readAllReviews(): Promise<ApiReview[]> {
  const { key } = await aKey(world.service.deps.database, { id: workspaceId });
  const reviews: ApiReview[] = [];
  let cursor: string | null = "";
  while (cursor !== null) {
    const query = new URLSearchParams({ limit: "100", ...(cursor ? { cursor } : {}) });
    const response = await fetch(`${world.service.url}/api/v1/reviews?${query}`, {
      headers: { authorization: `Bearer ${key}` },
    });
    const page = (await response.json()) as { reviews: ApiReview[]; nextCursor: string | null };
    reviews.push(...page.reviews);
    cursor = page.nextCursor;
  }
  return reviews;
}

async function readNumbers(path: string): Promise<{ href: string; number: number }[]> {
  await visitor.page.goto(path);
  await visitor.page.getByText("Countries and languages").waitFor();
  const links = await visitor.page.evaluate<{ href: string; text: string }[]>(`
    [...document.querySelectorAll("main a[href*='/reviews?']")].map((link) => ({
      href: link.getAttribute("href"),
      text: link.textContent,
    }))`);
  return links.flatMap(({ href, text }) => {
    const found =
      /([\d,]+) (?:negative|reviews?)\b/.exec(text) ??
      /^([\d,]+)$/.exec(text) ??
      /\(([\d,]+)\)$/.exec(text);
    // A sentence of what changed names other numbers, too.
    if (!found?.[1] || text.includes(";") || text.includes("there were")) return [];
    return [{ href, number: Number(found[1].replaceAll(",", "")) }];
  });
}

function count(reviews: readonly ApiReview[], href: string): number {
  const query = new URL(href, "http://page").searchParams;
  const has = (name: string, matches: (value: string) => boolean): boolean => {
    const value = query.get(name);
    return value === null || matches(value);
  };
  const known = [
    "app",
    "store",
    "from",
    "to",
    "rating",
    "sentiment",
    "topic",
    "country",
    "version",
  ];
  expect([...query.keys()].filter((name) => !known.includes(name))).toEqual([]);
  return reviews.filter((review) => {
    const day = review.date.slice(0, 10);
    const app = apps.find(({ externalAppId }) => externalAppId === review.externalAppId);
    return (
      has("app", (id) => app?.id === id) &&
      has("store", (store) => review.store === store) &&
      has("from", (from) => day >= from) &&
      has("to", (to) => day <= to) &&
      has("rating", (stars) => stars.split(",").map(Number).includes(review.rating)) &&
      has("sentiment", (label) => review.sentiment?.label === label) &&
      has("topic", (topic) => review.topics.includes(topic)) &&
      has("country", (country) => review.country === country) &&
      has("version", (version) => review.version === version)
    );
  }).length;
}
