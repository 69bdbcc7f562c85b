// The schema after all migrations, compared with its dump in test/fixtures/schema.txt: a change of the schema is seen in review as what
// it does to tables, whatever file it comes from. `npm run generate` writes it.
import fs from "node:fs";
import pg from "pg";
import { expect, test } from "vitest";
import { cloneDatabase } from "../../test/support/database.ts";

const file = new URL("../../test/fixtures/schema.txt", import.meta.url);

test("the migrations make the schema of the dump (npm run generate writes it)", async () => {
  const { connectionString, drop } = await cloneDatabase();
  const client = new pg.Client(connectionString);
  await client.connect();
  const schema = await dumpSchema(client);
  await client.end();
  await drop();
  if (process.env["UPDATE_DOCS"] !== undefined) fs.writeFileSync(file, schema);
  expect(schema).toBe(fs.readFileSync(file, "utf8"));
});

/** Columns, constraints and indexes by table, without the days into which deliveries are divided. */
async function dumpSchema(client: pg.Client): Promise<string> {
  const { rows } = await client.query<{ owner: string; lines: string[] }>(
    `with tables as (
       select oid, relname from pg_class where relnamespace = 'public'::regnamespace
         and relkind in ('r', 'p', 'v') and not relispartition
     ), lines as (
       select relname as owner, 1 as kind, concat_ws(' ', attname, format_type(atttypid, atttypmod),
         case when attnotnull then 'not null' end, nullif('= ' || pg_get_expr(d.adbin, d.adrelid), '= ')) as line
       from tables t join pg_attribute a on a.attrelid = t.oid and attnum > 0 and not attisdropped
       left join pg_attrdef d on d.adrelid = t.oid and d.adnum = attnum
       union all
       select relname, 2, pg_get_constraintdef(c.oid) from tables t join pg_constraint c on c.conrelid = t.oid
       where c.contype <> 'n'
       union all
       select relname, 3, regexp_replace(pg_get_indexdef(i.indexrelid), '^CREATE ', '')
       from tables t join pg_index i on i.indrelid = t.oid
     )
     select owner, array_agg(line order by kind, line) as lines from lines group by owner order by owner`,
  );
  return rows
    .map(({ owner, lines }) => `${owner}\n${lines.map((line) => `  ${line}\n`).join("")}`)
    .join("\n");
}
