// One filter, one answer: the Reviews page with its counts, choices and export, the read API, a channel, its preview and its
// digest have the same reviews for any filter and any text, whatever the locale of the database.
import fc from "fast-check";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { parseParameters, reviewParameters } from "../src/api/parameters.ts";
import { type Database, openDatabase } from "../src/database/database.ts";
import { migrate } from "../src/database/migrate.ts";
import type { ReviewPosition } from "../src/database/reviews/review-ranges.ts";
import { listedFilters, openChannelFilter } from "../src/domain/channel/channel.ts";
import type { App } from "../src/domain/feed/listing.ts";
import type { Review } from "../src/domain/review/review.ts";
import {
  type FilterName,
  findChannelFault,
  parseReviewFilter,
} from "../src/domain/review/review-filter.ts";
import { composeChannelDigest } from "../src/features/digests/channel-digest.ts";
import { streamExport } from "../src/features/exports/routes.ts";
import { silentLog } from "../src/lib/log.ts";
import { toFilterable } from "../src/matching/match-reviews.ts";
import { summarizeFeed } from "../src/read/reviews/feed-summary.ts";
import { readFeedPage } from "../src/read/reviews/review-feed.ts";
import { countMatching } from "../src/use-cases/reviews/search-reviews.ts";
import { cloneDatabase, createPlainDatabase, type TestDatabase } from "./support/database.ts";
import { aChannel, anApp, aReview, aWorkspace, saveReviews } from "./support/factories.ts";
import { MovableClock } from "./support/movable-clock.ts";
import { volume } from "./support/volume.ts";

// Letters whose cases differ between languages, libraries and versions of Unicode, and what patterns are made of.
const letters = "a B i I İ ı ß ẞ Ä é K ſ s σ ς Σ д Д ქ ԥ Ԥ ǆ ǅ 👍 𐐨 𐐀 % _ \\ . * [ ] ( ^ $ |".split(
  " ",
);
const letter = fc.constantFrom(...letters, " ");
const text = fc.oneof(fc.constant(""), fc.string({ unit: letter, maxLength: 6 }));
const range = { from: "2026-11-16", to: "2026-11-22" };

const anyReview = fc.record({
  rating: fc.integer({ min: 1, max: 5 }),
  title: fc.option(text),
  text,
  author: text,
  country: fc.constantFrom("us", "de"),
  version: fc.constantFrom("", "1.0"),
  sentiment: fc.constantFrom("positive" as const, "negative" as const, null),
  topics: fc.subarray(["ads", "crash"]),
  reply: fc.constantFrom(
    null,
    { text: "Thanks", at: null },
    { text: "Thanks", at: new Date("2026-11-19T10:00:00Z") },
  ),
  translation: fc.option(fc.record({ text, from: fc.constant("de") })),
  date: fc.constantFrom(new Date("2026-11-18T10:00:00Z"), new Date("2026-11-20T23:59:59Z")),
});

const optional = <Value>(value: fc.Arbitrary<Value>) =>
  fc.oneof({ weight: 4, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary: value });
const flag = optional(fc.constantFrom("true", "false"));
/** Of ids and days, which the drawn reviews don't have or all share. */
type UndrawnFilter = "app" | "assignee" | "from" | "newSince" | "range" | "to";
const anyFilter = fc.record<Record<Exclude<FilterName, UndrawnFilter>, string | undefined>>({
  store: optional(fc.constantFrom("appstore", "googleplay")),
  rating: optional(fc.constantFrom("1", "2,3", "1,2,3,4,5")),
  sentiment: optional(fc.constantFrom("positive", "negative")),
  topic: optional(fc.constantFrom("ads", "crash")),
  country: optional(fc.constantFrom("us", "de")),
  language: optional(fc.constantFrom("en", "de")),
  version: optional(fc.constant("1.0")),
  hasText: flag,
  minLength: optional(fc.constantFrom("1", "2", "3")),
  hasReply: flag,
  reply: optional(fc.constantFrom("unanswered", "answered", "outdated")),
  edited: flag,
  removed: flag,
  status: optional(fc.constantFrom("open", "done")),
  tag: fc.oneof({ weight: 19, arbitrary: fc.constant(undefined) }, fc.constant("urgent")),
  q: fc.oneof(fc.constant(undefined), fc.string({ unit: letter, minLength: 2, maxLength: 3 })),
});

