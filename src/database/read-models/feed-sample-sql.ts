// Counts over all feeds: of very many some of the table's pages are read, as many as hold so many feeds, and what they
// say is multiplied. Of fewer all are read, and the counts are exact.

export const countedFeedsMax = 100_000;

/** A common table expression with the part that is read; `max` is an expression. */
export const writeFeedShare = (max: string): string => `share as materialized (
      select least(1, ${max}::float8 / greatest(1, reltuples)) as share from pg_class where oid = 'feeds'::regclass
    )`;

export const someFeeds = "feeds f tablesample system (100 * (select share from share))";

/** Of all feeds, from a count or sum of some. */
export const ofAllFeeds = (counted: string): string =>
  `round(${counted} / (select share from share))::bigint`;
