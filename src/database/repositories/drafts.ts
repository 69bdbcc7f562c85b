// Deliveries that wait for a translation. The body of a delivery is a draft until it is finished here or comes due;
// afterwards it never changes.

import { readBuckets } from "../delivery/buckets.ts";
import { advanceQueue } from "../delivery/enqueue.ts";
import { isDistributed } from "../distributed-reads.ts";
import { type Db, execute, queryFirstRow, queryRows } from "../query.ts";

export type DraftDelivery = {
  contentHash: Buffer;
  id: string;
  channelId: string;
  body: Buffer;
  /** Whether its channel still has translation on. */
  isTranslated: boolean;
};

type DraftQuery = {
  listingId: string;
  jobs: readonly { reviewId: string; contentHash: Buffer }[];
  now: Date;
};

/** Drafts that wait for these jobs of one listing. */
export async function listDrafts(db: Db, query: DraftQuery): Promise<DraftDelivery[]> {
  if (await isDistributed(db)) return listDraftsOfServers(db, query);
  return queryRows(
    db,
    "listDrafts",
    `select w.content_hash as "contentHash", d.id, d.channel_id as "channelId", d.body,
       c.translate as "isTranslated"
     from unnest($3::uuid[], $4::bytea[]) as g (review_id, content_hash)
     join translation_waits w on w.listing_id = $2 and w.review_id = g.review_id
       and w.content_hash = g.content_hash
     join pending p on p.bucket = any($5::smallint[]) and p.id = w.delivery_id
       and p.is_draft and p.due_at > $1
     join deliveries d on d.channel_id = p.channel_id and d.id = p.id and d.bucket = p.bucket
     join channels c on c.id = d.channel_id`,
    [
      query.now,
      query.listingId,
      query.jobs.map(({ reviewId }) => reviewId),
      query.jobs.map(({ contentHash }) => contentHash),
      (await readBuckets(db)).all,
    ],
  );
}

// The listing and the buckets are on different servers.
async function listDraftsOfServers(db: Db, query: DraftQuery): Promise<DraftDelivery[]> {
  const waits = await queryRows<{ contentHash: Buffer; id: string }>(
    db,
    "listTranslationWaits",
    `select w.content_hash as "contentHash", w.delivery_id as id
     from translation_waits w join unnest($2::uuid[], $3::bytea[]) as g (review_id, content_hash)
       on w.review_id = g.review_id and w.content_hash = g.content_hash
     where w.listing_id = $1`,
    [
      query.listingId,
      query.jobs.map(({ reviewId }) => reviewId),
      query.jobs.map(({ contentHash }) => contentHash),
    ],
  );
  const hashOf = new Map(waits.map(({ id, contentHash }) => [id, contentHash]));
  const drafts: DraftDelivery[] = [];
  for (const [bucket, part] of (await readBuckets(db)).group(waits, ({ id }) => id)) {
    const found = await queryRows<Omit<DraftDelivery, "contentHash">>(
      db,
      "listDraftsInBucket",
      `select d.id, d.channel_id as "channelId", d.body, c.translate as "isTranslated"
       from pending p
       join deliveries d on d.bucket = p.bucket and d.channel_id = p.channel_id and d.id = p.id
       join channels c on c.id = d.channel_id
       where p.bucket = $1 and p.id = any($2::uuid[]) and p.is_draft and p.due_at > $3`,
      [bucket, part.map(({ id }) => id), query.now],
    );
    for (const draft of found) {
      const contentHash = hashOf.get(draft.id);
      if (contentHash) drafts.push({ ...draft, contentHash });
    }
  }
  return drafts;
}

/** Gives drafts their final bodies and makes them due. Returns how many were still drafts. */
export async function finishDrafts(
  db: Db,
  finish: { drafts: readonly Pick<DraftDelivery, "id" | "channelId" | "body">[]; now: Date },
): Promise<number> {
  const { now } = finish;
  let count = 0;
  for (const [bucket, drafts] of (await readBuckets(db)).group(
    finish.drafts,
    ({ channelId }) => channelId,
  )) {
    const channelIds = [...new Set(drafts.map(({ channelId }) => channelId))];
    // The queue's rows are locked before those of pending.
    await advanceQueue(
      db,
      channelIds.map((channelId) => ({ channelId, dueAt: now })),
    );
    count += await execute(
      db,
      "finishDrafts",
      `with frozen as (
         update pending p set is_draft = false, due_at = $1
         from unnest($2::uuid[], $3::uuid[]) as g (id, channel_id)
         where p.bucket = $5 and p.channel_id = g.channel_id and p.id = g.id
           and p.is_draft and p.due_at > $1
         returning p.channel_id, p.id
       )
       update deliveries d set body = g.body
       from unnest($2::uuid[], $4::bytea[]) as g (id, body), frozen f
       where f.id = g.id and d.bucket = $5 and d.channel_id = f.channel_id and d.id = g.id`,
      [
        now,
        drafts.map(({ id }) => id),
        drafts.map(({ channelId }) => channelId),
        drafts.map(({ body }) => body),
        bucket,
      ],
    );
  }
  return count;
}

/** How many deliveries wait for a translation right now. */
export async function countDrafts(db: Db, now: Date): Promise<number> {
  const counted = await queryFirstRow<{ count: number }>(
    db,
    "countDrafts",
    "select count(*) from pending where bucket = any($2::smallint[]) and is_draft and due_at > $1",
    [now, (await readBuckets(db)).all],
  );
  return counted?.count ?? 0;
}
