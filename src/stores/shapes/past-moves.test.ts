// Moves that happened, as the public histories of google-play-scraper and app-store-scraper report them: where a field was before
// and after. Each is learned from the values of the day before.
import { expect, test } from "vitest";
import {
  applePayload,
  appPages,
  googlePayload,
  type Json,
  someReviews,
} from "../../../test/support/moved-payloads.ts";
import type { Review } from "../../domain/review/review.ts";
import { learnShape } from "../../features/learned-shapes/learn-shape.ts";
import { parseRssJson } from "../apple/rss-request.ts";
import { parseReviewsPayload } from "../google/reviews-payload.ts";
import { learnableShapes, shapesOfStores } from "./known-values.ts";
import { type Field, type Path, readItem, type Shape } from "./shape.ts";

/** The blocks of an app's page, and where each has its fields. */
type Layout = { details: Path; ratings: Path; price: Path; version: Path };

const old = { details: [3], ratings: [10, 0], price: [8, 0, 2], version: [5] };
const nested = { ...old, details: [4], ratings: [6, 0, 6], price: [10, 0, 2], version: [7] };
const later = { details: [5], ratings: [7, 0, 6], price: [3, 0, 2], version: [8] };
const beforeJune = { ...later, ratings: [6, 0, 6] };
const layouts: [string, Layout | "one block" | "end"][] = [
  ["April 2018", old],
  ["May 2018: every block has another number", { ...nested, ratings: [6, 0] }],
  ["September 2018: ratings six places further in", nested],
  ["January 2019: every block has another number", later],
  ["August 2019: the block of ratings has another number", beforeJune],
  [
    "September 2021: every block has another number",
    { details: [6], ratings: [7, 0, 6], price: [4, 0, 2], version: [3] },
  ],
  ["January 2022: back again", beforeJune],
  ["June 2022: one block for all", "one block"],
  ["November 2025: version, notes and date in an object at the end", "end"],
];

const { shape: release, learning } = learnableShapes["google-app"];
type FieldName = keyof typeof release.fields;

/** The first paths of the release, behind the number of the block. */
const pathsInOneBlock = Object.entries(release.fields).map(([name, { paths }]) => {
  const [path = []] = paths as readonly Path[];
  return [name, [4, ...release.root, ...path]] as [FieldName, Path];
});

function pathsOf(layout: Layout | "one block" | "end"): Readonly<Record<FieldName, Path>> {
  const inOne = Object.fromEntries(pathsInOneBlock) as unknown as Record<FieldName, Path>;
  if (layout === "one block") return inOne;
  if (layout === "end") {
    const atEnd = (path: Path): Path => [
      4,
      1,
      2,
      -1,
      String(Number(path[3]) + 1),
      ...path.slice(4),
    ];
    const { version, releaseNotes, updatedSeconds } = inOne;
    return {
      ...inOne,
      ...{ version: atEnd(version), releaseNotes: atEnd(releaseNotes) },
      updatedSeconds: atEnd(updatedSeconds),
    };
  }
  const { details, ratings, price, version } = layout;
  const shown = [...details, 0, 12];
  return {
    ...{ packageName: [...shown, 77], name: [...details, 0, 0, 0], icon: [...shown, 1, 3, 2] },
    ...{ developer: [...shown, 5, 1], genre: [...shown, 13, 0, 0], installs: [...shown, 9, 2] },
    ...{
      releaseNotes: [...shown, 6, 1],
      updatedSeconds: [...shown, 8, 0],
      version: [...version, 1],
    },
    ...{ ratings: [...ratings, 9], average: [...ratings, 0, 1], total: [...ratings, 2, 1] },
    ...{ reviewCount: [...ratings, 3, 1], oneStar: [...ratings, 1, 1, 1] },
    ...{ twoStars: [...ratings, 1, 2, 1], threeStars: [...ratings, 1, 3, 1] },
    ...{ fourStars: [...ratings, 1, 4, 1], fiveStars: [...ratings, 1, 5, 1] },
    priceMicros: [...price, 0, 0, 0, 1, 0, 0],
    currency: [...price, 0, 0, 0, 1, 0, 1],
  };
}

function shapeAt(paths: Readonly<Record<FieldName, Path>>): Shape {
  const fields = Object.entries(release.fields).map(([name, { type }]): [string, Field] => [
    name,
    { type, paths: [paths[name as FieldName]] },
  ]);
  return { ...release, root: [], fields: Object.fromEntries(fields) };
}

