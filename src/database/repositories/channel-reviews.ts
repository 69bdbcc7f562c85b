// Which reviews were queued as `review.created` for which channel: only those can be updated.
import { type Db, queryRows } from "../query.ts";

export type ChannelReview = { channelId: string; reviewId: string };

export async function insertChannelReviews(db: Db, pairs: readonly ChannelReview[]): Promise<void> {
  if (pairs.length === 0) return;
  await queryRows(
    db,
    "insertChannelReviews",
    // A channel can be deleted at any moment, by a 410 for instance: its pairs are dropped then.
    `with there as (
       select id from channels where id = any($1::uuid[]) order by id for key share
     )
     insert into channel_reviews (channel_id, review_id)
     select p.channel_id, p.review_id from unnest($1::uuid[], $2::uuid[]) p (channel_id, review_id)
     join there t on t.id = p.channel_id
     order by p.channel_id, p.review_id on conflict do nothing`,
    [pairs.map((pair) => pair.channelId), pairs.map((pair) => pair.reviewId)],
  );
}

/** Of these channels and reviews, the pairs that were queued before. */
export function listChannelReviews(
  db: Db,
  query: { channelIds: readonly string[]; reviewIds: readonly string[] },
): Promise<ChannelReview[]> {
  return queryRows(
    db,
    // Without a name it is planned each time: a plan from when the table was small would compare all of
    // it with every review of every batch.
    "",
    `select channel_id as "channelId", review_id as "reviewId" from channel_reviews
     where channel_id = any($1::uuid[]) and review_id = any($2::uuid[])`,
    [query.channelIds, query.reviewIds],
  );
}
