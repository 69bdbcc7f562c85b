// The facts on an app's page in Google Play besides name and ratings: version, notes, price, genre, installs.
import { type AppFacts, releaseNotesMax } from "../../domain/app-facts.ts";
import { reviewLimits } from "../../domain/review.ts";
import { countAt, numberAt, textAt, valueAt } from "../../lib/json.ts";
import { formatTimestamp, secondMs } from "../../lib/timestamp.ts";
import { appNameMax, factText, formatPrice, plausibleDate, versionMax } from "../source-text.ts";
import { fieldAt } from "./page-blocks.ts";

export function parseDetailsFacts(details: readonly unknown[] | null): AppFacts {
  const field = (number: number): unknown => fieldAt(details, number);
  const seconds = numberAt(field(145), 0, 1, 0);
  const releasedAt =
    seconds === null ? null : plausibleDate(seconds * secondMs, reviewLimits.yearMin);
  return {
    version: factText(textAt(field(140), 0, 0, 0), versionMax),
    releasedAt: releasedAt && formatTimestamp(releasedAt),
    releaseNotes: factText(plainText(textAt(field(144), 1, 1)), releaseNotesMax),
    price: priceOf(valueAt(field(57), 0, 0, 0, 0, 1, 0)),
    genre: factText(textAt(field(79), 0, 0, 0), appNameMax),
    installs: countAt(field(13), 2) ?? countAt(field(13), 1),
  };
}

/** In millionths, with its currency. */
function priceOf(price: unknown): string | null {
  const micros = countAt(price, 0);
  return formatPrice(micros === null ? null : micros / 1_000_000, textAt(price, 1));
}

const entities: Readonly<Record<string, string>> = {
  amp: "&",
  lt: "<",
  gt: ">",
  quot: '"',
  "#39": "'",
  nbsp: " ",
};
/** Tags and entities only make it shorter. */
const htmlMax = 4 * releaseNotesMax;

/** The notes are HTML of a few tags. They are shown as text only. */
function plainText(html: string | null): string | null {
  if (html === null) return null;
  return html
    .slice(0, htmlMax)
    .replace(/<br\s{0,9}\/?>/gi, "\n")
    .replace(/<[^<>]{0,300}>/g, "")
    .replace(/&(#?\w{1,8});/g, (whole, name: string) => entities[name] ?? whole);
}
