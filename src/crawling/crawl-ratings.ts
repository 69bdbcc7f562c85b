// One reading of the ratings of a feed: judged, and kept as the day's snapshot once it is believed.

import type { ClaimedFeed, FeedOutcome, PassEnd } from "../domain/feed.ts";
import type { Listing } from "../domain/listing.ts";
import type { RatingReading, Snapshot } from "../domain/snapshot.ts";
import type { RecordSnapshots } from "../ingest/ingest-batch.ts";
import { dayOf } from "../lib/timestamp.ts";
import type { Store } from "../stores/store.ts";
import type { PassRoom } from "./crawl-deps.ts";
import { newReport, type PassReport, stoppedWithService } from "./crawl-report.ts";
import { judgeReading } from "./rating-plausibility.ts";
import { fetchWithTries } from "./retry.ts";
import { nextRatingsDueAt } from "./schedule.ts";

export type RatingsRoom = Pick<PassRoom, "clock" | "feeds" | "delay" | "random"> & {
  recordSnapshots: RecordSnapshots;
  listSnapshotsAsOf(wanted: {
    listingId: string;
    day: null;
    withHistogram: boolean;
  }): Promise<Snapshot[]>;
};

export async function collectRatings(
  room: RatingsRoom,
  pass: { feed: ClaimedFeed; listing: Listing; store: Store; signal?: AbortSignal },
): Promise<PassReport> {
  const { feed, listing, store, signal } = pass;
  if (signal?.aborted) return release(room, feed);
  const fetched = await fetchWithTries({ ...room, signal }, () =>
    store.fetchRatings({ externalAppId: listing.externalAppId, region: feed.region }),
  );
  // What was cut short by our own end says nothing of the store.
  if (signal?.aborted && fetched.outcome !== "ok") return release(room, feed);
  if (fetched.outcome === "ok") return judgeAndKeep(room, { ...pass, reading: fetched.value });
  const isUnknown = fetched.outcome === "unknown";
  const end = endPass(room, feed, {
    outcome: fetched.outcome,
    stopReason: isUnknown ? "no reading" : "the store has no such app in this storefront",
    lastError: isUnknown ? fetched.reason : null,
    // No answer says nothing of the doubtful reading before it.
    heldReading: isUnknown ? feed.heldReading : null,
    retryAfterMs: isUnknown ? fetched.retryAfterMs : null,
  });
  await room.feeds.finishFeed({ ...feed, ...end });
  return describe(feed, { end, newCount: 0, queuedCount: 0 });
}

async function release(room: RatingsRoom, feed: ClaimedFeed): Promise<PassReport> {
  await room.feeds.releaseFeed({ ...feed, now: room.clock.now() });
  return { ...newReport(feed), stopReason: stoppedWithService };
}

async function judgeAndKeep(
  room: RatingsRoom,
  pass: { feed: ClaimedFeed; listing: Listing; reading: RatingReading },
): Promise<PassReport> {
  const { feed, listing } = pass;
  const previous = await room.listSnapshotsAsOf({
    listingId: listing.id,
    day: null,
    withHistogram: false,
  });
  const judgement = judgeReading({
    reading: pass.reading,
    previous: previous.find((snapshot) => snapshot.region === feed.region) ?? null,
    held: feed.heldReading,
  });
  if (judgement.kind === "held") {
    const end = endPass(room, feed, {
      outcome: "unknown",
      stopReason: "held back until it is read again",
      lastError: judgement.reason,
      heldReading: judgement.reading,
      retryAfterMs: null,
    });
    await room.feeds.finishFeed({ ...feed, ...end });
    return describe(feed, { end, newCount: 0, queuedCount: 0 });
  }
  const end = endPass(room, feed, {
    outcome: "ok",
    stopReason: "read",
    lastError: null,
    heldReading: null,
    retryAfterMs: null,
  });
  const day = dayOf(room.clock.now());
  const recorded = await room.recordSnapshots({
    listing,
    snapshots: [{ ...judgement.reading, region: feed.region, day }],
    settle: { feed, end },
  });
  return describe(feed, { end, newCount: recorded.inserted, queuedCount: recorded.queuedCount });
}

function endPass(
  room: RatingsRoom,
  feed: ClaimedFeed,
  how: Pick<PassEnd, "stopReason" | "lastError" | "heldReading"> & {
    outcome: FeedOutcome;
    retryAfterMs: number | null;
  },
): PassEnd {
  const now = room.clock.now();
  const { retryAfterMs, ...end } = how;
  return {
    ...end,
    watermark: feed.watermark,
    baselineAt: feed.baselineAt ?? (how.outcome === "unknown" ? null : now),
    nextDueAt: nextRatingsDueAt({
      now,
      isDone: how.outcome !== "unknown",
      failureCount: feed.failureCount,
      retryAfterMs,
      random: room.random,
    }),
    pageCount: 1,
    reviewCount: 0,
    rejectedCount: 0,
    truncated: false,
    sweptAt: null,
    sweepDueAt: null,
    progress: null,
    checkedAt: now,
  };
}

function describe(
  feed: ClaimedFeed,
  done: { end: PassEnd; newCount: number; queuedCount: number },
): PassReport {
  return {
    ...newReport(feed),
    outcome: done.end.outcome ?? "unknown",
    pages: 1,
    new: done.newCount,
    queued: done.queuedCount,
    stopReason: done.end.stopReason ?? "",
    error: done.end.lastError,
  };
}
