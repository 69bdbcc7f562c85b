// Which reviews were queued as `review.created` for which channel: only those can be updated.
import { type Db, queryRows } from "../query.ts";
import { readBuckets } from "./delivery-buckets.ts";
import { insertValues } from "./delivery-values.ts";

export type ChannelReview = { channelId: string; reviewId: string };

export async function insertChannelReviews(db: Db, pairs: readonly ChannelReview[]): Promise<void> {
  const { group, isDistributed } = await readBuckets(db);
  const insert = isDistributed ? insertPairValues : insertInBucket;
  for (const [bucket, part] of group(pairs, (one) => one.channelId)) await insert(db, bucket, part);
}

/** At most so many in one statement, which has a text for each number of them. */
const pairsMax = 1_000;

/**
 * On several servers, like `queueValues`. No channel is locked, which would be on all of them: what is noted of one that
 * is just being deleted is pruned when it is old.
 */
async function insertPairValues(
  db: Db,
  bucket: number,
  pairs: readonly ChannelReview[],
): Promise<void> {
  const channelIds = [...new Set(pairs.map(({ channelId }) => channelId))];
  const text = "select id from channels where id = any($1::uuid[])";
  const found = await queryRows<{ id: string }>(db, "listExistingChannels", text, [channelIds]);
  const existing = new Set(found.map(({ id }) => id));
  const rows = pairs
    .filter(({ channelId }) => existing.has(channelId))
    .map(({ channelId, reviewId }) => [channelId, reviewId])
    .sort();
  for (let start = 0; start < rows.length; start += pairsMax) {
    await insertValues(db, {
      into: "channel_reviews (bucket, channel_id, review_id)",
      bucket,
      rows: rows.slice(start, start + pairsMax),
    });
  }
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
    `with there as (
       select id from channels where id = any($1::uuid[]) order by id for key share
     )
     insert into channel_reviews (bucket, channel_id, review_id)
     select $3, p.channel_id, p.review_id from unnest($1::uuid[], $2::uuid[]) p (channel_id, review_id)
     join there t on t.id = p.channel_id
     order by p.channel_id, p.review_id on conflict do nothing`,
    [pairs.map((pair) => pair.channelId), pairs.map((pair) => pair.reviewId), bucket],
  );
}

/** Of these channels and reviews, the pairs that were queued before. */
export async function listChannelReviews(
  db: Db,
  query: { channelIds: readonly string[]; reviewIds: readonly string[] },
): Promise<ChannelReview[]> {
  const found: ChannelReview[] = [];
  for (const [bucket, channelIds] of (await readBuckets(db)).group(query.channelIds, (id) => id))
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
