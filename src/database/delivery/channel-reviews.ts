// Which reviews were queued as `review.created` for which channel: only those can be updated.

import { type Db, execute, queryFirstRow, queryRows } from "../query.ts";
import { readBuckets } from "./buckets.ts";

type ChannelReview = { channelId: string; reviewId: string };

export async function insertChannelReviews(db: Db, pairs: readonly ChannelReview[]): Promise<void> {
  for (const [bucket, part] of (await readBuckets(db)).group(pairs, (one) => one.channelId))
    await insertInBucket(db, bucket, part);
}

async function insertInBucket(
  db: Db,
  bucket: number,
  pairs: readonly ChannelReview[],
): Promise<void> {
  await queryRows(
    db,
    "insertChannelReviews",
    // A channel can be deleted at any moment, by a 410 for instance: its pairs are dropped then.
    `insert into channel_reviews (bucket, channel_id, review_id)
     select $3, p.channel_id, p.review_id from unnest($1::uuid[], $2::uuid[]) p (channel_id, review_id)
     join channels c on c.id = p.channel_id
     order by p.channel_id, p.review_id on conflict do nothing`,
    [pairs.map((pair) => pair.channelId), pairs.map((pair) => pair.reviewId), bucket],
  );
}

/** The pairs of these channels and reviews that were queued before. */
export async function listChannelReviews(
  db: Db,
  query: { channelIds: readonly string[]; reviewIds: readonly string[] },
): Promise<ChannelReview[]> {
  const { group } = await readBuckets(db);
  const found: ChannelReview[] = [];
  for (const [bucket, channelIds] of group(query.channelIds, (id) => id))
    found.push(...(await listInBucket(db, bucket, { ...query, channelIds })));
  return found;
}

function listInBucket(
  db: Db,
  bucket: number,
  query: { channelIds: readonly string[]; reviewIds: readonly string[] },
): Promise<ChannelReview[]> {
  return queryRows(
    db,
    // Without a name it is planned each time: a plan from when the table was small would compare all of
    // it with every review of every batch.
    "",
    `select channel_id as "channelId", review_id as "reviewId" from channel_reviews
     where bucket = $3 and channel_id = any($1::uuid[]) and review_id = any($2::uuid[])`,
    [query.channelIds, query.reviewIds, bucket],
  );
}

/** The id that the service of a channel returned for a review; null without one. */
export async function findExternalId(db: Db, pair: ChannelReview): Promise<string | null> {
  const { of } = await readBuckets(db);
  const found = await queryFirstRow<{ externalId: string | null }>(
    db,
    "findExternalId",
    `select external_id as "externalId" from channel_reviews
     where bucket = $3 and channel_id = $1 and review_id = $2`,
    [pair.channelId, pair.reviewId, of(pair.channelId)],
  );
  return found?.externalId ?? null;
}

/** The first one stays. */
export async function saveExternalId(
  db: Db,
  created: ChannelReview & { externalId: string },
): Promise<void> {
  const { of } = await readBuckets(db);
  await execute(
    db,
    "saveExternalId",
    `update channel_reviews set external_id = $4
     where bucket = $3 and channel_id = $1 and review_id = $2 and external_id is null`,
    [created.channelId, created.reviewId, of(created.channelId), created.externalId],
  );
}
