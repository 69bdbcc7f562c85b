// The stored reviews of a listing that `needsTranslation` and that no job translates yet.
import sql, { type Sql } from "sql-template-tag";
import { type Db, queryCount, queryRows } from "../../database/query.ts";

type Choice = { listingId: string; reviewId: string | null };

export type UntranslatedReview = {
  id: string;
  rating: number;
  title: string | null;
  text: string;
  language: string;
};

function untranslated({ listingId, reviewId }: Choice): Sql {
  return sql`from reviews r
    where r.listing_id = ${listingId} and (${reviewId}::uuid is null or r.id = ${reviewId})
      and r.translated_text is null and r.body ~ '\\S' and r.language !~* '^(en|und)(-|$)'
      and not exists (select from provider_jobs p where p.listing_id = r.listing_id
        and p.review_id = r.id and p.kind = 'translate')`;
}

/** At most `max`. */
export function countUntranslated(db: Db, choice: Choice & { max: number }): Promise<number> {
  return queryCount(db, "countUntranslated")`select count(*) from (
      select ${untranslated(choice)} limit ${choice.max}
    ) found`;
}

/** Those that follow a review, by their ids. */
export function listUntranslated(
  db: Db,
  page: Choice & { afterId: string | null; limit: number },
): Promise<UntranslatedReview[]> {
  return queryRows(db, "listUntranslated")<UntranslatedReview>`select r.id, r.rating, r.title,
      r.body as text, r.language ${untranslated(page)}
      and (${page.afterId}::uuid is null or r.id > ${page.afterId}) order by r.id limit ${page.limit}`;
}
