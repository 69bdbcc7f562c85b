// Shapes that are learned from payloads whose layout changed: no value may be wrong, and nearly all changes are healed.
import { expect, test } from "vitest";
import {
  applePayload,
  appPages,
  asStored,
  entryMoves,
  feedMoves,
  googlePayload,
  insertBefore,
  type Json,
  listMoves,
  type Move,
  moveEntries,
  moveItems,
  moveToEnd,
  nest,
  someReviews,
  swap,
} from "../../../test/support/moved-payloads.ts";
import type { SourceReview } from "../../domain/review.ts";
import { parseRssJson } from "../apple/rss-json.ts";
import { parseReviewsPayload } from "../google/reviews-payload.ts";
import type { AppleFeedShape } from "./apple-shapes.ts";
import type { GoogleReviewsShape } from "./google-shapes.ts";
import {
  knownAppleReview,
  knownGoogleApp,
  knownGoogleReview,
  learnableShapes,
} from "./known-values.ts";
import { explains, learnShape, type Sample } from "./learn-shape.ts";
import { readItem, type Shape, valueAtPath } from "./shape.ts";

/** Two feeds; the newest eight reviews of each were written since the last crawl. */
const feeds = [1, 2].map((feed) => ({ feed: String(feed), reviews: someReviews(feed) }));
const newCount = 8;

const stores = {
  googleplay: {
    ...learnableShapes["google-reviews"],
    payloadOf: googlePayload as (reviews: ReturnType<typeof someReviews>) => Json,
    knownOf: knownGoogleReview,
    read: (payload: Json, shape?: Shape) =>
      parseReviewsPayload(payload, "en", shape as GoogleReviewsShape)?.reviews ?? [],
  },
  appstore: {
    ...learnableShapes["apple-feed"],
    payloadOf: applePayload,
    knownOf: knownAppleReview,
    read: (payload: Json, shape?: Shape) =>
      parseRssJson(JSON.stringify(payload), { region: "us" }, shape as AppleFeedShape)?.reviews ??
      [],
  },
} as const;

type StoreName = keyof typeof stores;

function samplesOf(store: StoreName, move: (payload: Json) => Json): Sample[] {
  const { payloadOf, knownOf } = stores[store];
  return feeds.map(({ feed, reviews }) => {
    // Titles are not known in Google Play, and dates of the App Store have no milliseconds.
    const stored = reviews.slice(newCount).map((review) => asStored(storedBy(store, review)));
    const known = new Map(stored.map((review) => [review.storeReviewId, knownOf(review)]));
    return { feed, payload: move(payloadOf(reviews)), known };
  });
}

function storedBy(store: StoreName, review: ReturnType<typeof someReviews>[number]) {
  const ms = review.date.getTime();
  return store === "googleplay"
    ? { ...review, title: null }
    : { ...review, reply: null, date: new Date(ms - (ms % 1_000)) };
}

/** Values that differ from the truth; an unknown one does not. */
function wrongValues(found: readonly SourceReview[], truth: readonly SourceReview[]): string[] {
  const byId = new Map(truth.map((review) => [review.storeReviewId, review]));
  return found.flatMap((review) => {
    const right = byId.get(review.storeReviewId);
    if (!right) return [`invented ${review.storeReviewId}`];
    return (Object.keys(right) as (keyof SourceReview)[]).flatMap((key) => {
      const isUnknown = review[key] === null || review[key] === "";
      const isWrong = JSON.stringify(review[key]) !== JSON.stringify(right[key]);
      return isWrong && !isUnknown ? [`${key} of ${review.storeReviewId}`] : [];
    });
  });
}

const fieldMoves: Move[] = [
  ...[0, 1, 2, 4, 5, 7, 10].map(insertBefore),
  ...[moveToEnd(4), moveToEnd(5), moveToEnd(2, 10), moveToEnd(0, 1), moveToEnd(7)],
  ...[nest(4), nest(1), nest(5), nest(2)],
  ...[swap(1, 7), swap(2, 6), swap(4, 10), swap(0, 4), swap(5, 7)],
];
const pairs: [Move, Move][] = [
  [insertBefore(3), moveToEnd(5)],
  [nest(4), insertBefore(0)],
  [swap(2, 6), insertBefore(4)],
  [moveToEnd(1), nest(10)],
  [swap(4, 10), nest(2)],
  [insertBefore(1), insertBefore(6)],
];

