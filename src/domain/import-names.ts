// The names that exports, libraries and store APIs have for the fields of a review, and those of countries and
// languages, in the words of Starpost. Unknown names are left as they are.

import { valueAt } from "../lib/json.ts";
import { lazy } from "../lib/lazy.ts";
import { isStoreId } from "./store-id.ts";
import { hasReviewsByLanguage } from "./store-traits.ts";
import { regionOfTerritory } from "./territories.ts";

type Fields = Readonly<Record<string, unknown>>;

/** By field, in lower case; the first that a row has counts. */
const fieldNames: Readonly<Record<string, readonly string[]>> = {
  // An export of Starpost has both: its `id` is Starpost's.
  id: ["storeid", "id", "reviewid"],
  author: ["author", "username", "reviewernickname"],
  rating: ["rating", "score", "stars"],
  title: ["title"],
  text: ["text", "original_review", "review", "content", "body"],
  version: ["version", "reviewcreatedversion", "appversion"],
  country: ["country", "territory", "iso"],
  language: ["language", "languagehint"],
  date: ["date", "at", "updated", "createddate"],
  replyText: ["replytext", "replycontent"],
  replyDate: ["replydate", "repliedat"],
  votes: ["votes"],
  device: ["device"],
  osVersion: ["osversion"],
  submittedAt: ["submittedat"],
};

/** Fields that only Starpost's exports have; the first marks their rows. */
const storedFields =
  `firstSeenAt editedAt removedAt isListed isDateAssumed translatedText translatedFrom versions
  language analysisVersion analysisProvider sentiment sentimentLabel sentimentScore clauseMin clauseMax topics topicScores`
    .trim()
    .split(/\s+/);

/** Those of the fields that a header or a row lacks; `columns` in lower case. */
export function findMissingFields(
  columns: readonly string[],
  fields: readonly string[],
): readonly string[] {
  return fields.filter((field) => !fieldNames[field]?.some((name) => columns.includes(name)));
}

/** A row with the names of Starpost's fields; attributes of the App Store Connect API count as fields. */
export function renameFields(fields: Fields): Fields {
  const byName = new Map(
    [fields, valueAt(fields, "attributes") ?? {}].flatMap((named) =>
      Object.entries(named).map(([name, value]): [string, unknown] => [name.toLowerCase(), value]),
    ),
  );
  const stored = readStored(byName);
  // The language of Starpost's exports was found in the text and names no list that the review was read from.
  if (byName.has("storeid") || stored) byName.delete("language");
  // An erased review has this id and no longer that of its store.
  const isErased = stored !== null && (byName.get("storeid") ?? "") === "";
  if (isErased) Object.assign(stored, { erasedId: byName.get("id") });
  else if (stored) byName.delete("id");
  // There it is the language that was found in the text.
  const store = String(byName.get("store"));
  if (stored && isStoreId(store) && hasReviewsByLanguage(store)) byName.delete("country");
  const renamed = Object.entries(fieldNames).flatMap(([field, names]): [string, unknown][] => {
    const value = names.map((name) => byName.get(name)).find((found) => (found ?? "") !== "");
    return value === undefined ? [] : [[field, value]];
  });
  return { ...Object.fromEntries(renamed), ...(stored && { stored }) };
}

/** Those fields of a row; null for rows from elsewhere. */
function readStored(byName: ReadonlyMap<string, unknown>): Record<string, unknown> | null {
  if (!byName.has("firstseenat")) return null;
  const found = storedFields.map((name): [string, unknown] => [
    name,
    byName.get(name.toLowerCase()),
  ]);
  return Object.fromEntries(found.filter(([, value]) => value !== undefined));
}

/** Parses a code of two letters, a code of three or an English name; null for any other text. */
export function readCountry(text: string): string | null {
  const code = text.toUpperCase();
  if (/^[A-Z]{3}$/.test(code)) return regionOfTerritory(code);
  // The locale turns UK into GB.
  if (/^[A-Z]{2}$/.test(code)) return (canonicalLocale(`und-${code}`) ?? "").slice(4).toLowerCase();
  return codesByName.region().get(text.toLowerCase()) ?? null;
}

/** Parses a code such as `pt-BR` or `eng`, or an English name; null for any other text. */
export function readLanguage(text: string): string | null {
  const code = text.replaceAll("_", "-");
  const isCode = /^[a-z]{2,3}(-[a-z0-9]{2,8})*$/i.test(code);
  const known = isCode ? canonicalLocale(code) : codesByName.language().get(text.toLowerCase());
  return known?.toLowerCase() ?? null;
}

function canonicalLocale(code: string): string | null {
  try {
    return Intl.getCanonicalLocales(code)[0] ?? null;
  } catch {
    // It only throws for a code that is not a locale.
    return null;
  }
}

const letters = [..."abcdefghijklmnopqrstuvwxyz"];
const codesOfTwo = letters.flatMap((first) => letters.map((second) => first + second));
const codesByName = {
  region: lazy(() => mapNames("region", (code) => `und-${code.toUpperCase()}`)),
  language: lazy(() => mapNames("language", (code) => code)),
};

/** Without withdrawn codes, which have the name of their successor. */
function mapNames(type: "region" | "language", toLocale: (code: string) => string) {
  const names = new Intl.DisplayNames("en", { type, fallback: "none" });
  const codes = codesOfTwo.filter((code) => canonicalLocale(toLocale(code)) === toLocale(code));
  const nameOf = (code: string) => names.of(type === "region" ? code.toUpperCase() : code);
  return new Map(codes.map((code) => [nameOf(code)?.toLowerCase(), code]));
}
