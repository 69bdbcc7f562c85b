// Learns where a store's payload has its fields now, by comparison with items whose values are known. A path counts only if
// it explains every known value; a field without one is unknown, and never guessed. Pure.
import { valueAt } from "../../lib/json.ts";
import type { KnownItem, Learning } from "../../stores/shapes/known-item.ts";
import {
  type Field,
  isOfType,
  type Path,
  readField,
  type Shape,
} from "../../stores/shapes/shape.ts";

export type Sample = {
  /** Which feed it is from: two have to agree. */
  feed: string;
  payload: unknown;
  /** By the store's id of an item; for a payload of one item by any key. */
  known: ReadonlyMap<string, KnownItem>;
};

export type LearnedShape = { shape: Shape; itemCount: number; feedCount: number };

const feedCountMin = 2;
/** So many different values are not a coincidence. */
const distinctMin = 3;
/** More of the known items than this are not edited between two crawls. */
const editedShareMax = 0.2;
/** Some items lack a value where another field replaces it, such as the title of an old review. */
const absentShareMax = 0.1;

/** null without enough evidence, with a contradiction, and where nothing moved. */
export function learnShape(
  old: Shape,
  learning: Learning,
  samples: readonly Sample[],
): LearnedShape | null {
  const root = learning.isSingle ? [] : findRoot(samples);
  if (root === null) return null;
  const entries = samples.flatMap((sample) => listEntries(sample, { ...learning, root }));
  const known = entries.filter(isKnown);
  const dated = findDate(old, learning, { entries, known });
  if (dated === null) return null;
  const unedited = known.filter((entry) => isUnedited(entry, dated));
  const feedCount = new Set(unedited.map(({ feed }) => feed)).size;
  if (unedited.length < learning.itemCountMin || feedCount < feedCountMin) return null;
  const fields: Record<string, Field> = { ...dated };
  for (const [name, field] of Object.entries(old.fields)) {
    if (fields[name]) continue;
    const paths = findPaths({ name, field, learning }, { entries, known: unedited });
    const isNeeded =
      learning.required.includes(name) ||
      (learning.exact.includes(name) && tellsApart(name, unedited));
    if (paths === null && isNeeded) return null;
    fields[name] = { type: field.type, paths: paths ?? [] };
  }
  if (hasSharedPath(fields)) return null;
  const shape = { ...old, root, fields };
  return hasMoved(old, shape, learning) ? { shape, itemCount: unedited.length, feedCount } : null;
}

/** Two fields at one place: one of them is gone, and had the same values as the other. */
function hasSharedPath(fields: Readonly<Record<string, Field>>): boolean {
  const places = Object.values(fields).flatMap(({ paths }) =>
    paths.map((path) => JSON.stringify(path)),
  );
  return new Set(places).size < places.length;
}

/** The field of the date by its name; {} for a shape without dates, null where it can't be found. */
function findDate(
  old: Shape,
  learning: Learning,
  items: { entries: readonly Entry[]; known: readonly KnownEntry[] },
): Record<string, Field> | null {
  const { date } = learning;
  const field = date === null ? undefined : old.fields[date];
  if (date === null || !field) return {};
  const paths = findPaths({ name: date, field, learning, isDate: true }, items);
  return paths && { [date]: { type: field.type, paths } };
}

function isUnedited(entry: KnownEntry, dated: Readonly<Record<string, Field>>): boolean {
  return Object.entries(dated).every(
    ([name, field]) => entry.known[name]?.fits(readField(field, entry.item)) !== false,
  );
}

/** Whether a shape reads the known items of a payload as they are stored. null: too few items are known. */
export function explains(shape: Shape, learning: Learning, sample: Sample): boolean | null {
  const known = listEntries(sample, { ...learning, root: shape.root }).filter(isKnown);
  if (known.length < (learning.isSingle ? 1 : explainedMin)) return null;
  const { date } = learning;
  const field = date === null ? undefined : shape.fields[date];
  const dated: Record<string, Field> = date === null || !field ? {} : { [date]: field };
  const unedited = known.filter((entry) => isUnedited(entry, dated));
  if (unedited.length < known.length * (1 - editedShareMax)) return false;
  const isRight = Object.entries(shape.fields).every(([name, { type, paths }]) => {
    if (paths.length === 0 || name === date) return true;
    const read = (entry: KnownEntry): unknown => readField({ type, paths }, entry.item);
    const isRequired = learning.required.includes(name);
    const fitting = unedited.filter((entry) => entry.known[name]?.fits(read(entry)) !== false);
    const isFound = fitting.length >= unedited.length * (1 - absentShareMax);
    const valued = unedited.filter((entry) => (entry.known[name]?.value ?? null) !== null);
    // A field that is not where the shape says: the former page has all others there.
    const isGone = valued.length >= distinctMin && valued.every((entry) => isNothing(read(entry)));
    const isShown = isRequired ? isFound : !isGone;
    return isShown && areInOrder({ name, learning }, unedited, read);
  });
  return isRight;
}

