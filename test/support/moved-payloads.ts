// Payloads of both stores with known items, and changes of their layout: the kinds that the public history of scrapers shows.

import { formatFeedJson } from "../../simulator/apple-feed-json.ts";
import { reviewItems } from "../../simulator/play-batch.ts";
import { detailsFields } from "../../simulator/play-details.ts";
import type { SimulatedReview } from "../../simulator/store-facts.ts";
import { parseBatch } from "../../src/stores/google/batch.ts";
import type { ShapedStore } from "../../src/stores/shapes/known-values.ts";
import { recordedText } from "./recorded.ts";

export type Json = unknown;

const words = ["Opens", "Freezes", "Syncs", "Prints", "Rotates", "Uploads", "Vanishes"];
const start = Date.UTC(2026, 2, 1, 8, 30, 12, 345);

/** Reviews of one feed, the newest first; every third one has a reply. */
export function someReviews(feed: number, count = 34): SimulatedReview[] {
  return Array.from({ length: count }, (_, index) => {
    const number = feed * 1_000 + index;
    const date = new Date(start - index * 5_417_331 - feed * 777_123);
    return {
      storeReviewId: String(60_000_000_000 + number),
      region: "us",
      author: `Reader ${number}`,
      rating: 1 + ((index * 7 + feed) % 5),
      title: `Title ${number}`,
      text: `${words[index % words.length]} when I open chart ${number}`,
      version: `3.${index % 4}.${feed}`,
      votes: (index * 13) % 9,
      date,
      reply:
        index % 3 === 0
          ? { text: `Thank you, reader ${number}`, at: new Date(date.getTime() + 90_061_007) }
          : null,
    };
  });
}

/** Google Play has no titles any more. */
export function googlePayload(reviews: readonly SimulatedReview[]): Json[] {
  return [reviews.map((review) => reviewItems({ ...review, title: null })), null, [null, "token"]];
}

export function applePayload(reviews: readonly SimulatedReview[]): Json {
  const links = { first: "", last: "", previous: "", next: "" };
  const page = {
    externalAppId: "1",
    region: "us",
    reviews,
    madeAt: new Date(start),
    self: "",
    links,
  };
  return JSON.parse(formatFeedJson(page));
}

/** Payloads of two feeds: of the simulator, and the halves of a recorded page. */
export const simulatedPayloads: Readonly<Record<ShapedStore, () => Json[]>> = {
  googleplay: () => [1, 2].map((feed) => googlePayload(someReviews(feed))),
  appstore: () => [1, 2].map((feed) => applePayload(someReviews(feed))),
};

export const recordedPayloads: Readonly<Record<ShapedStore, () => Json[]>> = {
  googleplay() {
    const name = "reviews_UsvDTd_com.google.android.apps.translate_en_us_newest_p1.txt";
    const batch = parseBatch(recordedText("play-batchexecute", name), "UsvDTd");
    const [list, ...rest] = batch.kind === "payload" ? asList(batch.payload) : [];
    return halvesOf(list).map((half) => [half, ...rest]);
  },
  appstore() {
    const name = "rss_284815942_us_mosthelpful_p1_2023.json";
    const { feed } = JSON.parse(recordedText("apple-rss-json", name)) as { feed: Entry };
    return halvesOf(feed["entry"]).map((entry) => ({ feed: { ...feed, entry } }));
  },
};

function halvesOf(list: Json): [Json[], Json[]] {
  const items = asList(list);
  return [items.slice(0, items.length / 2), items.slice(items.length / 2)];
}

const histograms = [
  [4_011, 1_020, 2_400, 8_012, 40_101],
  [912, 233, 401, 1_207, 3_055],
  [70_003, 9_900, 12_777, 30_500, 190_321],
] as const;

/** The blocks of three apps' pages. */
export function appPages() {
  return histograms.map((histogram, index) => {
    const app = {
      store: "googleplay" as const,
      externalAppId: `app.sample${index}`,
      name: `Sample ${index}`,
      developer: `Makers ${index}`,
      bundleId: "",
      iconUrl: `https://images.sample.invalid/${index}.png`,
      version: `4.${index}.1`,
      facts: {
        releasedAt: new Date(start - index * 1e9 - 345),
        releaseNotes: `Mends chart ${index}`,
        price: index,
        currency: "EUR",
        genre: ["Tools", "Weather", "Travel"][index] ?? "",
        installs: 10_000 * (index + 3),
      },
    };
    const details = detailsFields(app, [...histogram], 1_000 + index * 77);
    return { app, histogram, blocks: [[["ds:3"]], [[[[]]], [null, null, details]]] as Json[] };
  });
}