describe.each([
  ["the embedded database", cloneDatabase],
  ["a database that knows the case of ASCII letters alone", createPlainDatabase],
])("in %s", (_, create) => {
  let testDatabase: TestDatabase;
  let database: Database;
  let app: App;
  let reviews: readonly Review[];
  const clock = new MovableClock(new Date("2026-11-23T12:00:00Z"));
  beforeAll(async () => {
    testDatabase = await create();
    const pool = new pg.Pool(testDatabase);
    await migrate(pool);
    await pool.end();
    database = await openDatabase({ log: silentLog, connection: testDatabase });
    const { id: workspaceId } = await aWorkspace(database);
    app = await anApp(database, { workspaceId, countries: ["us", "de"] });
    const drawn = fc.sample(anyReview, { numRuns: 90, seed: 7 });
    reviews = await saveReviews(database, app, drawn.map(aReview));
  });
  afterAll(async () => {
    await database.close();
    await testDatabase.drop();
  });

  test("page, read API, counts, choices, export, channel, preview and digest agree", async () => {
    const { workspaceId } = app;
    const apps = await database.listFollowedApps({ workspaceId, ids: null });
    const deps = { clock, database, findEvidence: async () => [] };
    let matchCount = 0;
    async function check(query: string): Promise<void> {
      const parsed = parseReviewFilter(query);
      if (!parsed.ok) throw new Error(parsed.fault);
      const { filter: filters } = parsed;
      const channel = aChannel({ workspaceId, query, createdAt: clock.now() });
      const { takesApp, takesReview } = openChannelFilter(channel);
      const taken = takesApp(app)
        ? reviews.filter((one) => takesReview(toFilterable(one, one.analysis?.topics ?? [])))
        : [];
      const ids = taken.map(({ id }) => id).sort();
      matchCount += ids.length;

      const previewed = takesApp(app) ? apps : [];
      const page = { workspaceId, apps: previewed, after: null, limit: 100, scanMax: 1_000 };
      const preview = await database.listReviewKeys({ ...page, filters: listedFilters(channel) });
      expect(preview.keys.map(({ id }) => id).sort(), `preview: ${query}`).toEqual(ids);
      const digest = await composeChannelDigest(deps, { channel, rhythm: "weekly", range });
      const digestCount = digest.apps[0]?.matchingCount ?? (query === "" ? reviews.length : 0);
      expect(digestCount, `digest: ${query}`).toBe(ids.length);
      // The page shows what a team made of its reviews, and a channel can't.
      if (findChannelFault(filters) !== null) return;

      const listed: string[] = [];
      for (let after: ReviewPosition | null = null, isFirst = true; isFirst || after; ) {
        isFirst = false;
        const found = await readFeedPage(deps, { workspaceId, filters, after, limit: 40 });
        listed.push(...found.reviews.map(({ id }) => id));
        after = found.last;
      }
      expect(listed.sort(), `page: ${query}`).toEqual(ids);
      const { total, facets } = await summarizeFeed(deps, { workspaceId, filters });
      expect(total, `count: ${query}`).toBe(ids.length);
      for (const name of ["rating", "country"] as const) {
        const isChosen = (value: string) =>
          [filters[name] ?? value].flat().map(String).includes(value);
        const chosen = facets[name].filter(({ value }) => isChosen(value));
        const sum = chosen.reduce((all, { count }) => all + count, 0);
        expect(sum, `choices of ${name}: ${query}`).toBe(ids.length);
      }
      const counted = await countMatching(database, { workspaceId, apps: previewed, ...filters });
      expect(counted, `count of a preview: ${query}`).toBe(ids.length);
      const file = { workspaceId, filters, format: "jsonl" as const, fileName: "reviews" };
      const lines = (await (await streamExport(deps, file)).text()).split("\n").filter(Boolean);
      expect(lines.map((line) => JSON.parse(line).id).sort(), `export: ${query}`).toEqual(ids);
      const { status: __, ...ofApi } = Object.fromEntries(new URLSearchParams(query));
      const api = parseParameters(reviewParameters, String(new URLSearchParams(ofApi)));
      const ofStore = apps.filter(({ store }) => api.store?.includes(store) ?? true);
      const read = { ...page, apps: ofStore, filters: api };
      const { reviews: returned } = await database.listReviewPage(read);
      expect(returned.map(({ id }) => id).sort(), `read API: ${query}`).toEqual(ids);
    }
    await check("");
    await fc.assert(
      fc.asyncProperty(anyFilter, (chosen) => {
        const named = Object.entries(chosen).filter(([, value]) => value !== undefined);
        return check(new URLSearchParams(named as [string, string][]).toString());
      }),
      { numRuns: volume(120), seed: 11 },
    );
    expect(matchCount).toBeGreaterThan(volume(150));
  });

  test("words are found in any case of their letters", async () => {
    const { workspaceId } = app;
    const words = ["İade istiyorum", "КУПИЛ подписку", "ΟΔΟΣ μου", "STRASSE Straße", "Ǆep"];
    const saved = await saveReviews(
      database,
      app,
      words.map((one) => aReview({ text: one })),
    );
    for (const [q, at] of [
      ["iade", 0],
      ["IADE", 0],
      ["купил ПОДПИСКУ", 1],
      ["οδος ΜΟΥ", 2],
      ["STRAẞE", 3],
      ["ǆEP", 4],
    ] as const) {
      const filters = { q };
      const { reviews: found } = await readFeedPage(
        { database, findEvidence: async () => [] },
        { workspaceId, filters, after: null, limit: 10 },
      );
      expect(
        found.map(({ id }) => id),
        q,
      ).toEqual([saved[at]?.id]);
    }
  });
});
