// Random changes of a payload's layout, of the kinds that the public history of scrapers shows. One seed gives the same ones.
import type { StoreId } from "../../src/domain/store/store-id.ts";
import type { Json } from "./moved-payloads.ts";

export type RandomMove = { name: string; move(payload: Json): Json };

export const moveKinds = ["insert", "end", "nest", "wrap", "renumber", "swap"] as const;
type MoveKind = (typeof moveKinds)[number];
type Path = readonly (string | number)[];
type Random = () => number;

/** For each kind, and for two changes at once. */
export function randomMoves(
  store: StoreId,
  { seed, countOfKind }: { seed: number; countOfKind: number },
): Readonly<Record<MoveKind | "two", RandomMove[]>> {
  const random = seededRandom(seed);
  const some = (kind: () => MoveKind) => randomMove(store, kind(), random);
  const listOf = (make: () => RandomMove) => Array.from({ length: countOfKind }, make);
  const ofItems = () => pick(random, ["insert", "end", "nest", "swap"] as const);
  const single = moveKinds.map((kind) => [kind, listOf(() => some(() => kind))]);
  const two = listOf(() => {
    const first = some(ofItems);
    const second = some(() => pick(random, moveKinds));
    const name = `${first.name}, then ${second.name}`;
    return { name, move: (payload) => second.move(first.move(payload)) };
  });
  return Object.fromEntries([...single, ["two", two]]);
}

