// How far a walk over a feed has come. It is saved with each page, so a walk that was cut off, by a
// crash, a stop or a block, goes on where it was.

import type { ClaimedFeed, PassProgress } from "../domain/feed.ts";
import { dayMs, hourMs } from "../lib/timestamp.ts";
import type { Random } from "./schedule.ts";

// A store's cursors don't live for ever, and what is above the walk grows meanwhile.
const resumeAgeMsMax = dayMs;
const sweepAgainMs = 4 * hourMs;

/** A first walk has no watermark; later ones ignore it once a day: for holes, late titles, deep edits. */
export function beginWalk(feed: ClaimedFeed, now: Date): PassProgress {
  const isSweep = feed.baselineAt === null || feed.sweepDueAt === null || feed.sweepDueAt <= now;
  return {
    startedAt: now,
    savedAt: now,
    isSweep,
    pageCount: 0,
    reviewCount: 0,
    rejectedCount: 0,
    newCount: 0,
    editedCount: 0,
    holeCount: 0,
    sawFirstPage: false,
    newest: null,
    cursor: null,
  };
}

/** Where an earlier walk was cut off; null when it is better to begin at the top. */
export function findInterrupted(feed: ClaimedFeed, now: Date): PassProgress | null {
  const { progress } = feed;
  // A walk down to the watermark is short: begun anew it also sees what is new on top.
  if (!progress?.isSweep || progress.cursor === null) return null;
  return now.getTime() - progress.savedAt.getTime() <= resumeAgeMsMax ? progress : null;
}

/** After a walk that ended well: when the next one to the end of the list is due. */
export function nextSweepDueAt(walked: {
  feed: ClaimedFeed;
  now: Date;
  /** It went to the end of what the store shows. */
  isComplete: boolean;
  /** What it was after could stand in a hole or beyond what the store shows. */
  mayHaveMissed: boolean;
  random: Random;
}): Date | null {
  const { feed, now, isComplete, mayHaveMissed } = walked;
  if (!isComplete) return mayHaveMissed ? now : feed.sweepDueAt;
  const waitMs = mayHaveMissed ? sweepAgainMs : dayMs * (0.9 + 0.2 * walked.random());
  return new Date(now.getTime() + waitMs);
}
