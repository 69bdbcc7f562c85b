// Shapes that are learned from payloads whose layout changed: no value may be wrong, and nearly all changes are healed.
import { expect, test } from "vitest";
import {
  entryMoves,
  feedMoves,
  insertBefore,
  type Json,
  listMoves,
  type Move,
  moveEntries,
  moveItems,
  moveToEnd,
  nest,
  recordedPayloads,
  simulatedPayloads,
  swap,
} from "../../../test/support/moved-payloads.ts";
import { randomMoves } from "../../../test/support/random-moves.ts";
import { hasRecordings } from "../../../test/support/recorded.ts";
import type { Review, SourceReview } from "../../domain/review/review.ts";
import { parseRssJson } from "../../stores/apple/rss-request.ts";
import { parseReviewsPayload } from "../../stores/google/reviews-payload.ts";
import type { AppleFeedShape } from "../../stores/shapes/apple-shapes.ts";
import type { GoogleReviewsShape } from "../../stores/shapes/google-shapes.ts";
import {
  learnableShapes,
  type ShapedStore,
  shapesOfStores,
} from "../../stores/shapes/known-values.ts";
import type { Shape } from "../../stores/shapes/shape.ts";
import { explains, learnShape, type Sample } from "./learn-shape.ts";

const worlds = hasRecordings()
  ? { simulated: simulatedPayloads, recorded: recordedPayloads }
  : { simulated: simulatedPayloads };
type World = (typeof worlds)["simulated"];

/** The newest eight reviews of each feed were written since the last crawl. */
const newCount = 8;

function read(store: ShapedStore, payload: Json, shape?: Shape): SourceReview[] {
  const page =
    store === "googleplay"
      ? parseReviewsPayload(payload, "en", shape as GoogleReviewsShape)
      : parseRssJson(JSON.stringify(payload), { region: "us" }, shape as AppleFeedShape);
  return page?.reviews ?? [];
}

function samplesOf(store: ShapedStore, world: World, move: (payload: Json) => Json): Sample[] {
  return world[store]().map((payload, index) => {
    const stored = read(store, payload).slice(newCount);
    const known = stored.map((review) => {
      const isDateAssumed = review.date === null;
      return shapesOfStores[store].knownReview({
        ...review,
        text: review.text ?? "",
        isDateAssumed,
      } as Review);
    });
    return {
      ...{ feed: String(index), payload: move(payload) },
      known: new Map(stored.map(({ storeReviewId }, at) => [storeReviewId, known[at] ?? {}])),
    };
  });
}

