// Random corruptions of JSON values for property tests: fields removed, arrays shortened, types changed.
// Parsers must cope with whatever a store sends.
import fc from "fast-check";

/** The value with one to four random corruptions. */
export function corruptJson(value: unknown): fc.Arbitrary<unknown> {
  const paths = pathsOf(value, []);
  return fc
    .uniqueArray(fc.record({ path: fc.constantFrom(...paths), change: changes }), {
      minLength: 1,
      maxLength: 4,
      // Two corruptions of one value may cancel each other: a text becomes its length, and that a text again.
      selector: ({ path }) => path.join("/"),
    })
    .map((corruptions) =>
      corruptions.reduce((result, corruption) => corruptAt(result, corruption), value),
    );
}

/** The text cut at a random position. */
export function truncateText(text: string): fc.Arbitrary<string> {
  return fc.nat(Math.max(0, text.length - 1)).map((length) => text.slice(0, length));
}

type Path = readonly (string | number)[];
type Change = (value: unknown) => unknown;

const dropped = Symbol("dropped");

const changes: fc.Arbitrary<Change> = fc.oneof(
  fc.constant<Change>(() => dropped),
  fc.constant<Change>((value) => (Array.isArray(value) ? value.slice(0, value.length >> 1) : null)),
  fc.constant<Change>((value) =>
    typeof value === "string" ? Number(value.length) : String(value),
  ),
  fc.constant<Change>((value) => [value]),
  fc.constant<Change>((value) => ({ value })),
  fc
    .constantFrom<unknown>(null, true, -1, 0, 6, 1e21, 0.5, "", "\ud800\u0000", [], {}, "page=0")
    .map(
      (odd): Change =>
        () =>
          odd,
    ),
);

function pathsOf(value: unknown, path: Path): Path[] {
  if (typeof value !== "object" || value === null) return [path];
  const inside = Array.isArray(value) ? [...value.entries()] : Object.entries(value);
  return [path, ...inside.flatMap(([key, child]) => pathsOf(child, [...path, key]))];
}

function corruptAt(value: unknown, { path, change }: { path: Path; change: Change }): unknown {
  const [key, ...rest] = path;
  if (key === undefined) {
    const changed = change(value);
    return changed === dropped ? null : changed;
  }
  // An earlier corruption may have removed this part.
  if (typeof value !== "object" || value === null) return value;
  const copy = (Array.isArray(value) ? [...value] : { ...value }) as Record<
    string | number,
    unknown
  >;
  if (!Object.hasOwn(copy, key)) return copy;
  const child =
    rest.length === 0 ? change(copy[key]) : corruptAt(copy[key], { path: rest, change });
  if (child !== dropped) copy[key] = child;
  else if (Array.isArray(copy)) copy.splice(Number(key), 1);
  else delete copy[key];
  return copy;
}
