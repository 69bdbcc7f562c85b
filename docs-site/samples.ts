// Invented answers that fit a schema, for operations that have no example of their own.
import { type Description, resolveSchema, type Schema } from "../src/api/description.ts";

export const sampleId = "01988f31-02b7-7c55-a5a0-9c1d0f6b7e13";
const byFormat: Record<string, string> = {
  uuid: sampleId,
  "date-time": "2026-03-02T08:30:00Z",
  date: "2026-03-02",
  uri: "https://hooks.example.com/reviews",
  email: "mara@example.com",
};
const byName: Record<string, unknown> = {
  apps: sampleId,
  author: "Mara Lind",
  countries: "us",
  credential: "Ours",
  digestAt: "09:00",
  dropThreshold: 0.1,
  draft: "We look into it",
  event: "review.created",
  events: "review.created",
  externalAppId: "4242",
  fields: "url",
  filter: "country=de",
  isDryRun: false,
  isPaused: false,
  kind: "channel",
  languages: "en",
  minSampleSize: 30,
  name: "Desk",
  periodDays: 7,
  phrases: "opening hours",
  query: "rating=1",
  reason: "HTTP 503",
  region: "us",
  secret: "whsec_…",
  subject: "ABCDEF1234",
  tags: "crash",
  timeZone: "Europe/Berlin",
  topics: "crash",
  url: "https://hooks.example.com/reviews",
  version: "4.2.1",
  text: "Fixed in 4.3",
  email: "mara@example.com",
  workspace: "Harbour Apps",
};
const isId = /(^|[a-z])Ids?$|^(id|app|review|reviews|view|channel|delivery)$/;
const depthMax = 5;

/** An answer with the fields that it always has. */
export function sampleOf(description: Description, schema: Schema): unknown {
  return findValue(description, { schema, name: "", depth: 0 });
}

type Place = { schema: Schema; name: string; depth: number };

function findValue(description: Description, place: Place): unknown {
  const { name, depth } = place;
  // A field that may be null is null in most answers.
  if (isNullable(place.schema)) return null;
  const schema = resolveSchema(description, place.schema);
  if (isNullable(schema)) return null;
  if (schema.items) {
    return depth > depthMax
      ? []
      : [findValue(description, { schema: schema.items, name, depth: depth + 1 })];
  }
  if (schema.properties) return objectOf(description, { ...place, schema });
  const known = byName[name] ?? schema.example ?? schema.const ?? schema.enum?.[0];
  const [first] = schema.anyOf ?? [];
  return first && known === undefined
    ? findValue(description, { schema: first, name, depth })
    : (known ?? primitiveOf(schema, name));
}

function isNullable({ type, anyOf = [] }: Schema): boolean {
  return [type].flat().includes("null") || anyOf.some((one) => one.type === "null");
}

function objectOf(description: Description, { schema, depth }: Place): object {
  if (depth > depthMax) return {};
  return Object.fromEntries(
    (schema.required ?? []).map((name) => [
      name,
      findValue(description, { schema: schema.properties?.[name] ?? {}, name, depth: depth + 1 }),
    ]),
  );
}

function primitiveOf({ type, format = "", minimum }: Schema, name: string): unknown {
  const [kind] = [type ?? "string"].flat();
  if (kind === "boolean") return true;
  if (kind === "integer" || kind === "number") return Math.max(1, minimum ?? 1);
  if (kind === "object") return {};
  if (name.endsWith("At")) return byFormat["date-time"];
  return byFormat[format] ?? (isId.test(name) ? sampleId : "…");
}