function learn(store: ShapedStore, samples: readonly Sample[]): Shape | null {
  const { shape, learning } = learnableShapes[shapesOfStores[store].reviews];
  return learnShape(shape, learning, samples)?.shape ?? null;
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

type Case = { store: ShapedStore; kind: string; name: string; move(payload: Json): Json };
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

/** `kind: name` of each change that was not healed, and all wrong values. */
function tryCases(cases: readonly Case[], world: World): { unhealed: string[]; wrong: string[] } {
  const wrong: string[] = [];
  const unhealed = cases.flatMap(({ store, kind, name, move }) => {
    const label = `${store}: ${kind}: ${name}`;
    const { learning } = learnableShapes[shapesOfStores[store].reviews];
    const samples = samplesOf(store, world, move);
    const learned = learn(store, samples);
    if (!learned) return [label];
    const isHealed = world[store]().every((payload, index) => {
      const truth = read(store, payload);
      const sample = samples[index] as Sample;
      const found = read(store, sample.payload, learned);
      wrong.push(...wrongValues(found, truth).map((value) => `${label}: ${value}`));
      return (
        found.length === truth.length &&
        found.every(({ text, date }) => (text ?? "") !== "" && date !== null) &&
        explains(learned, learning, sample) === true
      );
    });
    return isHealed ? [] : [label];
  });
  return { unhealed, wrong };
}

test.each(Object.entries(worlds))(
  `${cases.length} changes of the layout of %s pages are healed but for a tenth, and no value is wrong`,
  (_, world) => {
    expect(cases.length).toBeGreaterThanOrEqual(49);
    const { unhealed, wrong } = tryCases(cases, world);
    expect(wrong).toEqual([]);
    expect(unhealed.length, unhealed.join("\n")).toBeLessThanOrEqual(cases.length / 10);
  },
);

const seed = Number(process.env["FUZZ_SEED"] ?? 1);
const countOfKind = Number(process.env["FUZZ_CASES"] ?? 4);

test.each(Object.entries(worlds))(
  "random changes of the layout of %s pages are healed but for a tenth of each kind, and no value is wrong",
  (_, world) => {
    for (const store of ["googleplay", "appstore"] as const) {
      for (const [kind, moves] of Object.entries(randomMoves(store, { seed, countOfKind }))) {
        const { unhealed, wrong } = tryCases(
          moves.map((move) => ({ store, kind, ...move })),
          world,
        );
        expect(wrong).toEqual([]);
        expect(unhealed.length, unhealed.join("\n")).toBeLessThanOrEqual(moves.length / 10);
      }
    }
  },
);

type Path = readonly (string | number)[];
const places: Readonly<Record<ShapedStore, Readonly<Record<string, Path>>>> = {
  googleplay: { id: [0], author: [1, 0], rating: [2], text: [4], date: [5], replyDate: [7, 2] },
  appstore: {
    ...{ id: ["id", "label"], author: ["author", "name", "label"], rating: ["im:rating", "label"] },
    ...{ text: ["content", "label"], date: ["updated", "label"], replyDate: ["replyDate"] },
  },
};

function get(item: Json, path: Path = []): Json {
  return path.reduce<Json>((found, key) => (found as Record<string, Json> | null)?.[key], item);
}

function set(item: Json, [key, ...rest]: Path, value: Json): Json {
  if (key === undefined) return value;
  const inner = set((item as Record<string, Json>)[key], rest, value);
  return Array.isArray(item)
    ? item.with(Number(key), inner)
    : { ...(item as object), [key]: inner };
}

type Attack = (item: Json, at: (typeof places)["googleplay"], index: number, list: Json[]) => Json;

const attacks: [string, Attack][] = [
  ["a page in order", (item) => item],
  [
    "author and text of every second review swapped",
    (item, { author = [], text = [] }, index) =>
      index % 2 ? set(set(item, author, get(item, text)), text, get(item, author)) : item,
  ],
  [
    "the dates of replies in the place of dates",
    (item, { date = [], replyDate }) => set(item, date, get(item, replyDate) ?? null),
  ],
  [
    "the same rating for all",
    (item, { rating = [] }, _, [one]) => set(item, rating, get(one, rating)),
  ],
  [
    "the first review's date for all",
    (item, { date = [] }, _, [one]) => set(item, date, get(one, date)),
  ],
  ["no texts", (item, { text = [] }) => set(item, text, null)],
  [
    "texts that are cut",
    (item, { text = [] }) => set(item, text, String(get(item, text)).slice(0, 9)),
  ],
  [
    "the texts of the next review",
    (item, { text = [] }, index, list) => set(item, text, get(list[index + 1] ?? item, text)),
  ],
  [
    "the authors of the next review for texts",
    (item, { author, text = [] }, index, list) =>
      set(item, text, get(list[index + 1] ?? item, author)),
  ],
  ["other ids", (item, { id = [] }, index) => set(item, id, String(90_000_000 + index))],
];

const attacked = Object.entries(worlds).flatMap(([name, world]) =>
  (["googleplay", "appstore"] as const).flatMap((store) =>
    attacks.map(([attack, change]) => ({ name, world, store, attack, change })),
  ),
);

test.each(attacked)("$name pages of $store: $attack gives no shape", ({ world, store, change }) => {
  const list = store === "googleplay" ? [0] : ["feed", "entry"];
  const samples = samplesOf(store, world, (payload) => {
    const items = get(payload, list) as Json[];
    return set(
      payload,
      list,
      items.map((item, index) => change(item, places[store], index, items)),
    );
  });
  expect(learn(store, samples)).toBeNull();
});

test("an encoded payload gives no shape", () => {
  const encode = (payload: Json) => [Buffer.from(JSON.stringify(payload)).toString("base64")];
  expect(learn("googleplay", samplesOf("googleplay", simulatedPayloads, encode))).toBeNull();
});

const moved = (move: Move) =>
  samplesOf("googleplay", simulatedPayloads, (payload) => moveItems(payload as Json[], [move]));

test("ratings that are all known as five stars are not learned from", () => {
  const five = { value: "5", fits: (found: unknown) => found === 5 };
  const constant = moved(insertBefore(2)).map(({ known, ...sample }) => ({
    ...sample,
    known: new Map([...known].map(([id, item]) => [id, { ...item, rating: five }])),
  }));
  expect(learn("googleplay", constant)).toBeNull();
});

test("one feed is not enough, nor are fewer than twenty known reviews", () => {
  const [first, second] = moved(nest(4));
  if (!first || !second) throw new Error("there are two samples");
  expect(learn("googleplay", [first])).toBeNull();
  const few = [first, second].map((sample) => ({
    ...sample,
    known: new Map([...sample.known].slice(0, 9)),
  }));
  expect(learn("googleplay", few)).toBeNull();
});