/** Whether a shape reads most of the known items in another way than they are stored. */
export function contradicts(shape: Shape, learning: Learning, sample: Sample): boolean {
  if (learning.isSingle) return explains(shape, learning, sample) === false;
  const known = listEntries(sample, { ...learning, root: shape.root }).filter(isKnown);
  // The list has other items.
  if (known.length === 0) return sample.known.size >= explainedMin;
  if (known.length < explainedMin) return false;
  const fitting = known.filter((entry) =>
    learning.required.every((name) => {
      const field = shape.fields[name];
      return !field || entry.known[name]?.fits(readField(field, entry.item)) !== false;
    }),
  );
  return fitting.length * 2 < known.length;
}

/** Fewer items agree or differ by accident. */
const explainedMin = 5;

/**
 * Whether items show what is stored. Voters, developers and authors change some fields without a new date: of those, few items may
 * differ, and as few of those whose value is not the usual one.
 */
function areInOrder(
  { name, learning }: { name: string; learning: Learning },
  items: readonly KnownEntry[],
  read: (entry: KnownEntry) => unknown,
): boolean {
  const storedOf = ({ known }: KnownEntry): string | null => known[name]?.value ?? null;
  const differing = items.filter((entry) => !isInOrder(name, entry, read(entry)));
  if (differing.length === 0 || !learning.changeable.includes(name)) return differing.length === 0;
  const usual = findUsual(items.map(storedOf));
  const areFew = (some: readonly KnownEntry[], of: readonly KnownEntry[]): boolean =>
    some.length <= Math.max(of.length < explainedMin ? 0 : 1, of.length * absentShareMax);
  const isRare = (entry: KnownEntry): boolean => storedOf(entry) !== usual;
  return areFew(differing, items) && areFew(differing.filter(isRare), items.filter(isRare));
}

function findUsual(values: readonly (string | null)[]): string | null {
  const counts = new Map<string | null, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  return [...counts].sort(([, one], [, other]) => other - one)[0]?.[0] ?? null;
}

/** The value of the stored item, or nothing. */
function isInOrder(name: string, { known }: KnownEntry, found: unknown): boolean {
  const expected = known[name];
  if (!expected || expected.fits(found)) return true;
  return expected.value !== null && isNothing(found);
}

function isNothing(found: unknown): boolean {
  return (found ?? "") === "";
}

type Entry = { feed: string; item: unknown; known: KnownItem | null };
type KnownEntry = Entry & { known: KnownItem };

function isKnown(entry: Entry): entry is KnownEntry {
  return entry.known !== null;
}

function listEntries(
  { feed, payload, known }: Sample,
  { root, isSingle }: Pick<Learning, "isSingle"> & { root: Path },
): Entry[] {
  if (isSingle)
    return [...known.values()].map((values) => ({ feed, item: payload, known: values }));
  const list = valueAt(payload, ...root);
  if (!Array.isArray(list)) return [];
  return list.map((item) => {
    const ids = new Set(leavesOf(item).flatMap(({ value }) => idIn(value, known)));
    const [id = ""] = ids;
    return { feed, item, known: ids.size === 1 ? (known.get(id) ?? null) : null };
  });
}

function idIn(value: unknown, known: ReadonlyMap<string, unknown>): string[] {
  return typeof value === "string" && known.has(value) ? [value] : [];
}

