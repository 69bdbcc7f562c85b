// Looks through a whole database for a text.
import pg from "pg";
import { expect } from "vitest";

/** Every column of every table that contains the marker, as `table.column`. */
export async function listColumnsWith(connectionString: string, marker: string): Promise<string[]> {
  const client = new pg.Client({ connectionString });
  await client.connect();
  try {
    const { rows: columns } = await client.query(
      `select c.relname as "table", a.attname as "column", a.atttypid = 'bytea'::regtype as "isBytes"
       from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
       where c.relkind in ('r', 'm') and c.relnamespace = 'public'::regnamespace order by 1, 2`,
    );
    expect(columns.length).toBeGreaterThan(200);
    const traces: string[] = [];
    for (const { table, column, isBytes } of columns) {
      const name = `"${column}"`;
      const isIn = isBytes
        ? `position(convert_to($1, 'UTF8') in ${name}) > 0`
        : `position($1 in ${name}::text) > 0`;
      const found = await client.query(`select 1 from "${table}" where ${isIn} limit 1`, [marker]);
      if (found.rows.length > 0) traces.push(`${table}.${column}`);
    }
    return traces;
  } finally {
    await client.end();
  }
}
