// Where a walk over a feed ends: at what is known, at the end of the list, at the deepest page that one
// pass goes to, or where the store begins to lead in a circle.
import { createHash } from "node:crypto";
import type { ClaimedFeed } from "../domain/feed.ts";
import type { Change } from "../ingest/ingest-batch.ts";

export type Stop = {
  reason: string;
  /** All that the store shows was walked. */
  isComplete: boolean;
  /** The store holds more than it shows. */
  isTruncated: boolean;
};

// Google hands out 150 reviews a page. Beyond this a store is going round in circles.
const pageCountMax = 10_000;
// A daily sweep at one page a second must leave time for other feeds.
const sweepPageCountMax = 200;

export class StopRule {
  readonly #feed: Pick<ClaimedFeed, "baselineAt" | "watermark">;
  /** Marks of the cursors that were followed. */
  readonly #used = new Set<string>();

  constructor(feed: Pick<ClaimedFeed, "baselineAt" | "watermark">) {
    this.#feed = feed;
  }

  /** null: the walk goes on. */
  whyStop(
    changes: readonly Change[],
    at: { isSweep: boolean; pageCount: number; next: string | null; isTruncated: boolean },
  ): Stop | null {
    const { baselineAt } = this.#feed;
    const { isTruncated } = at;
    if (!at.isSweep && this.#hasCaughtUp(changes)) {
      return { reason: "caught up with the last pass", isComplete: false, isTruncated };
    }
    if (at.next === null) {
      const reason = isTruncated ? "the store shows no further pages" : "end of the list";
      return { reason, isComplete: true, isTruncated };
    }
    if (!this.#isFirstUse(at.next)) {
      return { reason: "the store leads in a circle", isComplete: true, isTruncated: true };
    }
    const deepest = at.isSweep && baselineAt !== null ? sweepPageCountMax : pageCountMax;
    if (at.pageCount < deepest) return null;
    return { reason: `${deepest} pages, as deep as one pass goes`, isComplete: true, isTruncated };
  }

  // Newest first by last edit: a known, unedited review at or below the watermark means that everything
  // further down was seen before. "Known" alone would miss edits.
  #hasCaughtUp(changes: readonly Change[]): boolean {
    const { watermark } = this.#feed;
    return changes.some(
      ({ kind, after }) =>
        (kind === "unchanged" || kind === "restated") && watermark && after.date <= watermark,
    );
  }

  #isFirstUse(cursor: string): boolean {
    const mark = createHash("sha1").update(cursor).digest("base64");
    if (this.#used.has(mark)) return false;
    this.#used.add(mark);
    return true;
  }
}
