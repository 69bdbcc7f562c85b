// What a backup holds of the catalog: tables with their columns, partitions and sequences. The schema itself
// is made by migrations, so nothing here depends on what the tables are for.
import pg from "pg";
import { z } from "zod";
import type { Db } from "../query.ts";

/** What a partition holds, as PostgreSQL writes it: checked, because it becomes a part of a statement. */
const literal = String.raw`(?:'[^'\\]*'|-?\d+|MINVALUE|MAXVALUE|NULL)`;
const literals = String.raw`\(${literal}(?:, ${literal})*\)`;
const boundPattern = new RegExp(
  String.raw`^(?:DEFAULT|FOR VALUES (?:FROM ${literals} TO ${literals}|IN ${literals}|WITH \(modulus \d+, remainder \d+\)))$`,
);

const name = z.string().min(1).max(63);
export const catalogSchema = z.object({
  /** Tables that hold rows: partitions instead of the tables that they are a part of. */
  tables: z.array(z.object({ name, columns: z.array(name).min(1) })),
  partitions: z.array(z.object({ name, parent: name, bound: z.string().regex(boundPattern) })),
  sequences: z.array(z.object({ name, lastValue: z.string().regex(/^-?\d+$/) })),
});
export type Catalog = z.infer<typeof catalogSchema>;

/** The names of all tables with rows, without the list of migrations: that is in the manifest. */
export async function listTableNames(db: Db): Promise<string[]> {
  const { rows } = await db.query<{ name: string }>(
    `select relname as name from pg_class
     where relnamespace = current_schema()::regnamespace and relkind in ('r', 'p')
       and relname <> 'migrations' order by 1`,
  );
  return rows.map((row) => row.name);
}

export async function readCatalog(db: Db): Promise<Catalog> {
  const tables = await db.query<Catalog["tables"][number]>(
    `select c.relname as name, array_agg(a.attname::text order by a.attnum) as columns
     from pg_class c join pg_attribute a on a.attrelid = c.oid
     where c.relnamespace = current_schema()::regnamespace and c.relkind = 'r'
       and c.relname <> 'migrations'
       and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
     group by c.relname order by 1`,
  );
  const partitions = await db.query<Catalog["partitions"][number]>(
    `select c.relname as name, p.relname as parent, pg_get_expr(c.relpartbound, c.oid) as bound
     from pg_class c join pg_inherits i on i.inhrelid = c.oid join pg_class p on p.oid = i.inhparent
     where c.relnamespace = current_schema()::regnamespace and c.relispartition and c.relkind = 'r'
     order by 1`,
  );
  const sequences = await db.query<Catalog["sequences"][number]>(
    `select sequencename as name, last_value::text as "lastValue" from pg_sequences
     where schemaname = current_schema() and last_value is not null order by 1`,
  );
  // A partition that is partitioned again would be missing here: no migration makes one.
  return catalogSchema.parse({
    tables: tables.rows,
    partitions: partitions.rows,
    sequences: sequences.rows,
  });
}

export async function readServerVersion(db: Db): Promise<string> {
  const { rows } = await db.query<{ version: string }>(
    "select current_setting('server_version') as version",
  );
  return rows[0]?.version ?? "";
}

export const quoteName: (name: string) => string = pg.escapeIdentifier;

/** As in `copy`: the table and its columns. */
export function copyTarget(table: Catalog["tables"][number]): string {
  return `${quoteName(table.name)} (${table.columns.map(quoteName).join(", ")})`;
}
