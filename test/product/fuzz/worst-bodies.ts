// The worst bodies that a schema can be given: in each of its fields long texts, long lists and wrong values, up to the
// largest body.
import { z } from "zod";
import { isMeasured } from "./fuzz-case.ts";

type JsonSchema = {
  type?: string | string[];
  properties?: Record<string, JsonSchema>;
  items?: JsonSchema;
  anyOf?: JsonSchema[];
};

const fill = (unit: string, bytes: number): string =>
  unit.repeat(
    Math.max(1, Math.floor(bytes / Buffer.byteLength(JSON.stringify(unit).slice(1, -1)))),
  );

const texts: readonly ((bytes: number) => string)[] = [
  (bytes) => fill(" ", bytes),
  (bytes) => `X: ${fill(" ", bytes)}é`,
  (bytes) => fill("a,", bytes),
  (bytes) => fill("a\u0301", bytes),
  (bytes) => `{"a":"{{event${fill(" ", Math.min(bytes, 19_000))}"}`,
  (bytes) => `{"a":"${fill("{{event}}", Math.min(bytes, 19_000))}"}`,
  (bytes) => `topic=${fill("a,", bytes)}&q=${fill("İ ", bytes / 8)}`,
  (bytes) => fill("A: b\n", bytes),
  (bytes) => fill("a@", bytes),
];

const lists: readonly ((bytes: number) => unknown)[] = [
  (bytes) => Array(Math.floor(bytes / 2)).fill(0),
  (bytes) => Array(Math.floor(bytes / 5)).fill("aa"),
  (bytes) => Array(Math.floor(bytes / 3)).fill({}),
  // 9,900 values are accepted, however long each is.
  (bytes) => Array(9_900).fill(fill(" ", Math.max(1, bytes / 9_900 - 4))),
  (bytes) =>
    Object.fromEntries(
      Array.from({ length: Math.min(9_900, bytes / 9) }, (_, at) => [`k${at}`, 0]),
    ),
];

/** Each has a name for people, and the body. */
export function* worstBodies(
  schema: z.ZodType,
  bytesMax: number,
): Generator<{ name: string; body: unknown }> {
  const described = z.toJSONSchema(schema, { io: "input", unrepresentable: "any" }) as JsonSchema;
  const bytes = bytesMax - 1_000;
  for (const make of [...texts, ...lists]) yield { name: "the body itself", body: make(bytes) };
  for (const { name, wrap, count } of fieldsOf(described)) {
    for (const make of [...texts, ...lists]) yield { name, body: wrap(make(bytes / count)) };
  }
}

type Field = { name: string; count: number; wrap: (value: unknown) => unknown };
/** A list of the second length is accepted nearly everywhere. */
const itemCounts = isMeasured ? [1, 400] : [1];

function* fieldsOf(schema: JsonSchema): Generator<Field> {
  for (const one of schema.anyOf ?? []) yield* fieldsOf(one);
  for (const [key, property] of Object.entries(schema.properties ?? {})) {
    yield { name: key, count: 1, wrap: (value) => ({ [key]: value }) };
    for (const { name, count, wrap } of fieldsOf(property)) {
      yield { name: `${key}.${name}`, count, wrap: (value) => ({ [key]: wrap(value) }) };
    }
  }
  if (!schema.items) return;
  for (const { name, count, wrap } of fieldsOf(schema.items)) {
    for (const items of itemCounts) {
      const wrapAll = (value: unknown) => Array(items).fill(wrap(value));
      yield { name: `${items} × ${name}`, count: count * items, wrap: wrapAll };
    }
  }
}
