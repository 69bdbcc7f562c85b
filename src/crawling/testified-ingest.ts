// Saves the reviews of a crawl. Where too few of them are known to judge them, full pages of the source testify first.
import type { Database } from "../database/database.ts";
import type { FeedKey } from "../domain/feed/feed.ts";
import type { Listing } from "../domain/feed/listing.ts";
import { nothingUnconfirmed } from "../domain/feed/page-quarantine.ts";
import {
  type decidePage,
  type SourceKey,
  stateOf,
  type Testimony,
} from "../domain/feed/source-trust.ts";
import type { IngestBatch, IngestResult, IngestReviews } from "../ingest/ingest-batch.ts";
import { sourceOf } from "../ingest/judge-page.ts";
import type { Clock } from "../lib/clock.ts";
import type { FetchedPage } from "../stores/store.ts";
import type { Asking } from "./witnesses.ts";

export type TestifiedDeps = Pick<Database, "readOddFeeds"> & {
  clock: Clock;
  ingestReviews: IngestReviews;
  /** Reads full pages of other feeds of the source. */
  testify(page: Asking): Promise<Testimony>;
  /** Remembers a page that is right by itself: it speaks for others. */
  noteRight(page: Omit<Asking, "isOnTrial">): void;
};

/** An empty list: it is believed where nothing contradicts it, and full pages of the source are right. */
export async function judgeEmpty(
  deps: TestifiedDeps,
  found: {
    listing: Listing;
    feed: FeedKey;
    doubt: string | undefined;
    readAgain(): Promise<FetchedPage>;
  },
): Promise<Pick<Parameters<typeof decidePage>[0], "judgement" | "source" | "odd" | "testimony">> {
  const { listing, feed, doubt, readAgain } = found;
  const source = sourceOf({ listing, source: "store" });
  const now = deps.clock.now();
  const odd = await deps.readOddFeeds({ ...source, ...feed, now });
  const nothing = { contents: {}, unconfirmed: nothingUnconfirmed };
  if (doubt !== undefined) {
    const suspicion = { kind: "empty" as const, reason: doubt, ...nothing };
    const judgement = { kind: "odd" as const, suspicion, isMostlyKnown: true };
    return { judgement, source: source.source, odd, testimony: null };
  }
  const { region } = feed;
  const isOnTrial = stateOf(odd) === "on_trial";
  const asking = { source, listing, region, isFallback: false, isEmpty: true, isOnTrial } as const;
  const testimony = await deps.testify({
    ...asking,
    ...toNewPage(source, { reviews: [], readAgain }),
  });
  const suspicion = { kind: "waiting" as const, reason: "the list is empty", ...nothing };
  return { judgement: { kind: "unjudged", suspicion }, source: source.source, odd, testimony };
}

/** `readAgain`: reads the page once more; left out where that says nothing. */
export async function ingestTestified(
  deps: TestifiedDeps,
  batch: IngestBatch,
  feed: Pick<FeedKey, "region"> & { readAgain?: () => Promise<FetchedPage> },
): Promise<IngestResult> {
  const { listing, crawlPage, fallbackOf, reviews } = batch;
  const { region, readAgain } = feed;
  const isFallback = fallbackOf !== undefined;
  const page = { source: sourceOf(batch), listing, region, isFallback };
  let saved = await deps.ingestReviews(batch);
  if (saved.asking) {
    const { isNew, isOnTrial } = saved.asking;
    const newPage = isNew && readAgain && toNewPage(page.source, { reviews, readAgain });
    const testimony = await deps.testify({ ...page, isOnTrial, ...newPage });
    saved = await deps.ingestReviews({
      ...batch,
      ...(crawlPage && { crawlPage: { ...crawlPage, testimony } }),
      ...(fallbackOf && { fallbackOf: { ...fallbackOf, testimony } }),
    });
  }
  if (saved.isRight) deps.noteRight(page);
  return saved;
}

/** The layouts of an API have versions: stores don't try others on a part of the requests. */
function toNewPage(
  { source }: SourceKey,
  newPage: NonNullable<Asking["newPage"]>,
): Pick<Asking, "newPage"> {
  return source === "public" ? { newPage } : {};
}
