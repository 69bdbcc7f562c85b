// The size of each table, on one server or on all of them: the catalogue of a server knows its own tables only.
import sql, { type Sql } from "sql-template-tag";
import type { Db } from "../query.ts";
import { isDistributed } from "./coordinator.ts";

/** With indexes; a partitioned table counts as one. Rows are an estimate of the server. */
export async function writeTableSizes(db: Db): Promise<Sql> {
  return (await isDistributed(db)) ? allTableSizesSql : tableSizesSql;
}

const tableSizesSql = sql`
  select coalesce(p.relname, c.relname)::text as name, sum(pg_total_relation_size(c.oid))::bigint as bytes,
    sum(greatest(c.reltuples, 0))::bigint as rows
  from pg_class c left join pg_inherits i on i.inhrelid = c.oid
    left join pg_class p on p.oid = i.inhparent
  where c.relnamespace = current_schema()::regnamespace and c.relkind = 'r'
  group by 1`;

// On each server, of its shards.
const shardSizesSql = sql`
  select json_agg(t) from (
    select coalesce(p.relname, l.relname)::text as name, o.partmethod = ''n'' as is_copied,
      sum(pg_total_relation_size(c.oid))::bigint as bytes, sum(greatest(c.reltuples, 0))::bigint as rows
    from pg_dist_shard s join pg_dist_partition o on o.logicalrelid = s.logicalrelid
      join pg_class l on l.oid = s.logicalrelid
      left join pg_inherits i on i.inhrelid = l.oid left join pg_class p on p.oid = i.inhparent
      join pg_class c on c.oid = to_regclass(shard_name(s.logicalrelid, s.shardid)) and c.relkind = ''r''
    group by 1, 2
  ) t`;

/** The same over the servers of a Citus. Rows of which each server has a copy count once, their bytes on each. */
const allTableSizesSql = sql`
  select name, sum(bytes)::bigint as bytes,
    (case when bool_or(is_copied) then max(rows) else sum(rows) end)::bigint as rows
  from (
    select name, bytes, rows, false as is_copied from (${tableSizesSql}) l
    union all
    select s.name, s.bytes, s.rows, s.is_copied
    from run_command_on_all_nodes('${shardSizesSql}') n
    cross join lateral json_to_recordset(nullif(n.result, '')::json)
      s (name text, bytes bigint, rows bigint, is_copied boolean)
  ) t
  group by name`;