/** Mulberry32, which is public domain. */
function seededRandom(seed: number): Random {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

function pick<T>(random: Random, list: readonly T[]): T {
  return list[Math.floor(random() * list.length)] as T;
}

const googleFields: readonly Path[] = [
  ...[[0], [1, 0], [2], [4], [5, 0], [5, 1], [6], [7, 1], [7, 2, 0], [10]],
];
const appleFields: readonly Path[] = [
  ...[["id"], ["im:rating"], ["title"], ["content"], ["updated"], ["author", "name"]],
  ...[["im:version"], ["im:voteSum"]],
];

function randomMove(store: StoreId, kind: MoveKind, random: Random): RandomMove {
  const isGoogle = store === "googleplay";
  const field = pick(random, isGoogle ? googleFields : appleFields);
  // A field inside of a list or an object of its own may move inside of it, or with all of it.
  const path = random() < 0.3 ? field : field.slice(0, 1);
  if (kind === "wrap" || kind === "renumber") {
    const [name, move] = pick(random, (isGoogle ? googlePages : applePages)[kind]);
    return { name, move };
  }
  const list = isGoogle ? [0] : ["feed", "entry"];
  const [name, change] = randomChange(kind, path, { random, isGoogle });
  const move = (payload: Json) =>
    edit(payload, list, (items) => (items as Json[]).map((item) => change(item)));
  return { name, move };
}

const fillers: readonly Json[] = [null, "new", 7, [], ["x", 1], true, 5, { a: 1 }];

function randomChange(
  kind: Exclude<MoveKind, "wrap" | "renumber">,
  path: Path,
  { random, isGoogle }: { random: Random; isGoogle: boolean },
): [string, (item: Json) => Json] {
  const around = path.slice(0, -1);
  const key = path.at(-1) ?? 0;
  if (kind === "insert") {
    const filler = pick(random, fillers);
    const insert = (list: Json) => (list as Json[]).toSpliced(Number(key), 0, filler);
    return isGoogle
      ? [`${JSON.stringify(filler)} before ${path}`, (item) => edit(item, around, insert)]
      : [
          `${path} behind ${JSON.stringify(filler)}`,
          (item) => edit(item, path, (it) => [filler, it]),
        ];
  }
  if (kind === "end") {
    const name = pick(random, [String(Number(key) + 1), `f${key}`]);
    return [
      `${path} at the end as ${name}`,
      (item) => edit(item, around, (it) => toEnd(it, key, name)),
    ];
  }
  if (kind === "nest") {
    const wrap = pick<(value: Json) => Json>(random, [
      ...[(value: Json) => [value], (value: Json) => [[value]], (value: Json) => [null, value]],
      ...[(value: Json) => ({ value }), (value: Json) => [value, 1]],
    ]);
    return [`${path} as ${JSON.stringify(wrap("value"))}`, (item) => edit(item, path, wrap)];
  }
  const tops = (isGoogle ? googleFields : appleFields).flatMap(([top]) => top ?? []);
  const [one = 0] = path;
  const other = pick(
    random,
    [...new Set(tops)].filter((top) => top !== one),
  );
  return [`${one} and ${other} swapped`, (item) => swapped(item, one, other)];
}

function edit(value: Json, [key, ...rest]: Path, change: (value: Json) => Json): Json {
  if (key === undefined) return value === null || value === undefined ? value : change(value);
  if (typeof value !== "object" || value === null || !Object.hasOwn(value, key)) return value;
  const changed = edit((value as Record<string, Json>)[key], rest, change);
  return Array.isArray(value) ? value.with(Number(key), changed) : { ...value, [key]: changed };
}

function toEnd(value: Json, key: string | number, name: string): Json {
  if (Array.isArray(value)) {
    return [...value.with(Number(key), null), { [name]: value[Number(key)] ?? null }];
  }
  const { [key]: moved, ...rest } = value as Record<string, Json>;
  return { ...rest, [`more ${key}`]: { [name]: moved } };
}

function swapped(item: Json, one: string | number, other: string | number): Json {
  const before = item as Record<string, Json>;
  if (Array.isArray(item))
    return item.with(Number(one), before[other]).with(Number(other), before[one]);
  return { ...before, [one]: before[other], [other]: before[one] };
}

type PageMoves = Readonly<
  Record<"wrap" | "renumber", readonly [string, (payload: Json) => Json][]>
>;

const onGoogle = (change: (list: Json[], rest: Json[]) => Json) => (payload: Json) => {
  const [list, ...rest] = payload as [Json[], ...Json[]];
  return change(list, rest);
};

const googlePages: PageMoves = {
  wrap: [
    ["the payload in a list", (payload) => [payload]],
    ["the payload in an object", (payload) => ({ data: payload })],
    ["the list in a list", onGoogle((list, rest) => [[list], ...rest])],
    ["the list two lists deep", onGoogle((list, rest) => [[[list]], ...rest])],
    ["the list behind nothing", onGoogle((list, rest) => [[null, list], ...rest])],
    ["the list in an object", onGoogle((list, rest) => [{ list }, ...rest])],
    ["each review in a list", onGoogle((list, rest) => [list.map((item) => [item]), ...rest])],
    [
      "each review in an object",
      onGoogle((list, rest) => [list.map((review) => ({ review })), ...rest]),
    ],
  ],
  renumber: [
    ["nothing before the list", (payload) => [null, ...(payload as Json[])]],
    ["a block before the list", (payload) => [null, ["new"], ...(payload as Json[])]],
    ["an object before the list", (payload) => [{ a: 1 }, ...(payload as Json[])]],
    ["a text before the list", (payload) => ["v2", ...(payload as Json[])]],
    ["the token first", (payload) => (payload as Json[]).toReversed()],
    ["the list last", onGoogle((list, rest) => [...rest, list])],
    ["names for numbers", onGoogle((list, [gap, token]) => ({ list, token: token ?? gap }))],
  ],
};

const onApple =
  (change: (entry: Json[], feed: Record<string, Json>) => Json) => (payload: Json) => {
    const { entry, ...feed } = (payload as { feed: Record<string, Json> }).feed;
    return change(entry as Json[], feed);
  };

const applePages: PageMoves = {
  wrap: [
    ["the feed in an object", (payload) => ({ data: payload })],
    ["the feed in a list", (payload) => [payload]],
    ["the entries in a list", onApple((entry, feed) => ({ feed: { ...feed, entry: [entry] } }))],
    [
      "the entries in an object",
      onApple((items, feed) => ({ feed: { ...feed, entry: { items } } })),
    ],
    [
      "each entry in a list",
      onApple((entry, feed) => ({ feed: { ...feed, entry: entry.map((one) => [one]) } })),
    ],
    [
      "each entry in an object",
      onApple((entry, feed) => ({ feed: { ...feed, entry: entry.map((review) => ({ review })) } })),
    ],
  ],
  renumber: [
    ["entries for entry", onApple((entries, feed) => ({ feed: { ...feed, entries } }))],
    ["result for feed", (payload) => ({ result: (payload as { feed: Json }).feed })],
    ["the entries alone", onApple((entry) => entry)],
    ["items beside the feed", onApple((items, feed) => ({ feed, items }))],
  ],
};
