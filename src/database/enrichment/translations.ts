// Translations that providers sold, and the deliveries that wait for one.
import sql from "sql-template-tag";
import type { Translation } from "../../domain/review/review.ts";
import { constantKey } from "../cluster/coordinator.ts";
import { raiseListingVersion } from "../collecting/listings.ts";
import { advanceQueue } from "../delivery/enqueue.ts";
import { type Db, execute, queryCount, queryRows } from "../query.ts";
import { parameter, unnest } from "../sql.ts";

/** Translations by this provider; the text is null where it could not translate. */
export function loadTranslations(
  db: Db,
  query: { provider: string; contentHashes: readonly Buffer[]; impossibleSince: Date },
): Promise<{ contentHash: Buffer; text: string | null }[]> {
  return queryRows(db, "loadTranslations")`select content_hash as "contentHash",
    translated_text as text from translations
    where content_hash = any(${query.contentHashes}::bytea[]) and provider = ${query.provider}
      and (translated_text is not null or saved_at >= ${query.impossibleSince})`;
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
  const rows = unnest("t", distinct, {
    content_hash: ["bytea", ({ contentHash }) => contentHash],
    translated_text: ["text", ({ text }) => text],
    source: ["text", ({ source }) => source],
  });
  await queryRows(db, "saveTranslations")`insert into translations (content_hash, text_hash,
      provider, translated_text, saved_at)
    select t.content_hash, sha256(convert_to(t.source, 'UTF8')), ${save.provider}, t.translated_text,
      ${save.now}
    from ${rows}
    on conflict (content_hash, provider) do update set
      translated_text = excluded.translated_text, saved_at = excluded.saved_at`;
}

/** In every language. Reviews with the same text keep their translation and are paid for again when it changes. */
export async function deleteTranslationsOfTexts(db: Db, texts: readonly string[]): Promise<void> {
  await queryRows(db, "deleteTranslationsOfTexts")`delete from translations
    where text_hash in (select sha256(convert_to(text, 'UTF8')) from unnest(${texts}::text[]) text)`;
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
  const { translated } = set;
  if (translated.length === 0) return 0;
  const listingId = parameter(set.listingId);
  const { changedAt } = await raiseListingVersion(db, set);
  const rows = unnest("u", translated, {
    review_id: ["uuid", ({ reviewId }) => reviewId],
    source: ["text", ({ source }) => source],
    translated_text: ["text", ({ translation }) => translation.text],
    translated_from: ["text", ({ translation }) => translation.from],
  });
  const isConstant = await constantKey(db, sql`r.listing_id = ${listingId}`);
  // Planned each time, and with the listing in a row, like `reviewsByIds`.
  return queryCount(db, "")`with changed as (
      update reviews r set translated_text = t.translated_text, translated_from = t.translated_from,
        changed_at = ${changedAt}::timestamptz
      from (
        select ${listingId}::uuid as listing_id, * from ${rows} offset 0
      ) t
      where r.listing_id = t.listing_id and r.id = t.review_id and r.body = t.source ${isConstant}
      returning r.id
    )
    select count(*) from changed`;
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
  const rows = unnest("given", waits, {
    listing_id: ["uuid", ({ listingId }) => listingId],
    review_id: ["uuid", ({ reviewId }) => reviewId],
    content_hash: ["bytea", ({ contentHash }) => contentHash],
    delivery_id: ["uuid", ({ deliveryId }) => deliveryId],
  });
  await queryRows(db, "insertTranslationWaits")`insert into translation_waits (listing_id,
    review_id, content_hash, delivery_id) select * from ${rows}`;
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

/** Drafts that wait for these jobs of one listing. */
export function listDrafts(db: Db, query: DraftQuery): Promise<DraftDelivery[]> {
  const jobs = unnest("g", query.jobs, {
    review_id: ["uuid", ({ reviewId }) => reviewId],
    content_hash: ["bytea", ({ contentHash }) => contentHash],
  });
  return queryRows(db, "listDrafts")`with waits as materialized (
      select w.content_hash, w.delivery_id from translation_waits w
      join ${jobs} on w.review_id = g.review_id and w.content_hash = g.content_hash
      where w.listing_id = ${query.listingId}
    )
    select w.content_hash as "contentHash", d.id, d.channel_id as "channelId", d.body, c.translate as "isTranslated"
    from waits w join pending p on p.id = w.delivery_id and p.is_draft and p.due_at > ${query.now}
    join deliveries d on d.channel_id = p.channel_id and d.id = p.id
    join channels c on c.id = d.channel_id`;
}

/** Gives drafts their final bodies and makes them due. Returns how many were still drafts. */
export async function finishDrafts(
  db: Db,
  finish: { drafts: readonly Pick<DraftDelivery, "id" | "channelId" | "body">[]; now: Date },
): Promise<number> {
  const { drafts, now } = finish;
  if (drafts.length === 0) return 0;
  const channelIds = new Set(drafts.map(({ channelId }) => channelId));
  const due = [...channelIds].map((channelId) => ({ channelId, dueAt: now }));
  // The queue's rows are locked before those of pending.
  await advanceQueue(db, due);
  const finished = unnest("g", drafts, {
    id: ["uuid", ({ id }) => id],
    channel_id: ["uuid", ({ channelId }) => channelId],
    body: ["bytea", ({ body }) => body],
  });
  return execute(db, "finishDrafts")`with frozen as (
      update pending p set is_draft = false, due_at = ${now} from ${finished}
      where p.channel_id = g.channel_id and p.id = g.id and p.is_draft and p.due_at > ${now}
      returning p.id, g.body
    )
    update deliveries d set body = f.body from frozen f where d.id = f.id`;
}

/** How many deliveries wait for a translation right now. */
export async function countDrafts(db: Db, now: Date): Promise<number> {
  return queryCount(db, "countDrafts")`select count(*) from pending
    where is_draft and due_at > ${now}`;
}
