// Witnesses: full pages of a source that are read after a page with too few known reviews. Where the layout changed, they
// look odd, and the page waits; where they are as they are stored, it counts. Remembers the pages of the last minutes, so
// that a large installation asks for no page of its own.
import type { Database } from "../database/database.ts";
import type { FeedKind } from "../domain/feed/feed.ts";
import type { Listing } from "../domain/feed/listing.ts";
import { ownKinds } from "../domain/feed/page-quarantine.ts";
import type { SourceKey, Testimony } from "../domain/feed/source-trust.ts";
import { assignIds, hasReplies } from "../ingest/diff-reviews.ts";
import { judgeOnItsOwn } from "../ingest/page-causes.ts";
import { keepRecent } from "../lib/bounded-map.ts";
import type { Clock } from "../lib/clock.ts";
import { minuteMs } from "../lib/timestamp.ts";
import type { Store } from "../stores/store.ts";

export type WitnessDeps = {
  clock: Clock;
  witnesses: Witnesses;
  feeds: Pick<Database, "listFeeds">;
  openStore(listing: Listing, kind: FeedKind): Promise<Store>;
} & Pick<Database, "listWitnessFeeds" | "noteOddFeed" | "loadReviews" | "findListing">;

/** `isFallback`: from another place of the store than its list. */
export type Asking = {
  source: SourceKey;
  listing: Listing;
  region: string;
  isFallback: boolean;
  /** The page has no reviews. */
  isEmpty?: true;
};

/** A store does not change its layout and change it back so soon. */
const memoryMs = 5 * minuteMs;
const memoryCountMax = 200;
const witnessesMin = 2;
const triesMax = 4;

type Seen = { testimony: "right" | "odd"; region: string; feed: string; at: Date };

/** Remembers the pages of the last minutes, by their source. */
export class Witnesses {
  readonly #seen = new Map<string, Seen>();
  /** Testimonies for a feed, so that the further pages of its list ask for nothing. */
  readonly #answers = new Map<string, { testimony: "right" | "none"; at: Date }>();

  note(page: Asking & { testimony: "right" | "odd"; now: Date }): void {
    const { listing, region, testimony, now } = page;
    const feed = `${listing.id} ${region}`;
    const value = { testimony, region, feed, at: now };
    keepRecent(this.#seen, { key: `${keyOf(page)} ${feed}`, value, countMax: memoryCountMax });
  }

  /** The kept testimony for the feed; else whether others, one of them of its region, were right; null where unknown. */
  recall(asking: Asking & { now: Date }): Testimony | null {
    const { listing, region, now, isFallback } = asking;
    const key = keyOf(asking);
    const answer = this.#answers.get(feedKeyOf(asking));
    if (answer && now.getTime() - answer.at.getTime() <= memoryMs) return answer.testimony;
    const seen = [...this.#seen].flatMap(([name, one]) => {
      const isRecent = now.getTime() - one.at.getTime() <= memoryMs;
      const isOther = one.feed !== `${listing.id} ${region}`;
      const isRight = one.testimony === "right" && isOther;
      return name.startsWith(`${key} `) && isRecent && isRight ? [one] : [];
    });
    const isEnough = seen.length >= witnessesMin && seen.some((one) => one.region === region);
    return isEnough || (isFallback && seen.length > 0) ? "right" : null;
  }

  /** Keeps the testimony of full pages for the feed of `asking`. */
  remember(asking: Asking & { testimony: "right" | "none"; now: Date }): void {
    const value = { testimony: asking.testimony, at: asking.now };
    keepRecent(this.#answers, { key: feedKeyOf(asking), value, countMax: memoryCountMax });
  }
}

function feedKeyOf(asking: Asking): string {
  return `${keyOf(asking)} ${asking.listing.id} ${asking.region} ${asking.isEmpty ?? false}`;
}

function keyOf({ source, isFallback }: Asking): string {
  return [source.store, source.source, source.workspaceId ?? "", isFallback].join("/");
}

/** Reads full pages of other feeds, unless that was done in the last minutes. */
export async function readWitnesses(deps: WitnessDeps, asking: Asking): Promise<Testimony> {
  const { witnesses, clock } = deps;
  const { source, listing, region } = asking;
  const recalled = witnesses.recall({ ...asking, now: clock.now() });
  if (recalled !== null) return recalled;
  // A file is read by itself, and there is no other one to compare it with.
  if (source.source === "export") return "none";
  const query = { ...source, listingId: listing.id, region, limit: triesMax };
  const feeds = await deps.listWitnessFeeds(query);
  // Where full feeds exist, nothing speaks for a place that is read in place of a feed.
  if (asking.isFallback) return feeds.length === 0 ? "none" : "odd";
  let rightCount = 0;
  for (const feed of feeds) {
    const seen = await readWitness(deps, { ...asking, feed });
    if (seen === "odd") return "odd";
    if (seen === "right") rightCount += 1;
    if (rightCount >= witnessesMin) break;
  }
  const testimony = rightCount > 0 ? "right" : "none";
  witnesses.remember({ ...asking, testimony, now: clock.now() });
  return testimony;
}

/** null: its page says nothing. */
async function readWitness(
  deps: WitnessDeps,
  asking: Asking & { feed: { listingId: string; region: string } },
): Promise<"right" | "odd" | null> {
  const { clock, witnesses } = deps;
  const { listingId, region } = asking.feed;
  const listing = await deps.findListing(listingId);
  const feeds = await deps.feeds.listFeeds(listingId);
  const feed = feeds.find((one) => one.kind === "reviews" && one.region === region);
  if (!listing || !feed) return null;
  const store = await deps.openStore(listing, "reviews");
  const { externalAppId } = listing;
  const page = await store.fetchReviews({ externalAppId, region, cursor: null });
  // A list that was full shows whether an empty list is believed; an app may be withdrawn, or the store out of reach.
  if (page.outcome !== "ok") return asking.isEmpty && page.outcome === "empty" ? "odd" : null;
  const { reviews, rejectedCount, lacksReplies, isExport } = page.value;
  const identified = assignIds({ listing, reviews }, clock.now());
  const stored = await deps.loadReviews({ listingId, ids: identified.map(({ id }) => id) });
  const batch = {
    listing,
    source: isExport ? ("export" as const) : ("store" as const),
    lacksReplies,
  };
  const judged = judgeOnItsOwn({
    store: listing.store,
    identified,
    known: new Map(stored.map((review) => [review.id, review])),
    rejectedCount,
    feed,
    isFirstPage: true,
    hasReplies: hasReplies(batch),
  });
  const { kind } = judged;
  if (kind === "unjudged" || (kind === "odd" && ownKinds.includes(judged.suspicion.kind)))
    return null;
  if (kind === "odd") await deps.noteOddFeed({ listingId, region, now: clock.now() });
  witnesses.note({ ...asking, listing, region, testimony: kind, now: clock.now() });
  return kind;
}
