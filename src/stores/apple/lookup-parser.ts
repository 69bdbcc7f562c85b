// Parses Apple's lookup of apps: their facts and, per storefront, average and count of ratings.
import { type AppFacts, releaseNotesMax } from "../../domain/feed/app-facts.ts";
import type { RatingReading } from "../../domain/review/snapshot.ts";
import { listAt, numberAt, parseJson, textAt, valueAt } from "../../lib/json.ts";
import { formatTimestamp } from "../../lib/timestamp.ts";
import {
  appNameMax,
  factText,
  formatPrice,
  parseStars,
  sourceText,
  versionMax,
  webUrl,
} from "../source-text.ts";
import type { StoreApp } from "../store.ts";
import { dateOf } from "./rss-entry.ts";

/** The name may be ""; the ratings are null where they can't be right. */
export type LookupResult = { app: StoreApp; ratings: RatingReading | null };

export type FoundApp = { kind: "found" } & LookupResult;

export type Lookup =
  | FoundApp
  /** The store says that it does not sell the app there. `note`: the id is of something else, in words. */
  | { kind: "not_found"; note?: string }
  | { kind: "malformed" };

export function parseLookup(text: string, externalAppId: string): Lookup {
  return parseLookups(text, [externalAppId])?.get(externalAppId) ?? { kind: "malformed" };
}

/** One lookup for each id. null: no list of results. */
export function parseLookups(text: string, ids: readonly string[]): Map<string, Lookup> | null {
  const json = parseJson(text);
  const results = listAt(json, "results");
  if (results === null) return null;
  const found = new Map<string, unknown>();
  for (const result of results) found.set(idOf(result), result);
  // An app counts as not found only in a list that is complete and about these ids.
  const isComplete =
    valueAt(json, "resultCount") === results.length &&
    [...found.keys()].every((id) => ids.includes(id));
  const lookups = new Map<string, Lookup>();
  for (const id of ids) {
    const result = found.get(id);
    if (result === undefined) lookups.set(id, { kind: isComplete ? "not_found" : "malformed" });
    // Songs, books and makers have ids of the same kind.
    else if (!isApp(result)) lookups.set(id, { kind: "not_found", note: describeOther(result) });
    else
      lookups.set(id, {
        kind: "found",
        app: { ...parseAppFacts(result), facts: parseLookupFacts(result) },
        ratings: parseRatings(result),
      });
  }
  return lookups;
}

/** Makers and albums have their id under another name. */
function idOf(result: unknown): string {
  const kind = textAt(result, "wrapperType");
  const key = kind === "artist" || kind === "collection" ? `${kind}Id` : "trackId";
  return String(numberAt(result, key));
}

/** Whether a result of a lookup or a search is an app for phones or for Macs. */
export function isApp(result: unknown): boolean {
  const kind = textAt(result, "kind") ?? "software";
  return (
    ["software", "mac-software"].includes(kind) &&
    (textAt(result, "wrapperType") ?? "software") === "software"
  );
}

function describeOther(result: unknown): string {
  const kind = sourceText(textAt(result, "kind") ?? textAt(result, "wrapperType"), 40);
  const advice = kind.includes("bundle") ? ": follow the apps of the bundle" : "";
  return `the number is of another kind (${kind})${advice}`;
}

/** The fields of one result. The name may be "". */
export function parseAppFacts(result: unknown): StoreApp {
  const icons = ["artworkUrl512", "artworkUrl100", "artworkUrl60"];
  const developer = sourceText(textAt(result, "sellerName"), appNameMax);
  return {
    externalAppId: String(numberAt(result, "trackId")),
    name: sourceText(valueAt(result, "trackName"), appNameMax),
    iconUrl: icons.map((key) => webUrl(textAt(result, key))).find((url) => url !== "") ?? "",
    ...(developer && { developer }),
  };
}

/** null: its ratings can't be right. */
function parseRatings(result: unknown): RatingReading | null {
  const average = parseStars(valueAt(result, "averageUserRating"));
  // An app without ratings has no such fields, where it has all others.
  const { name, iconUrl } = parseAppFacts(result);
  const isUnrated = average === null && name !== "" && iconUrl !== "";
  const total = valueAt(result, "userRatingCount") ?? (isUnrated ? 0 : null);
  if (total === 0) return { average: 0, total: 0, histogram: [0, 0, 0, 0, 0], source: "lookup" };
  if (typeof total !== "number" || !Number.isSafeInteger(total) || total < 0) return null;
  return average === null ? null : { average, total, histogram: null, source: "lookup" };
}

function parseLookupFacts(result: unknown): AppFacts {
  const text = (key: string, lengthMax: number) => factText(textAt(result, key), lengthMax);
  const releasedAt = dateOf(textAt(result, "currentVersionReleaseDate"));
  return {
    version: text("version", versionMax),
    releasedAt: releasedAt && formatTimestamp(releasedAt),
    releaseNotes: text("releaseNotes", releaseNotesMax),
    price: formatPrice(numberAt(result, "price"), textAt(result, "currency")),
    genre: text("primaryGenreName", appNameMax),
    installs: null,
  };
}
