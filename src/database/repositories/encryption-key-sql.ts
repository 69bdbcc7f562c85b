// A statement that writes an encrypted secret registers its key in the same statement, so that no key is
// ever in use without being known.

/** A CTE that registers the keys whose ids are a text array parameter: "$2". */
export function registerKeysSql(keyIds: string): string {
  return `registered as (
      insert into encryption_keys (id, added_at) select distinct unnest(${keyIds}::text[]), now()
      on conflict do nothing
    )`;
}
