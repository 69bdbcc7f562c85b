// What Apple's lookup tells of an app beside its name: version, notes, price, genre.
import { type AppFacts, releaseNotesMax } from "../../domain/app-facts.ts";
import { numberAt, textAt } from "../../lib/json.ts";
import { formatTimestamp } from "../../lib/timestamp.ts";
import { appNameMax, sourceText, versionMax } from "../source-text.ts";
import { dateOf } from "./rss-entry.ts";

export function parseLookupFacts(result: unknown): AppFacts {
  const text = (key: string, lengthMax: number): string | null =>
    sourceText(textAt(result, key), lengthMax).trim() || null;
  const releasedAt = dateOf(textAt(result, "currentVersionReleaseDate"));
  return {
    version: text("version", versionMax),
    releasedAt: releasedAt && formatTimestamp(releasedAt),
    releaseNotes: text("releaseNotes", releaseNotesMax),
    price: priceOf(result),
    genre: text("primaryGenreName", appNameMax),
    installs: null,
  };
}

function priceOf(result: unknown): string | null {
  const price = numberAt(result, "price");
  const currency = textAt(result, "currency");
  if (price === 0) return "Free";
  if (price === null || price < 0 || currency === null || !/^[A-Z]{3}$/.test(currency)) return null;
  return `${price} ${currency}`;
}
