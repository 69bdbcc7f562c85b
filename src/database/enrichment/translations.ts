// Translations that providers sold, and the deliveries that wait for one.
import type { Translation } from "../../domain/review.ts";
import { distributed } from "../cluster/distributed-sql.ts";
import { raiseListingVersion } from "../collecting/listings.ts";
import { readBuckets } from "../delivery/buckets.ts";
import { advanceQueue } from "../delivery/enqueue.ts";
import { type Db, execute, queryFirstRow, queryRows } from "../query.ts";

/** Translations by this provider; the text is null where it could not translate. */
export function loadTranslations(
  db: Db,
  query: { provider: string; contentHashes: readonly Buffer[]; impossibleSince: Date },
): Promise<{ contentHash: Buffer; text: string | null }[]> {
  return queryRows(
    db,
    "loadTranslations",
    `select content_hash as "contentHash", translated_text as text from translations
     where content_hash = any($2::bytea[]) and provider = $1
       and (translated_text is not null or saved_at >= $3)`,
    [query.provider, query.contentHashes, query.impossibleSince],
  );
}

export async function saveTranslations(
  db: Db,
  save: {
    provider: string;
    /** `source` is the text that was translated. */
    translations: readonly { contentHash: Buffer; source: string; text: string | null }[];
    now: Date;
  },
): Promise<void> {
  // Two reviews of a batch can have the same text; one statement can't touch a row twice.
  const { translations } = save;
  const byHash = new Map(translations.map((one) => [one.contentHash.toString("hex"), one]));
  const distinct = [...byHash.keys()].sort().flatMap((key) => byHash.get(key) ?? []);
  if (distinct.length === 0) return;
  await queryRows(
    db,
    "saveTranslations",
    `insert into translations (content_hash, text_hash, provider, translated_text, saved_at)
     select t.content_hash, sha256(convert_to(t.source, 'UTF8')), $1, t.translated_text, $4
     from unnest($2::bytea[], $3::text[], $5::text[]) as t (content_hash, translated_text, source)
     on conflict (content_hash, provider) do update set
       translated_text = excluded.translated_text, saved_at = excluded.saved_at`,
    [
      save.provider,
      distinct.map(({ contentHash }) => contentHash),
      distinct.map(({ text }) => text),
      save.now,
      distinct.map(({ source }) => source),
    ],
  );
}

/** In every language. Reviews with the same text keep their translation and are paid for again when it changes. */
export async function deleteTranslationsOfTexts(db: Db, texts: readonly string[]): Promise<void> {
  await queryRows(
    db,
    "deleteTranslationsOfTexts",
    `delete from translations
     where text_hash in (select sha256(convert_to(text, 'UTF8')) from unnest($1::text[]) text)`,
    [texts],
  );
}

/**
 * Saves translations of the reviews whose text is still the same. Lock the listing first: an ingest writes
 * whole reviews and would overwrite the translation with what it had read before.
 */
export async function setTranslations(
  db: Db,
  set: {
    listingId: string;
    translated: readonly { reviewId: string; source: string; translation: Translation }[];
  },
): Promise<number> {
  const { listingId, translated } = set;
  if (translated.length === 0) return 0;
  const { changedAt } = await raiseListingVersion(db, { listingId });
  const changed = await queryFirstRow<{ count: number }>(
    db,
    // Planned each time, and with the listing in a row, like `reviewsByIds`.
    "",
    `${distributed}with changed as (
       update reviews r set translated_text = t.translated_text, translated_from = t.translated_from,
         changed_at = $6::timestamptz
       from (
         select $1::uuid as listing_id, *
         from unnest($2::uuid[], $3::text[], $4::text[], $5::text[])
           as u (review_id, source, translated_text, translated_from) offset 0
       ) t
       where r.listing_id = t.listing_id and r.id = t.review_id and r.body = t.source
         /*distributed and r.listing_id = $1 */
       returning r.id
     )
     select count(*) from changed`,
    [
      listingId,
      translated.map(({ reviewId }) => reviewId),
      translated.map(({ source }) => source),
      translated.map(({ translation }) => translation.text),
      translated.map(({ translation }) => translation.from),
      changedAt,
    ],
  );
  return changed?.count ?? 0;
}

type TranslationWait = {
  listingId: string;
  reviewId: string;
  contentHash: Buffer;
  deliveryId: string;
};

export async function insertTranslationWaits(
  db: Db,
  waits: readonly TranslationWait[],
): Promise<void> {
  if (waits.length === 0) return;
  await queryRows(
    db,
    "insertTranslationWaits",
    `insert into translation_waits (listing_id, review_id, content_hash, delivery_id)
     select * from unnest($1::uuid[], $2::uuid[], $3::bytea[], $4::uuid[])`,
    [
      waits.map((wait) => wait.listingId),
      waits.map((wait) => wait.reviewId),
      waits.map((wait) => wait.contentHash),
      waits.map((wait) => wait.deliveryId),
    ],
  );
}

// Deliveries that wait for a translation. The body of a delivery is a draft until it is finished here or comes due;
// afterwards it never changes.

type DraftDelivery = {
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

/** Drafts that wait for these jobs of one listing. Two steps, because the listing and the buckets are on different servers. */
export async function listDrafts(db: Db, query: DraftQuery): Promise<DraftDelivery[]> {
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
