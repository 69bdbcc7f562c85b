// Parses an add-on, alone or as one of a search: its id, name, icon, authors, current version and ratings.
import { type AppFacts, releaseNotesMax } from "../../domain/feed/app-facts.ts";
import { addsUp, type Histogram, type RatingReading } from "../../domain/review/snapshot.ts";
import { countAt, isObject, listAt, numberAt, textAt, valueAt } from "../../lib/json.ts";
import { formatTimestamp } from "../../lib/timestamp.ts";
import {
  appNameMax,
  factText,
  parseStars,
  sourceText,
  versionMax,
  webUrl,
} from "../source-text.ts";
import { dateOf } from "./rating-list.ts";

export type Addon = {
  id: string;
  /** Its other names: a part of its address, and the id in its manifest. */
  slug: string | null;
  guid: string | null;
  name: string;
  iconUrl: string;
  developer: string;
  /** null where the API states none that can be right. */
  ratings: Omit<RatingReading, "histogram"> | null;
  facts: AppFacts;
};

/** null without an id or a name. */
export function parseAddon(json: unknown): Addon | null {
  const id = countAt(json, "id");
  const name = readLocalized(json, valueAt(json, "name"), appNameMax);
  if (!id || name === null) return null;
  const authors = (listAt(json, "authors") ?? []).flatMap((one) => textAt(one, "name") ?? []);
  const version = valueAt(json, "current_version");
  const released = dateOf(textAt(version, "files", 0, "created"));
  const notes = readLocalized(json, valueAt(version, "release_notes"), releaseNotesMax);
  const largeIcon = webUrl(valueAt(json, "icons", "128"));
  return {
    id: String(id),
    slug: textAt(json, "slug"),
    guid: textAt(json, "guid"),
    name,
    iconUrl: largeIcon || webUrl(valueAt(json, "icon_url")),
    developer: sourceText(authors.join(", "), appNameMax),
    ratings: parseRatings(valueAt(json, "ratings")),
    facts: {
      version: factText(textAt(version, "version"), versionMax),
      releasedAt: released && formatTimestamp(released),
      releaseNotes: notes,
      ...{ price: null, genre: null, installs: null },
    },
  };
}

/** A text, or one for each language: that of the add-on's own language, else the first. */
function readLocalized(json: unknown, value: unknown, lengthMax: number): string | null {
  if (!isObject(value)) return factText(value, lengthMax);
  const own = value["en-US"] ?? value[textAt(json, "default_locale") ?? ""];
  const texts = [own, ...Object.values(value)];
  return factText(
    texts.find((text) => typeof text === "string"),
    lengthMax,
  );
}

function parseRatings(json: unknown): Addon["ratings"] {
  const total = countAt(json, "count");
  if (total === 0) return { average: 0, total };
  const average = parseStars(numberAt(json, "average"));
  return total === null || average === null ? null : { average, total };
}

// Both are refreshed some minutes apart, and the average is rounded.
const averageSlack = 0.1;

/** Without a histogram that contradicts the other two. */
export function withHistogram(
  { average, total }: Omit<RatingReading, "histogram">,
  histogram: Histogram | null,
): RatingReading {
  const none = { average, total, histogram: null };
  if (histogram === null || !addsUp({ histogram, total })) return none;
  const counted = histogram.reduce((sum, count) => sum + count, 0);
  const points = histogram.reduce((sum, count, index) => sum + count * (index + 1), 0);
  const isRight = counted === 0 || Math.abs(points / counted - average) <= averageSlack;
  return isRight ? { average, total, histogram } : none;
}
