// The facts on an app's page in Google Play besides name and ratings: version, notes, price, genre, installs.
import { type AppFacts, releaseNotesMax } from "../../domain/feed/app-facts.ts";
import { reviewLimits } from "../../domain/review/review.ts";
import { formatTimestamp, secondMs } from "../../lib/timestamp.ts";
import type { GoogleApp } from "../shapes/google-shapes.ts";
import { appNameMax, factText, formatPrice, plausibleDate, versionMax } from "../source-text.ts";

export function toAppFacts(app: GoogleApp): AppFacts {
  const { updatedSeconds: seconds, priceMicros: micros } = app;
  const releasedAt =
    seconds === null ? null : plausibleDate(seconds * secondMs, reviewLimits.yearMin);
  return {
    version: factText(app.version, versionMax),
    releasedAt: releasedAt && formatTimestamp(releasedAt),
    releaseNotes: factText(plainText(app.releaseNotes), releaseNotesMax),
    price: formatPrice(micros === null ? null : micros / 1_000_000, app.currency),
    genre: factText(app.genre, appNameMax),
    installs: app.installs,
  };
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
export function plainText(html: string | null): string | null {
  if (html === null) return null;
  return html
    .slice(0, htmlMax)
    .replace(/<br\s{0,9}\/?>/gi, "\n")
    .replace(/<[^<>]{0,300}>/g, "")
    .replace(/&(#?\w{1,8});/g, (whole, name: string) => entities[name] ?? whole);
}
