// Parses Apple's lookup of apps: their facts and, per storefront, average and count of ratings.
import type { RatingReading } from "../../domain/snapshot.ts";
import { listAt, numberAt, parseJson, textAt, valueAt } from "../json-value.ts";
import { appNameMax, sourceText, webUrl } from "../source-text.ts";
import type { StoreApp } from "../store.ts";

/** The name may be "", the ratings null where what is said of them can't be right. */
export type LookedUp = { app: StoreApp; ratings: RatingReading | null };

export type Lookup =
  | ({ kind: "found" } & LookedUp)
  /** The store says that it does not sell the app there. */
  | { kind: "not_found" }
  | { kind: "malformed" };

export function parseLookup(text: string, externalAppId: string): Lookup {
  return parseLookups(text, [externalAppId])?.get(externalAppId) ?? { kind: "malformed" };
}

/** One answer for each id. null: no list of results. */
export function parseLookups(text: string, ids: readonly string[]): Map<string, Lookup> | null {
  const json = parseJson(text);
  const results = listAt(json, "results");
  if (results === null) return null;
  const found = new Map<string, unknown>();
  for (const result of results) found.set(idOf(result), result);
  // Apps may only be called missing where nothing else was answered and nothing got lost.
  const isWhole =
    valueAt(json, "resultCount") === results.length &&
    [...found.keys()].every((id) => ids.includes(id));
  const answers = new Map<string, Lookup>();
  for (const id of ids) {
    const result = found.get(id);
    if (result === undefined) answers.set(id, { kind: isWhole ? "not_found" : "malformed" });
    // Songs, books and makers have numbers of the same kind.
    else if (!isApp(result)) answers.set(id, { kind: "not_found" });
    else answers.set(id, { kind: "found", app: readFacts(result), ratings: readRatings(result) });
  }
  return answers;
}

/** What is no program may be a maker or an album, numbered under another name. */
function idOf(result: unknown): string {
  const kind = textAt(result, "wrapperType");
  const key = kind === "artist" || kind === "collection" ? `${kind}Id` : "trackId";
  return String(numberAt(result, key));
}

/** Whether a result of a lookup or a search is a program for phones or for Macs. */
export function isApp(result: unknown): boolean {
  const kind = textAt(result, "kind") ?? "software";
  return (
    ["software", "mac-software"].includes(kind) &&
    (textAt(result, "wrapperType") ?? "software") === "software"
  );
}

/** Of one result. The name may be "". */
export function readFacts(result: unknown): StoreApp {
  const icons = ["artworkUrl512", "artworkUrl100", "artworkUrl60"];
  return {
    externalAppId: String(numberAt(result, "trackId")),
    name: sourceText(valueAt(result, "trackName"), appNameMax),
    iconUrl: icons.map((key) => webUrl(textAt(result, key))).find((url) => url !== "") ?? "",
  };
}

/** An app without ratings has no such fields. null: there are some, and they can't be right. */
function readRatings(result: unknown): RatingReading | null {
  const total = valueAt(result, "userRatingCount") ?? 0;
  const average = valueAt(result, "averageUserRating") ?? 0;
  if (total === 0) return { average: 0, total: 0, histogram: [0, 0, 0, 0, 0], source: "lookup" };
  if (typeof total !== "number" || !Number.isSafeInteger(total) || total < 0) return null;
  if (typeof average !== "number" || !(average >= 1 && average <= 5)) return null;
  return { average, total, histogram: null, source: "lookup" };
}