/** The list with known ids in the most of its items. */
function findRoot(samples: readonly Sample[]): Path | null {
  const itemsOf = new Map<string, Set<string>>();
  for (const { feed, payload, known } of samples) {
    const paths = leavesOf(payload).flatMap(({ path, value }) =>
      idIn(value, known).length > 0 ? [path] : [],
    );
    for (const path of paths) {
      for (const [depth, index] of path.entries()) {
        if (typeof index !== "number") continue;
        const list = JSON.stringify(path.slice(0, depth));
        itemsOf.set(list, (itemsOf.get(list) ?? new Set()).add(`${feed} ${index}`));
      }
    }
  }
  const [best] = [...itemsOf].sort(([, one], [, other]) => other.size - one.size);
  return best && best[1].size >= distinctMin ? (JSON.parse(best[0]) as Path) : null;
}

type Wanted = { name: string; field: Field; learning: Learning; isDate?: true };

/**
 * The one path that explains the known values, the old paths where one of them still does, or null. If several agree on
 * all items, it takes the closest to the old one.
 */
function findPaths(
  { name, field, learning, isDate }: Wanted,
  { entries, known }: { entries: readonly Entry[]; known: readonly KnownEntry[] },
): readonly Path[] | null {
  if (!tellsApart(name, known)) return null;
  const withValue = known.filter((entry) => (entry.known[name]?.value ?? null) !== null);
  const counts = new Map<string, number>();
  for (const { item, known: values } of withValue) {
    for (const { path, value } of leavesOf(item)) {
      if (!isOfType(value, field.type) || !values[name]?.fits(value)) continue;
      const key = JSON.stringify(path);
      counts.set(key, (counts.get(key) ?? 0) + 1);
    }
  }
  const countMin = withValue.length * (1 - (isDate ? editedShareMax : absentShareMax));
  const found = [...counts]
    .filter(([, count]) => count >= countMin)
    .map(([key]) => JSON.parse(key) as Path)
    .filter(
      (path) =>
        isDate || areInOrder({ name, learning }, known, ({ item }) => valueAt(item, ...path)),
    )
    .sort((one, other) => distance(one, field) - distance(other, field));
  if (found.some((path) => field.paths.some((old) => isEqual(old, path)))) return field.paths;
  const [closest, ...others] = found;
  if (!closest) return null;
  const areAlike = others.every((path) =>
    entries.every(({ item }) => isEqual(valueAt(item, ...path), valueAt(item, ...closest))),
  );
  return areAlike ? [closest] : null;
}

function tellsApart(name: string, items: readonly KnownEntry[]): boolean {
  const values = items.flatMap(({ known }) => known[name]?.value ?? []);
  return new Set(values).size >= distinctMin;
}

/** How many steps differ, from the value outward. */
function distance(path: Path, { paths }: Field): number {
  const toOld = (old: Path): number =>
    Array.from({ length: Math.max(path.length, old.length) }).filter(
      (_, index) => path.at(-1 - index) !== old.at(-1 - index),
    ).length;
  return Math.min(...paths.map(toOld), path.length + 100);
}

function isEqual(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

/** Another shape does not help with fields that were only lost, nor where the block of an app has another number. */
function hasMoved(old: Shape, learned: Shape, { isSingle }: Learning): boolean {
  const placesOf = ({ root, fields }: Shape, from: number): string[] =>
    Object.entries(fields).flatMap(([name, { paths }]) =>
      paths.map((path) => JSON.stringify([name, [...root, ...path].slice(from)])),
    );
  const before = new Set(placesOf(old, 0));
  return placesOf(learned, isSingle ? 1 : 0).some((place) => !before.has(place));
}

type Leaf = { path: Path; value: unknown };

const leafCountMax = 20_000;
const depthMax = 12;

/** All texts and numbers in a value. An object at the end of a list is its last item, however long the list is. */
export function leavesOf(value: unknown): Leaf[] {
  const leaves: Leaf[] = [];
  const visit = (node: unknown, path: Path): void => {
    if (leaves.length >= leafCountMax || path.length > depthMax) return;
    if (typeof node === "string" || typeof node === "number") leaves.push({ path, value: node });
    else if (Array.isArray(node)) {
      const isLastObject = (index: number, item: unknown): boolean =>
        index === node.length - 1 &&
        typeof item === "object" &&
        item !== null &&
        !Array.isArray(item);
      for (const [index, item] of node.entries()) {
        visit(item, [...path, index > 0 && isLastObject(index, item) ? -1 : index]);
      }
    } else if (typeof node === "object" && node !== null) {
      for (const [key, item] of Object.entries(node)) visit(item, [...path, key]);
    }
  };
  visit(value, []);
  return leaves;
}
