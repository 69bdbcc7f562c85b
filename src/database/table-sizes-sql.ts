// What each table holds, for what shows it and what writes it down.

/** With indexes; a partitioned table counts as one. Rows are an estimate of the server. */
export const tableSizesSql = `
  select coalesce(p.relname, c.relname)::text as name, sum(pg_total_relation_size(c.oid))::bigint as bytes,
    sum(greatest(c.reltuples, 0))::bigint as rows
  from pg_class c left join pg_inherits i on i.inhrelid = c.oid
    left join pg_class p on p.oid = i.inhparent
  where c.relnamespace = current_schema()::regnamespace and c.relkind = 'r'
  group by 1`;
