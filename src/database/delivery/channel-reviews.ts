// Which reviews were queued as `review.created` for which channel: only those can be updated.

import { type Db, execute, queryRows, queryValue } from "../query.ts";
import { unnest } from "../sql.ts";

type ChannelReview = { channelId: string; reviewId: string };
/** A review at the service of a channel: ids of one destination mean something else at another. */
type ExternalReview = ChannelReview & { destination: string };

export async function insertChannelReviews(db: Db, pairs: readonly ChannelReview[]): Promise<void> {
  if (pairs.length === 0) return;
  const rows = unnest("p", pairs, {
    channel_id: ["uuid", ({ channelId }) => channelId],
    review_id: ["uuid", ({ reviewId }) => reviewId],
  });
  // A channel can be deleted at any moment, by a 410 for instance: its pairs are dropped then.
  await queryRows(db, "insertChannelReviews")`insert into channel_reviews (channel_id, review_id)
    select p.channel_id, p.review_id from ${rows} join channels c on c.id = p.channel_id
    order by p.channel_id, p.review_id on conflict do nothing`;
}

/** The pairs of these channels and reviews that were queued before. */
export async function listChannelReviews(
  db: Db,
  query: { channelIds: readonly string[]; reviewIds: readonly string[] },
): Promise<ChannelReview[]> {
  if (query.channelIds.length === 0) return [];
  // Without a name it is planned each time: a plan from when the table was small would compare all of it with every
  // review of every batch.
  return queryRows(db, "")`select channel_id as "channelId", review_id as "reviewId"
    from channel_reviews
    where channel_id = any(${query.channelIds}::uuid[]) and review_id = any(${query.reviewIds}::uuid[])`;
}

/** The id that the service of a channel returned for a review at this destination; null without one. */
export async function findExternalId(db: Db, pair: ExternalReview): Promise<string | null> {
  return queryValue(db, "findExternalId")<string>`select external_id as "externalId"
    from channel_reviews
    where channel_id = ${pair.channelId} and review_id = ${pair.reviewId} and destination = ${pair.destination}`;
}

/** The first one of a destination stays. */
export async function saveExternalId(
  db: Db,
  created: ExternalReview & { externalId: string },
): Promise<void> {
  await execute(db, "saveExternalId")`update channel_reviews
    set external_id = ${created.externalId}, destination = ${created.destination}
    where channel_id = ${created.channelId} and review_id = ${created.reviewId}
      and destination is distinct from ${created.destination}`;
}
