// The search index: parts of words of reviews, three letters each, for installations that asked for it. What it is made
// of, and what statements say so that it answers them.

/** Without the index it means the same, and is slow. */
export function mayHaveAny(review: string, patterns: string): string {
  return `${searchedText(`${review}.`)} ilike any(${patterns})`;
}

export function hasAll(review: string, patterns: string): string {
  return `${searchedText(`${review}.`)} ilike all(${patterns})`;
}

/**
 * All texts that a search looks at, as one. What occurs in one of them occurs in this; the other way round it need not,
 * where a pattern begins in one text and ends in the next.
 */
function searchedText(prefix: string): string {
  const others = ["title", "author", "translated_text"];
  const texts = others.map((name) => ` || E'\\n' || coalesce(${prefix}${name}, '')`);
  return `(${prefix}body${texts.join("")})`;
}

/** A part of the table has an index of its own. */
export const indexNameOf = (table: string): string => `${table}_search`;

/**
 * What is in it must be found at once: entries that wait for being sorted in are read by every search, once for each app.
 *
 * @param table `reviews` or a part of it
 */
export function writeSearchIndex(table: string): string {
  return `create index concurrently ${indexNameOf(table)} on ${table}
    using gin (listing_id, ${searchedText("")} gin_trgm_ops) with (fastupdate = off)`;
}

/** Of `reviews`, or of each part that holds its rows: `name`, its `index_id`, null where there is none, and `is_ready`. */
export const searchIndexes = `select c.relname::text as name, i.indexrelid as index_id,
    coalesce(i.indisvalid and i.indisready, false) as is_ready
  from pg_class c
  left join pg_class n on n.relnamespace = c.relnamespace and n.relname = c.relname || '${indexNameOf("")}'
  left join pg_index i on i.indexrelid = n.oid and i.indrelid = c.oid
  where c.relkind = 'r' and c.oid in (
    select to_regclass('reviews') union all select relid from pg_partition_tree(to_regclass('reviews')))`;
