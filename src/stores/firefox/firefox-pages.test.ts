// The parsers of Firefox Add-ons over a synthetic answer of every kind: what they find, field by field, and what they refuse.
import { describe, expect, test } from "vitest";
import { syntheticText } from "../../../test/support/store-pages.ts";
import { parseAddon, withHistogram } from "./addon.ts";
import { parseRatingList } from "./rating-list.ts";

const addonId = "2764310";
const page = JSON.parse(syntheticText("addons-ratings", "ratings_2764310_p1.json"));
const addon = JSON.parse(syntheticText("addons-details", "addon_2764310.json"));
const histogram = [4, 8, 10, 23, 60] as const;

const aRating = {
  author: "Sandbar Nine",
  title: null,
  version: "4.2.0",
  country: null,
  languageHint: null,
  votes: null,
  reply: null,
};

describe("a page of ratings", () => {
  test("has texts, stars alone, replies, a next page and counts, and of users only the name", () => {
    expect(parseRatingList(page, addonId)).toEqual({
      reviews: [
        {
          ...aRating,
          storeReviewId: "2200008",
          rating: 2,
          text: "Since the last update every tide comes an hour late 🌊",
          date: new Date("2026-10-04T18:29:27Z"),
        },
        {
          ...aRating,
          ...{ storeReviewId: "2200007", author: "Firefox user 11002", rating: 5, text: "" },
          date: new Date("2026-10-03T07:41:22Z"),
        },
        {
          ...aRating,
          ...{ storeReviewId: "2200006", author: "Möwe", rating: 4 },
          text: "Läuft auf dem Boot &amp; zu Hause.\nDanke.",
          date: new Date("2026-09-30T05:00:01Z"),
          reply: { text: "Thank you, see you at sea.", at: new Date("2026-10-05T09:00:00Z") },
        },
        {
          ...aRating,
          ...{ storeReviewId: "2200005", author: "", rating: 1, text: "", version: "" },
          date: new Date("2026-09-29T00:00:00Z"),
        },
      ],
      // Without stars it is not a rating.
      rejectedCount: 1,
      count: 105,
      nextPage: 2,
      histogram,
      lacksReplies: false,
    });
  });

  test("without ratings is one, with counts of zero", () => {
    const none = JSON.parse(syntheticText("addons-ratings", "ratings_2764319_p1_none.json"));
    expect(parseRatingList(none, "2764319")).toEqual({
      ...{ reviews: [], rejectedCount: 0, count: 0, nextPage: null, lacksReplies: false },
      histogram: [0, 0, 0, 0, 0],
    });
  });

  test.each([
    ["an error", { detail: "Invalid page." }],
    ["without its count", { ...page, count: undefined }],
    ["with a count below zero", { ...page, count: -1 }],
    ["without its list", { ...page, results: null }],
    ["that does not say whether it is the last", { results: [], count: 0 }],
    ["with a number for the next page", { ...page, next: 2 }],
    ["of another add-on", { ...page, results: [{ ...page.results[0], addon: { id: 7 } }] }],
  ])("%s is refused", (_, json) => {
    expect(parseRatingList(json, addonId)).toBeNull();
  });

  test("a missing count of stars leaves out the histogram, and is not zero", () => {
    const { 3: _, ...grouped } = page.grouped_ratings;
    expect(parseRatingList({ ...page, grouped_ratings: grouped }, addonId)?.histogram).toBeNull();
    expect(parseRatingList({ ...page, grouped_ratings: undefined }, addonId)?.histogram).toBeNull();
  });

  test("a missing text is omitted, and an empty one is stars alone", () => {
    const [{ body: _, ...bodiless }] = page.results;
    const read = (results: unknown[]) => parseRatingList({ ...page, results }, addonId)?.reviews;
    expect(read([bodiless])).toMatchObject([{ text: null }]);
    expect(read([{ ...bodiless, body: null }])).toMatchObject([{ text: "" }]);
  });

  test("where no rating says whether it was answered, its replies are not known", () => {
    const results = page.results.map(({ reply: _, ...rest }: { reply: unknown }) => rest);
    expect(parseRatingList({ ...page, results }, addonId)).toMatchObject({ lacksReplies: true });
  });

  test("deleted ratings are left out, and not counted as broken", () => {
    const results = [{ ...page.results[0], is_deleted: true }];
    expect(parseRatingList({ ...page, results }, addonId)).toMatchObject({
      ...{ reviews: [], rejectedCount: 0 },
    });
  });

  test.each([
    ["https://elsewhere.example/api/?page=7", 7],
    ["https://addons.mozilla.org/api/v4/ratings/rating/?page=x", 0],
    ["not a link", 0],
    [null, null],
  ])("of the next page %s only the number is read", (next, nextPage) => {
    expect(parseRatingList({ ...page, next }, addonId)).toMatchObject({ nextPage });
  });

  test.each(["2026-10-04", "1970-01-01T00:00:00Z", "yesterday", "", 1_700_000_000])(
    "%j is left out as a date",
    (created) => {
      const results = [{ ...page.results[0], created }];
      expect(parseRatingList({ ...page, results }, addonId)?.reviews).toMatchObject([
        { date: null },
      ]);
    },
  );
});

describe("an add-on", () => {
  test("has id, names, icon, authors, version and ratings", () => {
    expect(parseAddon(addon)).toEqual({
      ...{ id: addonId, slug: "lanternfish-tides", guid: "tides@lanternfish.example" },
      name: "Lanternfish Tides",
      iconUrl: "https://addons.mozilla.org/user-media/addon_icons/2764/2764310-128.png",
      developer: "Paper Harbor, Ada Tide",
      ratings: { average: 4.2095, total: 105 },
      facts: {
        ...{ version: "4.2.0", releasedAt: "2026-09-15T10:00:00Z" },
        ...{ releaseNotes: "Tides are on time.", price: null, genre: null, installs: null },
      },
    });
  });

  test.each([
    ["in its own language", { de: "Gezeiten", fr: "Marées" }, "Gezeiten"],
    ["in any language", { fr: "Marées" }, "Marées"],
    ["as a text", "Tides", "Tides"],
  ])("is named %s where the English name is missing", (_, name, expected) => {
    expect(parseAddon({ ...addon, name })?.name).toBe(expected);
  });

  test.each([
    ["an id", { ...addon, id: undefined }],
    ["a name", { ...addon, name: null }],
    ["a name in any language", { ...addon, name: { de: null } }],
  ])("without %s is refused", (_, json) => {
    expect(parseAddon(json)).toBeNull();
  });

  test.each([
    [{ average: 4.2 }, null],
    [{ average: null, count: 3 }, null],
    [{ average: 7, count: 3 }, null],
    [
      { average: 0, count: 0 },
      { average: 0, total: 0 },
    ],
    [undefined, null],
  ])("ratings %j are %j", (ratings, expected) => {
    expect(parseAddon({ ...addon, ratings })?.ratings).toEqual(expected);
  });
});

test("a histogram that contradicts average or total is dropped", () => {
  const known = { average: 4.2095, total: 105 };
  const none = { ...known, histogram: null };
  expect(withHistogram(known, histogram)).toEqual({ ...known, histogram });
  expect(withHistogram(known, [60, 23, 10, 8, 4])).toEqual(none);
  expect(withHistogram(known, [400, 800, 1_000, 2_300, 6_000])).toEqual(none);
  expect(withHistogram(known, null)).toEqual(none);
  const zero = { average: 0, total: 0 };
  expect(withHistogram(zero, [0, 0, 0, 0, 0])).toEqual({ ...zero, histogram: [0, 0, 0, 0, 0] });
});
