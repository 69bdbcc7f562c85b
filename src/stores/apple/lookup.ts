// Parses Apple's lookup of one app: its facts and, per storefront, average and count of ratings.
import type { RatingReading } from "../../reviews/snapshot.ts";
import { listAt, numberAt, parseJson, textAt, valueAt } from "../json-value.ts";
import { appNameMax, sourceText, webUrl } from "../source-text.ts";
import type { StoreApp } from "../store.ts";

export type Lookup =
  /** The name may be "", the ratings null where what is said of them can't be right. */
  | { kind: "found"; app: StoreApp; ratings: RatingReading | null }
  /** The store says that it does not sell the app there. */
  | { kind: "not_found" }
  | { kind: "malformed" };

export function parseLookup(text: string, externalAppId: string): Lookup {
  const json = parseJson(text);
  const results = listAt(json, "results");
  if (results === null) return { kind: "malformed" };
  const found = results.find((result) => String(numberAt(result, "trackId")) === externalAppId);
  if (found === undefined) {
    const isConfirmed = results.length === 0 && valueAt(json, "resultCount") === 0;
    return { kind: isConfirmed ? "not_found" : "malformed" };
  }
  const name = sourceText(valueAt(found, "trackName"), appNameMax);
  const ratings = readRatings(found);
  const icons = ["artworkUrl512", "artworkUrl100", "artworkUrl60"];
  const iconUrl = icons.map((key) => webUrl(textAt(found, key))).find((url) => url !== "") ?? "";
  return { kind: "found", app: { externalAppId, name, iconUrl }, ratings };
}

/** An app without ratings has no such fields. null: there are some, and they can't be right. */
function readRatings(result: unknown): RatingReading | null {
  const total = valueAt(result, "userRatingCount") ?? 0;
  const average = valueAt(result, "averageUserRating") ?? 0;
  if (total === 0) return { average: 0, total: 0, histogram: [0, 0, 0, 0, 0] };
  if (typeof total !== "number" || !Number.isSafeInteger(total) || total < 0) return null;
  if (typeof average !== "number" || !(average >= 1 && average <= 5)) return null;
  return { average, total, histogram: null };
}