type Items = Json[];
export type Move = { kind: string; name: string; move(item: Items): Json };

const asList = (value: Json): Items => (Array.isArray(value) ? value : []);

export const insertBefore = (index: number): Move => ({
  kind: "index inserted before a field",
  name: `something new before ${index}`,
  move: (item) => item.toSpliced(index, 0, null),
});

export const moveToEnd = (...indexes: number[]): Move => ({
  kind: "field moved into an object at the end",
  name: `${indexes.join(" and ")} at the end`,
  move: (item) => [
    ...item.map((value, index) => (indexes.includes(index) ? null : value)),
    Object.fromEntries(indexes.map((index) => [String(index + 1), item[index]])),
  ],
});

export const nest = (index: number): Move => ({
  kind: "nesting added",
  name: `${index} inside a list`,
  move: (item) => item.map((value, at) => (at === index ? [value] : value)),
});

export const swap = (one: number, other: number): Move => ({
  kind: "two fields swapped",
  name: `${one} and ${other} swapped`,
  move: (item) => item.with(one, item[other]).with(other, item[one]),
});

/** Wraps and moves of the whole list of reviews. */
export const listMoves: { kind: string; name: string; move(payload: Items): Json[] }[] = [
  {
    kind: "list wrapped",
    name: "the list in a list",
    move: ([list, ...rest]) => [[list], ...rest],
  },
  { kind: "list wrapped", name: "the payload in a list", move: (payload) => [payload] },
  {
    kind: "list wrapped",
    name: "each review in a list",
    move: ([list, ...rest]) => [asList(list).map((item) => [item]), ...rest],
  },
  {
    kind: "block renumbered",
    name: "the list behind another block",
    move: (payload) => [null, ["new"], ...payload],
  },
  {
    kind: "block renumbered",
    name: "the token before the list",
    move: ([list, gap, token]) => [token, gap, list],
  },
];

export function moveItems(payload: Items, moves: readonly Move[]): Json[] {
  const [list, ...rest] = payload;
  const moved = asList(list).map((item) =>
    moves.reduce<Json>((each, { move }) => move(asList(each)), item),
  );
  return [moved, ...rest];
}

type Entry = Record<string, Json>;

/** Changes of one entry of the App Store's feed. */
export const entryMoves: { kind: string; name: string; move(entry: Entry): Json }[] = [
  {
    kind: "call renamed",
    name: "rating without its prefix",
    move: ({ "im:rating": rating, ...entry }) => ({ ...entry, rating }),
  },
  {
    kind: "call renamed",
    name: "content under another name",
    move: ({ content, ...entry }) => ({ ...entry, body: content }),
  },
  {
    kind: "nesting added",
    name: "rating and version in an object",
    move: ({ "im:rating": rating, "im:version": version, ...entry }) => ({
      ...entry,
      meta: { rating, version },
    }),
  },
  {
    kind: "nesting added",
    name: "labels in lists",
    move: (entry) => ({ ...entry, title: [entry["title"]], updated: [entry["updated"]] }),
  },
  {
    kind: "two fields swapped",
    name: "title and content swapped",
    move: (entry) => ({ ...entry, title: entry["content"], content: entry["title"] }),
  },
  {
    kind: "two fields swapped",
    name: "author and title swapped",
    move: (entry) => ({
      ...entry,
      author: { name: entry["title"] },
      title: (entry["author"] as Entry)["name"],
    }),
  },
  { kind: "list wrapped", name: "each entry in a list", move: (entry) => [entry] },
  {
    kind: "field moved into an object at the end",
    name: "date and author in an object",
    move: ({ updated, author, ...entry }) => ({ ...entry, more: { updated, author } }),
  },
];

export const feedMoves: { kind: string; name: string; move(payload: Json): Json }[] = [
  { kind: "list wrapped", name: "the feed in an object", move: (payload) => ({ data: payload }) },
  {
    kind: "call renamed",
    name: "entries under another name",
    move: (payload) => {
      const { entry, ...feed } = (payload as { feed: Entry }).feed;
      return { feed: { ...feed, entries: entry } };
    },
  },
];

export function moveEntries(payload: Json, moves: readonly { move(entry: Entry): Json }[]): Json {
  const { feed } = payload as { feed: Entry };
  const entries = asList(feed["entry"]).map((entry) =>
    moves.reduce<Json>((each, { move }) => move(each as Entry), entry),
  );
  return { feed: { ...feed, entry: entries } };
}
