// Pages of reviews that look wrong: what is kept of one until a second reading, hours later, agrees or
// shows something else. Pure.
import { hourMs } from "../lib/timestamp.ts";

export const suspicionKinds = [
  "undated",
  "texts_gone",
  "replies_gone",
  "changed_at_once",
  "dates_shifted",
  "dates_alike",
  "contents_moved",
  "fields_alike",
  "foreign",
  "empty",
] as const;
export type SuspicionKind = (typeof suspicionKinds)[number];

export type PageSuspicion = {
  kind: SuspicionKind;
  /** In words, for the coverage. */
  reason: string;
  /** A short hash of each review by its id; {} of a page without reviews. */
  contents: Readonly<Record<string, string>>;
};

/** `since`: when a page like this was read first. */
export type QuarantinedPage = PageSuspicion & { since: Date };

// Layouts that broke and caches that mixed something up are usually mended within hours.
const secondReadingMs = 3 * hourMs;

type PageVerdict = { kind: "accepted" } | { kind: "quarantined"; page: QuarantinedPage };

/** @param input.quarantined the suspicious page before this one */
export function judgePage(input: {
  suspicion: PageSuspicion;
  quarantined: QuarantinedPage | null;
  /** A kind of suspicion that an earlier page of this crawl was accepted with. */
  acceptedKind: SuspicionKind | null;
  isAcceptedByUser: boolean;
  /** Other feeds of the store show the same: no second reading confirms it. */
  isIncident?: boolean;
  now: Date;
}): PageVerdict {
  const { suspicion, quarantined, acceptedKind, now } = input;
  if (input.isAcceptedByUser || acceptedKind === suspicion.kind) return { kind: "accepted" };
  const isSame = quarantined !== null && isSamePage(quarantined, suspicion);
  if (!isSame) return { kind: "quarantined", page: { ...suspicion, since: now } };
  // A clock that was wrong must not make the wait endless.
  const since = quarantined.since > now ? now : quarantined.since;
  return now.getTime() - since.getTime() >= secondReadingMs && !input.isIncident
    ? { kind: "accepted" }
    : { kind: "quarantined", page: { ...suspicion, since } };
}

/** Lists move: at least half of the reviews have to be there again as they were. */
function isSamePage(one: PageSuspicion, other: PageSuspicion): boolean {
  if (one.kind !== other.kind) return false;
  const ids = Object.keys(other.contents);
  const sameCount = ids.filter((id) => one.contents[id] === other.contents[id]).length;
  return sameCount * 2 >= ids.length;
}
