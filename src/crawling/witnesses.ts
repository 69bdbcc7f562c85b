// Witnesses: full pages of a source that are read after a page with too few known reviews. Where the layout changed, they
// look odd, and the page waits; where they are as they are stored, it counts. Remembers the pages of the last minutes, so
// that a large installation asks for no page of its own.
import type { Database } from "../database/database.ts";
import type { Feed, FeedKind } from "../domain/feed/feed.ts";
import type { Listing } from "../domain/feed/listing.ts";
import { ownKinds } from "../domain/feed/page-quarantine.ts";
import type { Judgement, SourceKey, Testimony } from "../domain/feed/source-trust.ts";
import type { SourceReview } from "../domain/review/review.ts";
import { assignIds, hasReplies } from "../ingest/diff-reviews.ts";
import type { AskedPage } from "../ingest/ingest-batch.ts";
import { judgeOnItsOwn } from "../ingest/page-causes.ts";
import { hasOtherReviews } from "../ingest/same-reviews.ts";
import { keepRecent } from "../lib/bounded-map.ts";
import type { Clock } from "../lib/clock.ts";
import { minuteMs } from "../lib/timestamp.ts";
import type { FetchedPage, ReviewPage, Store } from "../stores/store.ts";

export type WitnessDeps = {
  clock: Clock;
  witnesses: Witnesses;
  feeds: Pick<Database, "listFeeds">;
  openStore(listing: Listing, kind: FeedKind): Promise<Store>;
} & Pick<Database, "listWitnessFeeds" | "noteOddFeed" | "loadReviews" | "findListing">;

/** `isFallback`: from another place of the store than its list. */
export type Asking = Pick<AskedPage, "isOnTrial"> & {
  source: SourceKey;
  listing: Listing;
  region: string;
  isFallback: boolean;
  /** The page has no reviews. */
  isEmpty?: true;
  /** A page of which nothing is known, and how to read it once more. */
  newPage?: { reviews: readonly SourceReview[]; readAgain(): Promise<FetchedPage> };
};

/** A store does not change its layout and change it back so soon. */
const memoryMs = 5 * minuteMs;
const memoryCountMax = 200;
const witnessesMin = 2;
const triesMax = 4;
/**
 * The readings of a new page and of others in the last minutes. Where a store tries a layout on a part p of its requests, a changed
 * page whose k further readings are the same, and w readings of others that are not changed, have the chance p^(1+k) (1-p)^w: with
 * eight readings at most 1.4 %, and half of the requests 0.2 %.
 */
const readingsMin = 8;
const againMax = 6;

type Seen = { testimony: "right" | "odd"; region: string; at: Date };

/** A feed, or another place of the store. */
type FeedKey = Pick<Asking, "source" | "listing" | "region" | "isFallback">;

/** Remembers the pages of the last minutes, by their source. */
export class Witnesses {
  readonly #seen = new Map<string, Seen>();
  /** How often new pages of a feed were read in the same way. */
  readonly #steady = new Map<string, { count: number; at: Date }>();
  /** Testimonies for a feed, so that the further pages of its list ask for nothing. */
  readonly #answers = new Map<string, { testimony: "right" | "none"; at: Date }>();

