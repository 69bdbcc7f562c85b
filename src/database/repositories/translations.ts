// Translations: what providers sold, on the reviews that they are of, and which deliveries wait for one.
import type { Translation } from "../../domain/review.ts";
import { distributed } from "../distributed-sql.ts";
import { type Db, queryFirstRow, queryRows } from "../query.ts";
import { raiseListingVersion } from "./listings.ts";

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

export type TranslationWait = {
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
