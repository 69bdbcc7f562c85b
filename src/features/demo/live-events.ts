// Activity in the demo's stores: at first every few seconds, then every minute, then as often as in its history a review
// is written or edited, and the feed that shows it is due at once.

import { phraseBookOf } from "../../../simulator/phrase-books.ts";
import { createRandom, type Random } from "../../../simulator/random.ts";
import { generateReview, generateRevision } from "../../../simulator/review-generator.ts";
import { liveRegions, sampleApps } from "../../../simulator/sample-stores.ts";
import { mintReviewId } from "../../../simulator/store-facts.ts";
import type { StoreState } from "../../../simulator/store-state.ts";
import type { FeedKey } from "../../domain/feed/feed.ts";
import { type StoreId, storeIds } from "../../domain/store/store-id.ts";
import type { Clock } from "../../lib/clock.ts";

type LiveEvents = { close(): void };

// The first events come soon, for people who watch. Later ones come as rarely as in the history before: a demo that runs
// for a day must not show a rise that the story does not contain.
const soonMs = 5_000;
const soonCount = 4;
const watchedMs = 60_000;
const watchedCount = 10;
const laterMs = 90 * 60_000;
// Every third change edits a review, once there is one to edit.
const editEvery = 3;
const editableMax = 20;

type WrittenReview = { store: StoreId; region: string; storeReviewId: string };

export function startLiveEvents(deps: {
  clock: Clock;
  storeState: StoreState;
  /** Makes the store's feed of that region due now. */
  makeFeedDueNow: (feed: { store: StoreId } & Pick<FeedKey, "region">) => Promise<void>;
  print: (line: string) => void;
}): LiveEvents {
  const random = createRandom(deps.clock.now().getTime() % 2 ** 31);
  const written: WrittenReview[] = [];
  let round = 0;
  let timer: NodeJS.Timeout;
  const happen = (): void => {
    round += 1;
    const edited = round % editEvery === 0 ? written.shift() : undefined;
    const changed = edited
      ? editReview(deps.storeState, random, edited)
      : writeReview(deps, random);
    if (!edited) written.push(changed);
    if (written.length > editableMax) written.shift();
    deps
      .makeFeedDueNow(changed)
      .catch((error: unknown) => deps.print(`collecting: ${String(error)}`));
    timer = setTimeout(happen, pauseAfter(round));
  };
  timer = setTimeout(happen, soonMs);
  return { close: () => clearTimeout(timer) };
}

/** How long after the event of that number the next one comes. */
export function pauseAfter(round: number): number {
  if (round < soonCount) return soonMs;
  return round < watchedCount ? watchedMs : laterMs;
}

function writeReview(
  deps: { clock: Clock; storeState: StoreState },
  random: Random,
): WrittenReview {
  const { storeState, clock } = deps;
  const store = random.pick(storeIds);
  const region = random.pick(liveRegions[store]);
  const book = phraseBookOf(region);
  const version = storeState.appNow(sampleApps[store])?.version ?? "";
  const review = generateReview(random, { book, version, profile: "ordinary" });
  // Ids must not repeat over restarts of the demo, so they contain the time.
  const now = clock.now();
  const storeReviewId = mintReviewId(store, now);
  storeState.addReview(sampleApps[store], { ...review, region, storeReviewId, version });
  return { store, region, storeReviewId };
}

function editReview(storeState: StoreState, random: Random, written: WrittenReview): WrittenReview {
  const { store, region, storeReviewId } = written;
  const shown = storeState.reviewsNow(sampleApps[store], region);
  const before = shown.find((one) => one.storeReviewId === storeReviewId);
  if (before) {
    const revised = generateRevision(random, { ...before, book: phraseBookOf(region) });
    storeState.editReview(sampleApps[store], { ...revised, storeReviewId });
  }
  return written;
}