type Case = { store: StoreName; kind: string; name: string; move(payload: Json): Json };
const onGoogle = (kind: string, name: string, move: (payload: Json[]) => Json): Case => ({
  ...{ store: "googleplay", kind, name },
  move: (payload) => move(payload as Json[]),
});
const onApple = (kind: string, name: string, move: (payload: Json) => Json): Case => ({
  ...{ store: "appstore", kind, name, move },
});

const cases: Case[] = [
  ...fieldMoves.map((one) => onGoogle(one.kind, one.name, (payload) => moveItems(payload, [one]))),
  ...listMoves.map(({ kind, name, move }) => onGoogle(kind, name, move)),
  ...pairs.map((two) =>
    onGoogle("two moves", two.map(({ name }) => name).join(", "), (payload) =>
      moveItems(payload, two),
    ),
  ),
  ...listMoves
    .slice(0, 3)
    .map(({ name, move }) =>
      onGoogle("two moves", `${name}, text inside a list`, (payload) =>
        move(moveItems(payload, [nest(4)])),
      ),
    ),
  ...entryMoves.map((one) => onApple(one.kind, one.name, (payload) => moveEntries(payload, [one]))),
  ...feedMoves.map(({ kind, name, move }) => onApple(kind, name, move)),
  ...entryMoves.slice(0, 4).map((one) =>
    onApple("two moves", `${one.name}, the feed in an object`, (payload) => ({
      data: moveEntries(payload, [one]),
    })),
  ),
];

test(`${cases.length} changes of the layout are healed but for a tenth, and no value is wrong`, () => {
  expect(cases.length).toBeGreaterThanOrEqual(40);
  const wrong: string[] = [];
  const unhealed: string[] = [];
  for (const { store, kind, name, move } of cases) {
    const { shape, learning, payloadOf, read } = stores[store];
    const label = `${store}: ${kind}: ${name}`;
    const samples = samplesOf(store, move);
    const learned = learnShape(shape, learning, samples);
    if (!learned) {
      unhealed.push(label);
      continue;
    }
    expect(samples.map((sample) => explains(learned.shape, learning, sample))).toEqual([
      true,
      true,
    ]);
    for (const [index, { reviews }] of feeds.entries()) {
      const truth = read(payloadOf(reviews));
      const found = read(samples[index]?.payload, learned.shape);
      wrong.push(...wrongValues(found, truth).map((value) => `${label}: ${value}`));
      const isRead = found.every(({ text, date }) => text !== null && text !== "" && date !== null);
      if (found.length !== truth.length || !isRead) unhealed.push(label);
    }
  }
  expect(wrong).toEqual([]);
  expect(unhealed.length, unhealed.join("\n")).toBeLessThanOrEqual(Math.floor(cases.length / 10));
});

const everySecond = (change: (item: Json[]) => Json[]) => (payload: Json) => {
  const [list, ...rest] = payload as Json[][];
  return [list?.map((item, index) => (index % 2 ? change(item as Json[]) : item)), ...rest];
};
const everyItem = (change: (item: Json[], index: number) => Json[]) => (payload: Json) => {
  const [list, ...rest] = payload as Json[][];
  return [list?.map((item, index) => change(item as Json[], index)), ...rest];
};

test.each<[string, (payload: Json) => Json]>([
  ["a page in order", (payload) => payload],
  [
    "author and text of every second review swapped",
    everySecond((item) => swap(1, 4).move(item) as Json[]),
  ],
  [
    "the dates of replies in the place of dates",
    everyItem((item) => item.with(5, (item[7] as Json[] | null)?.[2] ?? null)),
  ],
  ["the same rating for all", everyItem((item) => item.with(2, 5))],
  [
    "the time of the request as the date of all",
    everyItem((item) => item.with(5, [1_790_000_000, 0])),
  ],
  ["no texts", everyItem((item) => item.with(4, null))],
  ["texts that are cut", everyItem((item) => item.with(4, String(item[4]).slice(0, 12)))],
  ["other ids", everyItem((item, index) => item.with(0, `x${index}`))],
  ["an encoded payload", (payload) => [Buffer.from(JSON.stringify(payload)).toString("base64")]],
])("%s gives no shape", (_, move) => {
  const { shape, learning } = stores.googleplay;
  expect(learnShape(shape, learning, samplesOf("googleplay", move))).toBeNull();
});

test("the texts of the next review are never taken for a review's own", () => {
  const { shape, learning } = stores.googleplay;
  const shifted = samplesOf("googleplay", (payload) => {
    const [list, ...rest] = payload as Json[][][];
    return [list?.map((item, index) => item.with(4, list[index + 1]?.[4] ?? null)), ...rest];
  });
  expect(learnShape(shape, learning, shifted)).toBeNull();
});

