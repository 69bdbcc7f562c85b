// What is written when a walk over a feed ends: its coverage, its watermark and when it is due again.

import type { ClaimedFeed, FeedOutcome, PassEnd, PassProgress } from "../domain/feed.ts";
import type { Clock } from "../lib/clock.ts";
import { nextSweepDueAt } from "./checkpoint.ts";
import type { Stop } from "./crawl-stop.ts";
import { nextReviewsDueAt, type Random } from "./schedule.ts";

type Room = { clock: Clock; random: Random; intervalMinutes: number };

type Walked = { feed: ClaimedFeed; counted: PassProgress };

/**
 * A walk whose first page was a hole saw reviews, but not the newest: its watermark stays. One that could
 * read nothing of what it saw knows nothing of the reviews.
 */
export function endWell(
  room: Room,
  walked: Walked & { stop: Stop; error: string | null },
): PassEnd {
  const { feed, counted, stop } = walked;
  const { isTruncated } = stop;
  if (!counted.sawFirstPage) {
    return describeWalk(room, {
      ...walked,
      isTruncated,
      outcome: "unknown",
      stopReason: stop.reason,
      error: walked.error ?? "the first page stayed empty",
    });
  }
  if (counted.reviewCount === 0 && counted.rejectedCount > 0) {
    return describeWalk(room, {
      ...walked,
      isTruncated,
      outcome: "unknown",
      stopReason: stop.reason,
      error: `nothing that the store sent could be read as a review (${counted.rejectedCount} items)`,
    });
  }
  const now = room.clock.now();
  const { holeCount, newest } = counted;
  const holes = holeCount > 0 ? `; ${holeCount} pages stayed empty on the way` : "";
  const end = describeWalk(room, {
    ...walked,
    isTruncated,
    outcome: counted.reviewCount > 0 ? "ok" : "empty",
    stopReason: stop.reason + holes,
    error: null,
  });
  // It was after what is known, and met the end of the list instead: was it the end?
  const isCut = !counted.isSweep && stop.isComplete && (isTruncated || feed.watermark !== null);
  return {
    ...end,
    watermark: laterOf(feed.watermark, newest),
    baselineAt: feed.baselineAt ?? now,
    sweptAt: stop.isComplete ? now : feed.sweptAt,
    sweepDueAt: nextSweepDueAt({
      feed,
      now,
      // Cut short on its way to the watermark: what it did not reach is looked for at once.
      isComplete: stop.isComplete && !isCut,
      mayHaveMissed: holeCount > 0 || isCut,
      random: room.random,
    }),
  };
}

/** The coverage of a walk that moves nothing. */
export function describeWalk(
  room: Room,
  walked: Walked & {
    isTruncated: boolean;
    outcome: FeedOutcome;
    stopReason: string;
    error: string | null;
    retryAfterMs?: number | null;
  },
): PassEnd {
  const { feed, counted, outcome } = walked;
  const now = room.clock.now();
  return {
    outcome,
    watermark: feed.watermark,
    baselineAt: feed.baselineAt,
    nextDueAt: nextReviewsDueAt({
      now,
      intervalMinutes: room.intervalMinutes,
      failureCount: outcome === "unknown" ? feed.failureCount + 1 : 0,
      retryAfterMs: walked.retryAfterMs ?? null,
      random: room.random,
    }),
    lastError: walked.error,
    pageCount: counted.pageCount,
    reviewCount: counted.reviewCount,
    rejectedCount: counted.rejectedCount,
    truncated: walked.isTruncated,
    stopReason: walked.stopReason,
    heldReading: null,
    sweptAt: feed.sweptAt,
    sweepDueAt: feed.sweepDueAt,
    progress: null,
    checkedAt: now,
  };
}

function laterOf(one: Date | null, other: Date | null): Date | null {
  if (!one || !other) return one ?? other;
  return one > other ? one : other;
}