/** Blocks with the values at these paths; an object at the end of a list counts from there. */
function place(
  values: Readonly<Record<string, Json>>,
  paths: Readonly<Record<string, Path>>,
): Json {
  const put = (node: Json, [key, ...rest]: Path, value: Json): Json => {
    if (key === undefined) return value;
    if (typeof key === "string") {
      const inner = (node ?? {}) as Record<string, Json>;
      return { ...inner, [key]: put(inner[key], rest, value) };
    }
    const list = Array.isArray(node) ? [...node] : [];
    const isEnd = key === -1;
    const at = isEnd ? Math.max(160, list.length - 1) : key;
    while (list.length <= at) list.push(null);
    list[at] = put(list[at], rest, value);
    return list;
  };
  // The object at the end is the last to be placed.
  const inOrder = Object.entries(paths).sort(
    ([, one], [, other]) => Number(one.includes(-1)) - Number(other.includes(-1)),
  );
  return inOrder.reduce<Json>(
    (blocks, [name, path]) => put(blocks, path, values[name] ?? null),
    [],
  );
}

const apps = appPages().map(({ app, histogram }) => {
  const [oneStar, twoStars, threeStars, fourStars, fiveStars] = histogram;
  const stars = { oneStar, twoStars, threeStars, fourStars, fiveStars };
  const total = histogram.reduce((sum, count) => sum + count, 0);
  const average = histogram.reduce((sum, count, index) => sum + count * (index + 1), 0) / total;
  const { externalAppId, name, iconUrl, version } = app;
  const { genre, installs, releaseNotes, releasedAt } = app.facts;
  const facts = { version, genre, installs, releaseNotes, releasedAt: releasedAt.toISOString() };
  const ratings = { average, total: total - 9, histogram };
  const known = { externalAppId, name, iconUrl, facts: { ...facts, price: null }, ratings };
  const updatedSeconds = releasedAt.getTime() / 1_000;
  const shown = { packageName: externalAppId, name, icon: iconUrl, version, genre, installs };
  return { known, shown: { ...shown, releaseNotes, updatedSeconds, average, total, ...stars } };
});

const steps = layouts.slice(1).map(([name, after], index) => {
  const [, before] = layouts[index] ?? ["", after];
  return { name, before, after };
});

test.each(steps)("pages of apps in Google Play, $name", ({ before, after }) => {
  const samples = apps.map(({ known, shown }) => ({
    feed: known.externalAppId,
    payload: place(shown, pathsOf(after)),
    known: new Map([[known.externalAppId, shapesOfStores.googleplay.knownApp(known)]]),
  }));
  const learned = learnShape(shapeAt(pathsOf(before)), learning, samples)?.shape;
  const found = samples.map(({ payload }) => learned && readItem(learned, payload));
  expect(found).toMatchObject(apps.map(({ shown }) => shown));
});

const feeds = [1, 2].map((feed) => someReviews(feed));

/** The list of reviews on an app's page, in the block of that number. */
const inBlock = (block: number) => (payload: Json) => [
  ...new Array<Json>(block).fill(null),
  payload,
];

test.each([
  ["November 2018", 14, 15],
  ["February 2020", 16, 18],
  ["August 2024", 8, 9],
])("reviews on pages of Google Play, %s: block %i became %i", (_, before, after) => {
  const { shape, learning: ofReviews } = learnableShapes["google-reviews"];
  const samples = feeds.map((reviews, index) => {
    const read = parseReviewsPayload(googlePayload(reviews), "en")?.reviews ?? [];
    return {
      ...{ feed: String(index), payload: inBlock(after)(googlePayload(reviews)) },
      known: new Map(
        read.map((one) => [
          one.storeReviewId,
          shapesOfStores.googleplay.knownReview(one as Review),
        ]),
      ),
    };
  });
  const learned = learnShape({ ...shape, root: [before, 0] }, ofReviews, samples)?.shape;
  // Titles have no known value any more.
  const fields = { ...shape.fields, title: { type: "value", paths: [] } };
  expect(learned).toEqual({ ...shape, root: [after, 0], fields });
});

type Entry = Record<string, Json>;
const editEntries = (edit: (entries: Entry[]) => Json) => (payload: Json) => {
  const { feed } = payload as { feed: { entry: Entry[] } };
  return { feed: { ...feed, entry: edit(feed.entry) } };
};

// The release reads these ways of the feed by its own table.
test.each<[string, (payload: Json) => Json]>([
  [
    "November 2018: the first entry is no longer the app itself",
    editEntries((all) => [{ "im:name": { label: "Sample" }, id: { label: "1" } }, ...all]),
  ],
  ["December 2018: a single review without a list", editEntries(([one]) => one)],
  [
    "December 2019: one link, or a list of them",
    editEntries((all) => all.map((entry) => ({ ...entry, link: [entry["link"]] }))),
  ],
])("the App Store's feed, %s", (_, move) => {
  const [reviews = []] = feeds;
  const read = (payload: Json) => parseRssJson(JSON.stringify(payload), { region: "us" })?.reviews;
  const before = read(applePayload(reviews)) ?? [];
  const found = read(move(applePayload(reviews))) ?? [];
  expect(found.length).toBeGreaterThan(0);
  expect(found).toEqual(before.slice(0, found.length));
});
