// JSON values with something wrong in them: fields dropped, arrays cut, types flipped, for parsers
// that must live with whatever a store sends.
import fc from "fast-check";

/** The value with one to four random injuries. */
export function corruptJson(value: unknown): fc.Arbitrary<unknown> {
  const paths = pathsOf(value, []);
  return fc
    .uniqueArray(fc.record({ path: fc.constantFrom(...paths), injury: injuries }), {
      minLength: 1,
      maxLength: 4,
      // Twice in one place may heal: a length for a text, and that number as a text again.
      selector: ({ path }) => path.join("/"),
    })
    .map((wounds) =>
      wounds.reduce((hurt, { path, injury }) => injureAt(hurt, { path, injury }), value),
    );
}

/** The text cut off somewhere. */
export function truncateText(text: string): fc.Arbitrary<string> {
  return fc.nat(Math.max(0, text.length - 1)).map((length) => text.slice(0, length));
}

type Path = readonly (string | number)[];
type Injury = (value: unknown) => unknown;

const dropped = Symbol("dropped");

const injuries: fc.Arbitrary<Injury> = fc.oneof(
  fc.constant<Injury>(() => dropped),
  fc.constant<Injury>((value) => (Array.isArray(value) ? value.slice(0, value.length >> 1) : null)),
  fc.constant<Injury>((value) =>
    typeof value === "string" ? Number(value.length) : String(value),
  ),
  fc.constant<Injury>((value) => [value]),
  fc.constant<Injury>((value) => ({ value })),
  fc
    .constantFrom<unknown>(null, true, -1, 0, 6, 1e21, 0.5, "", "\ud800\u0000", [], {}, "page=0")
    .map(
      (odd): Injury =>
        () =>
          odd,
    ),
);

function pathsOf(value: unknown, path: Path): Path[] {
  if (typeof value !== "object" || value === null) return [path];
  const inside = Array.isArray(value) ? [...value.entries()] : Object.entries(value);
  return [path, ...inside.flatMap(([key, child]) => pathsOf(child, [...path, key]))];
}

function injureAt(value: unknown, wound: { path: Path; injury: Injury }): unknown {
  const [key, ...rest] = wound.path;
  if (key === undefined) {
    const hurt = wound.injury(value);
    return hurt === dropped ? null : hurt;
  }
  // An earlier injury may have taken the place away.
  if (typeof value !== "object" || value === null) return value;
  const copy = (Array.isArray(value) ? [...value] : { ...value }) as Record<
    string | number,
    unknown
  >;
  if (!Object.hasOwn(copy, key)) return copy;
  const child =
    rest.length === 0
      ? wound.injury(copy[key])
      : injureAt(copy[key], { path: rest, injury: wound.injury });
  if (child !== dropped) copy[key] = child;
  else if (Array.isArray(copy)) copy.splice(Number(key), 1);
  else delete copy[key];
  return copy;
}