  note(page: FeedKey & Pick<Seen, "testimony"> & { now: Date }): void {
    const { region, testimony, now } = page;
    const value = { testimony, region, at: now };
    keepRecent(this.#seen, { key: feedNameOf(page), value, countMax: memoryCountMax });
  }

  /** The kept testimony for the feed; null where unknown. */
  recall(asking: Asking & { now: Date }): Testimony | null {
    const answer = this.#answers.get(feedKeyOf(asking));
    return answer && isRecent(answer, asking.now) ? answer.testimony : null;
  }

  /** Whether pages of others, one of them of the region, were right. */
  hasSeenRight(asking: Asking & { now: Date }): boolean {
    // The app that looks odd may be the one that was right a minute ago.
    if (asking.isOnTrial) return false;
    const seen = this.#listRight(asking);
    const isOfRegion = seen.some(({ region }) => region === asking.region);
    return (seen.length >= witnessesMin && isOfRegion) || (asking.isFallback && seen.length > 0);
  }

  /** Readings of other feeds in the last minutes that were right, or the same each time. */
  countReadings(asking: Asking & { now: Date }): number {
    const steady = listOthers(this.#steady, asking);
    return steady.reduce((sum, { count }) => sum + count, this.#listRight(asking).length);
  }

  /** Remembers that a new page was read in the same way each time. */
  noteSteady(asking: Asking & { count: number; now: Date }): void {
    const { count, now } = asking;
    const value = { count, at: now };
    keepRecent(this.#steady, { key: feedNameOf(asking), value, countMax: memoryCountMax });
  }

  /** Keeps the testimony of full pages for the feed of `asking`. */
  remember(asking: Asking & { testimony: "right" | "none"; now: Date }): void {
    const value = { testimony: asking.testimony, at: asking.now };
    keepRecent(this.#answers, { key: feedKeyOf(asking), value, countMax: memoryCountMax });
  }

  #listRight(asking: Asking & { now: Date }): Seen[] {
    return listOthers(this.#seen, asking).filter(({ testimony }) => testimony === "right");
  }
}

/** The entries of the last minutes about other feeds of the source. */
function listOthers<Entry extends { at: Date }>(
  entries: ReadonlyMap<string, Entry>,
  asking: Asking & { now: Date },
): Entry[] {
  const own = feedNameOf(asking);
  return [...entries].flatMap(([name, entry]) => {
    const isOther = name !== own && name.startsWith(`${keyOf(asking)} `);
    return isOther && isRecent(entry, asking.now) ? [entry] : [];
  });
}

function isRecent({ at }: { at: Date }, now: Date): boolean {
  return now.getTime() - at.getTime() <= memoryMs;
}

function feedKeyOf(asking: Asking): string {
  const { isEmpty = false, isOnTrial } = asking;
  return [feedNameOf(asking), isEmpty, isOnTrial].join(" ");
}

function feedNameOf(feed: FeedKey): string {
  return `${keyOf(feed)} ${feed.listing.id} ${feed.region}`;
}

function keyOf({ source, isFallback }: Pick<Asking, "source" | "isFallback">): string {
  return [source.store, source.source, source.workspaceId ?? "", isFallback].join("/");
}

/** Reads full pages of other feeds, unless that was done in the last minutes. */
export async function readWitnesses(deps: WitnessDeps, asking: Asking): Promise<Testimony> {
  const { witnesses, clock } = deps;
  const now = clock.now();
  const { newPage } = asking;
  const recalled = witnesses.recall({ ...asking, now });
  if (recalled !== null) return recalled;
  const isSeen = witnesses.hasSeenRight({ ...asking, now });
  const testimony = isSeen ? "right" : await readFeeds(deps, asking);
  const isOther =
    testimony === "right" && newPage && (await isReadOtherwise(deps, asking, newPage));
  if (testimony === "odd" || isOther) return "odd";
  // Where others were seen anyway, they are seen again.
  if (!isSeen || newPage) witnesses.remember({ ...asking, testimony, now: clock.now() });
  return testimony;
}

async function readFeeds(deps: WitnessDeps, asking: Asking): Promise<Testimony> {
  const { source, listing, region, isOnTrial, newPage } = asking;
  // A file is read by itself, and there is no other one to compare it with.
  if (source.source === "export") return "none";
  const query = { ...source, listingId: listing.id, region, isOnTrial, limit: triesMax };
  const feeds = await deps.listWitnessFeeds({ ...query, now: deps.clock.now() });
  // Where full feeds exist, nothing speaks for a place that is read in place of a feed.
  if (asking.isFallback) return feeds.length === 0 ? "none" : "odd";
  let rightCount = 0;
  for (const feed of feeds) {
    const seen = await readWitness(deps, { ...asking, feed });
    if (seen === "odd") return "odd";
    if (seen === "right") rightCount += 1;
    const isKnownEnough =
      !newPage || deps.witnesses.countReadings({ ...asking, now: deps.clock.now() }) >= readingsMin;
    if (rightCount >= witnessesMin && isKnownEnough) break;
  }
  return rightCount > 0 ? "right" : "none";
}

/** Reads the page again, more often where few other pages were read lately. Notes a feed whose page is another one each time. */
async function isReadOtherwise(
  deps: WitnessDeps,
  asking: Asking,
  page: NonNullable<Asking["newPage"]>,
): Promise<boolean> {
  const { listing, region } = asking;
  const now = deps.clock.now();
  const seenCount = deps.witnesses.countReadings({ ...asking, now });
  const count = Math.min(againMax, Math.max(1, readingsMin - seenCount));
  for (let done = 0; done < count; done += 1) {
    const again = await page.readAgain();
    if (again.outcome === "unknown") continue;
    const reviews = again.outcome === "ok" ? again.value.reviews : [];
    if (hasOtherReviews(page.reviews, reviews)) {
      await deps.noteOddFeed({ listingId: listing.id, region, now });
      return true;
    }
  }
  deps.witnesses.noteSteady({ ...asking, count: 1 + count, now: deps.clock.now() });
  return false;
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
  const kind = await judgeReadings(deps, { listing, feed, page: page.value });
  if (kind === null) return null;
  if (kind === "odd") await deps.noteOddFeed({ listingId, region, now: clock.now() });
  witnesses.note({ ...asking, listing, region, testimony: kind, now: clock.now() });
  return kind;
}

/** By each shape that is in use: the store may show the former layout again. null: its known reviews don't show which. */
async function judgeReadings(
  deps: WitnessDeps,
  seen: { listing: Listing; feed: Feed; page: ReviewPage },
): Promise<"right" | "odd" | null> {
  const { listing, feed, page } = seen;
  const source = page.isExport ? ("export" as const) : ("store" as const);
  const now = deps.clock.now();
  const readings = [page, ...(page.others ?? [])].map(({ reviews, ...reading }) => ({
    ...reading,
    identified: assignIds({ listing, reviews }, now),
  }));
  const ids = readings.flatMap(({ identified }) => identified.map(({ id }) => id));
  const stored = await deps.loadReviews({ listingId: listing.id, ids: [...new Set(ids)] });
  const known = new Map(stored.map((review) => [review.id, review]));
  const judgements = readings.map(({ identified, rejectedCount, lacksReplies }) =>
    judgeOnItsOwn({
      store: listing.store,
      identified,
      known,
      rejectedCount,
      feed,
      isFirstPage: true,
      hasReplies: hasReplies({ listing, source, lacksReplies }),
    }),
  );
  if (judgements.some(({ kind }) => kind === "right")) return "right";
  const isOdd = (one: Judgement): boolean =>
    one.kind === "odd" && !ownKinds.includes(one.suspicion.kind);
  return judgements.every(isOdd) ? "odd" : null;
}
