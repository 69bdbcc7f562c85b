// The filters of searches and of the counts above them, as values and as conditions on a review `r`.
import type { SentimentLabel } from "../../domain/analysis.ts";
import type { Day } from "../../lib/timestamp.ts";
import { ofEachListing } from "../distributed-sql.ts";
import { newestReviews } from "./newest-reviews-sql.ts";
import { pageBounds } from "./page-bounds-sql.ts";
import type { ReviewPosition } from "./review-pages.ts";
import { listingValues, type SeenScope } from "./seen-listings-sql.ts";

export type SearchFilters = SeenScope & {
  from: Day | null;
  to: Day | null;
  ratings: readonly number[] | null;
  sentiment: SentimentLabel | null;
  /** Any of them. */
  topics: readonly string[] | null;
  country: string | null;
  language: string | null;
  version: string | null;
  editedOnly: boolean;
  /** null: with and without. */
  hasReply: boolean | null;
  /** Of the workspace's work on reviews. */
  tag: string | null;
  assigneeId: string | null;
  /** Texts, any of which must occur, in upper or lower case. */
  words: readonly string[];
};

export type Scan = {
  filters: SearchFilters;
  after: ReviewPosition | null;
  /** How many reviews are looked at. */
  scanMax: number;
};

/** `$1` to `$7`: which reviews are looked at. */
function scanValues({ filters, after, scanMax }: Scan): unknown[] {
  const { from, before, beforeId } = pageBounds(filters, after);
  return [...listingValues(filters), from, before, beforeId, scanMax];
}

/** `$1` to `$18`, the conditions below among them. */
export function searchValues(scan: Scan): unknown[] {
  const { filters } = scan;
  return [
    ...scanValues(scan),
    ...[filters.ratings, filters.sentiment, filters.topics, filters.version, filters.editedOnly],
    filters.words.length === 0 ? null : filters.words.map(toPattern),
    ...[filters.country, filters.language, filters.hasReply, filters.tag, filters.assigneeId],
  ];
}

/** Topics, `$10`, are missing: the workspace has its own, and either needs them in another form. */
export const conditions = {
  rating: "($8::smallint[] is null or r.rating = any($8))",
  sentiment: "($9::text is null or r.sentiment = $9)",
  version: "($11::text is null or r.version = $11)",
  country: "($14::text is null or r.country = $14)",
  language: "($15::text is null or r.language = $15)",
};

/** Those that nobody counts by, for a review `r` of `s`. */
export const otherConditions = `(not $12::boolean or r.edited_at is not null)
        and (s.regions is null or coalesce(r.language_hint, nullif(r.country, ''), 'und') = any(s.regions))
        and ($13::text[] is null or r.body ilike any($13) or r.title ilike any($13)
          or r.author ilike any($13) or r.translated_text ilike any($13))
        and ($16::boolean is null or (r.reply_text is not null) = $16)
        and (($17::text is null and $18::uuid is null) or exists (
          select from review_work k where k.workspace_id = $1 and k.review_id = r.id
            and ($17::text is null or k.tags @> array[$17::text])
            and ($18::uuid is null or k.assignee_id = $18)
        ))`;

/** Begins a statement with the common table expression `newest`: the newest reviews. */
export function withScanned({ filters, scanMax }: Scan): string {
  const newest = newestReviews({ appCount: filters.apps.length, scanMax });
  return `${ofEachListing("$2")}with ${newest}`;
}

/** Searches for the text itself: no character of it is a wildcard. */
function toPattern(word: string): string {
  return `%${word.replace(/[\\%_]/g, "\\$&")}%`;
}