test("ratings that are all known as five stars are not learned from", () => {
  const { shape, learning } = stores.googleplay;
  const samples = samplesOf("googleplay", (payload) =>
    moveItems(payload as Json[], [insertBefore(2)]),
  );
  const constant = samples.map(({ known, ...sample }) => ({
    ...sample,
    known: new Map(
      [...known].map(([id, item]) => [
        id,
        { ...item, rating: { value: "5", fits: (found: unknown) => found === 5 } },
      ]),
    ),
  }));
  expect(learnShape(shape, learning, constant)).toBeNull();
});

test("one feed is not enough, nor are fewer than twenty known reviews", () => {
  const { shape, learning } = stores.googleplay;
  const moved = (payload: Json) => moveItems(payload as Json[], [nest(4)]);
  const [first, second] = samplesOf("googleplay", moved);
  if (!first || !second) throw new Error("there are two samples");
  expect(learnShape(shape, learning, [first])).toBeNull();
  const few = [first, second].map((sample) => ({
    ...sample,
    known: new Map([...sample.known].slice(0, 9)),
  }));
  expect(learnShape(shape, learning, few)).toBeNull();
});

// Moves that the public history of scrapers reports: fields of the app's page went into other blocks in 2021 and 2022, and
// into an object at the end of the list in 2025.
const app = (fields: Json[]) => (index: number) => fields[index];
const historical: [string, (blocks: Json[]) => Json[]][] = [
  ["blocks renumbered by one (September 2021)", (blocks) => [null, ...blocks]],
  ["blocks renumbered back (January 2022)", (blocks) => blocks.slice(1)],
  [
    "version, notes and date in an object at the end (2025)",
    (blocks) => editApp(blocks, (fields) => moveToEnd(140, 144, 145).move(fields) as Json[]),
  ],
  ["a new block before the app's (August 2022)", (blocks) => [["new"], ...blocks]],
  [
    "name, icon, developer, genre and installs in blocks of their own (the layout before June 2022)",
    (blocks) => {
      const at = app(fieldsOf(blocks));
      const shown = [
        [at(0), [at(77)], at(95), at(68), at(79), at(13)],
        [[null, null, null, null, null, null, at(51)]],
      ];
      return [["ds:1"], shown, [[null, null, [at(57)]]], [at(140), at(145), at(144)]];
    },
  ],
];

function fieldsOf(blocks: Json[]): Json[] {
  return ((blocks[1] as Json[])[1] as Json[])[2] as Json[];
}

function editApp(blocks: Json[], edit: (fields: Json[]) => Json[]): Json[] {
  return [blocks[0], [[[[]]], [null, null, edit(fieldsOf(blocks))]]];
}

test.each(historical)("pages of apps: %s", (_, move) => {
  const { shape, learning } = learnableShapes["google-app"];
  const pages = appPages();
  const samples = pages.map(
    ({ app: { externalAppId, name, iconUrl, version, facts }, histogram, blocks }): Sample => {
      const [one, two, three, four, five] = histogram;
      const total = one + two + three + four + five;
      const average = (one + 2 * two + 3 * three + 4 * four + 5 * five) / total;
      const known = knownGoogleApp({
        ...{ externalAppId, name, iconUrl },
        facts: { ...facts, version, price: null, releasedAt: facts.releasedAt.toISOString() },
        // Counted a day earlier.
        ratings: {
          average: average - 0.01,
          total: total - 9,
          histogram: [one, two - 2, three, four, five - 7],
        },
      });
      return {
        feed: externalAppId,
        payload: move(blocks),
        known: new Map([[externalAppId, known]]),
      };
    },
  );
  const learned = learnShape(shape, learning, samples);
  // The release finds a renumbered block by its content, and knows the object at the end.
  const found = samples.map(({ payload }) =>
    learned
      ? readItem(learned.shape, payload)
      : (payload as Json[])
          .map((block) => readItem(shape, valueAtPath(block, shape.root)))
          .find(({ packageName }) => packageName !== null),
  );
  expect(found).toMatchObject(
    pages.map(({ app: { externalAppId, name, iconUrl, version, facts }, histogram }) => ({
      ...{ packageName: externalAppId, name, icon: iconUrl, version },
      ...{ genre: facts.genre, installs: facts.installs, releaseNotes: facts.releaseNotes },
      ...{ oneStar: histogram[0], twoStars: histogram[1], threeStars: histogram[2] },
      ...{ fourStars: histogram[3], fiveStars: histogram[4] },
      total: histogram.reduce((sum, count) => sum + count, 0),
    })),
  );
});
