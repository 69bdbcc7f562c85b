// Shapes that are learned from payloads whose layout changed: no value may be wrong, and nearly all changes are healed.
import { describe, expect, test } from "vitest";
import {
  type LearnerWorld,
  learn,
  readPayload,
  samplesOf,
  wrongValues,
} from "../../../test/support/learner-samples.ts";
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
import type { KnownItem } from "../../stores/shapes/known-item.ts";
import {
  learnableShapes,
  type ShapedStore,
  shapesOfStores,
} from "../../stores/shapes/known-values.ts";
import type { Shape } from "../../stores/shapes/shape.ts";
import { explains, type Sample } from "./learn-shape.ts";

const worlds = hasRecordings()
  ? { simulated: simulatedPayloads, recorded: recordedPayloads }
  : { simulated: simulatedPayloads };

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
function tryCases(
  cases: readonly Case[],
  world: LearnerWorld,
): { unhealed: string[]; wrong: string[] } {
  const wrong: string[] = [];
  const unhealed = cases.flatMap(({ store, kind, name, move }) => {
    const label = `${store}: ${kind}: ${name}`;
    const { learning } = learnableShapes[shapesOfStores[store].reviews];
    const samples = samplesOf(store, world, move);
    const learned = learn(store, samples);
    if (!learned) return [label];
    const isHealed = world[store]().every((payload, index) => {
      const truth = readPayload(store, payload);
      const sample = samples[index] as Sample;
      const found = readPayload(store, sample.payload, learned);
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

test("two fields are not learned from one place", () => {
  const starless = moved(insertBefore(0)).map(({ known, payload, ...sample }) => {
    const [list, ...rest] = payload as Json[][];
    const items = (list ?? []).map((item) =>
      (item as Json[]).with(3, null).with(7, (item as Json[])[3]),
    );
    const equal = new Map([...known].map(([id, item]) => [id, { ...item, votes: item["rating"] }]));
    return { ...sample, known: equal as typeof known, payload: [items, ...rest] };
  });
  expect(learn("googleplay", starless)).toBeNull();
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

describe("what people change without a new date", () => {
  const { learning } = learnableShapes["google-reviews"];
  const nothing = { value: null, fits: (found: unknown) => found === null || found === "" };
  const votes = (count: number) => ({
    value: String(count),
    fits: (found: unknown) => found === count,
  });
  /** Samples whose known items differ from what was read before. */
  const knownAs = (
    samples: readonly Sample[],
    change: (item: KnownItem, index: number) => KnownItem,
  ): Sample[] =>
    samples.map(({ known, ...sample }) => ({
      ...sample,
      known: new Map([...known].map(([id, item], index) => [id, change(item, index)])),
    }));
  const hasReply = ({ replyText }: KnownItem): boolean => (replyText?.value ?? null) !== null;

  test("a reply and votes that came meanwhile hide no field and contradict no shape", () => {
    let replyCount = 0;
    const samples = knownAs(moved(moveToEnd(6, 7)), (item, index) => {
      if (hasReply(item)) replyCount += 1;
      const isNew = hasReply(item) && replyCount % 12 === 1;
      return {
        ...item,
        ...(isNew && { replyText: nothing, replySeconds: nothing, replyNanoseconds: nothing }),
        ...(index % 15 === 0 && { votes: votes(Number(item["votes"]?.value ?? 0) + 3) }),
      };
    });
    const learned = learn("googleplay", samples);
    expect(learned?.fields["replyText"]?.paths).toHaveLength(1);
    expect(learned?.fields["votes"]?.paths).toHaveLength(1);
    for (const sample of samples) expect(explains(learned as Shape, learning, sample)).toBe(true);
    // Nothing of the former pages is where the shape says that votes and replies are.
    for (const sample of moved(moveToEnd()))
      expect(explains(learned as Shape, learning, sample)).toBe(false);
  });

  test("a number that is the usual one is not taken for votes", () => {
    const samples = samplesOf("googleplay", simulatedPayloads, (payload) => {
      const [list, ...rest] = payload as Json[][];
      const items = (list ?? []).map((item) => (item as Json[]).with(6, 0));
      return moveItems([items, ...rest] as Json[], [insertBefore(4)]);
    });
    const few = knownAs(samples, (item, index) => ({
      ...item,
      votes: votes(index % 12 === 0 ? 1 + (index % 5) : 0),
    }));
    expect(learn("googleplay", few)?.fields["votes"]?.paths).toEqual([]);
  });
});
