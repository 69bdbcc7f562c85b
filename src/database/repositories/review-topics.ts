// The topics of reviews as rows of their own, so that pages by topic are index ranges. Written in the same
// transaction as the reviews, so that they always agree with them.
import type { Review } from "../../domain/review.ts";
import { toArrayText } from "../array-text.ts";
import { isDistributed } from "../distributed-reads.ts";
import { type Db, queryRows } from "../query.ts";
import { insertListingValues } from "./listing-values.ts";
import type { RollupChange } from "./rollups.ts";

export async function saveReviewTopics(
  db: Db,
  save: { listingId: string; changes: readonly RollupChange[] },
): Promise<void> {
  const moved = save.changes.filter(({ before, after }) => !before || !isSame(before, after));
  const gone = moved.flatMap(({ before }) => (before ? listTopics(before) : []));
  const come = moved.flatMap(({ after }) => listTopics(after));
  if (gone.length > 0) {
    await queryRows(
      db,
      "deleteReviewTopics",
      `delete from review_topics t
       using unnest($2::text[], $3::timestamptz[], $4::uuid[]) as g (topic, date, review_id)
       where t.listing_id = $1 and t.topic = g.topic and t.date = g.date
         and t.review_id = g.review_id`,
      [save.listingId, ...toArrays(gone).slice(0, 3)],
    );
  }
  if (come.length === 0) return;
  const columns = "topic, date, review_id, rating, sentiment";
  if (await isDistributed(db)) {
    const into = `review_topics (listing_id, ${columns})`;
    const rows = come.map(toRow);
    return insertListingValues(db, { into, listingId: save.listingId, rows });
  }
  await queryRows(
    db,
    "insertReviewTopics",
    `insert into review_topics (listing_id, ${columns})
     select $1, * from unnest($2::text[], $3::timestamptz[], $4::uuid[], $5::smallint[], $6::text[])`,
    [save.listingId, ...toArrays(come)],
  );
}

/** All rows of a listing as text, sorted: for checks against the reviews. */
export async function listReviewTopicRows(db: Db, listingId: string): Promise<string[]> {
  const found = await queryRows<{ text: string }>(
    db,
    "listReviewTopicRows",
    `select concat_ws(' ', review_id, topic, rating, sentiment, extract(epoch from date)::bigint)
       as text
     from review_topics where listing_id = $1`,
    [listingId],
  );
  return found.map(({ text }) => text).sort();
}

type TopicRow = { topic: string; review: Review };

function listTopics(review: Review): TopicRow[] {
  return (review.analysis?.topics ?? []).map((topic) => ({ topic, review }));
}

function toRow({ topic, review }: TopicRow) {
  const { date, id, rating, analysis } = review;
  return [topic, date, id, rating, analysis?.sentiment?.label ?? ""] as const;
}

function toArrays(list: readonly TopicRow[]): string[] {
  const rows = list.map(toRow);
  return [
    toArrayText(rows.map(([topic]) => topic)),
    toArrayText(rows.map(([, date]) => date)),
    toArrayText(rows.map(([, , id]) => id)),
    toArrayText(rows.map(([, , , rating]) => rating)),
    toArrayText(rows.map(([, , , , sentiment]) => sentiment)),
  ];
}

/** Whether both versions have the same rows. */
function isSame(before: Review, after: Review): boolean {
  const { label: labelBefore } = before.analysis?.sentiment ?? { label: null };
  const { label: labelAfter } = after.analysis?.sentiment ?? { label: null };
  return (
    before.date.getTime() === after.date.getTime() &&
    before.rating === after.rating &&
    labelBefore === labelAfter &&
    (before.analysis?.topics ?? []).join() === (after.analysis?.topics ?? []).join()
  );
}
