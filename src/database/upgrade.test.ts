// A database of the first schema, with rows of things that have changed since, is brought to the schema of today.
import pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { cloneDatabase, type TestDatabase } from "../../test/support/database.ts";
import { silentLog } from "../lib/log.ts";
import { openDatabase } from "./database.ts";
import { migrate, migrateAsFar } from "./migrate.ts";

const ids = {
  workspace: "00000000-0000-4000-8000-000000000001",
  listing: "00000000-0000-4000-8000-000000000002",
  app: "00000000-0000-4000-8000-000000000003",
  tuned: "00000000-0000-4000-8000-000000000004",
  plain: "00000000-0000-4000-8000-000000000005",
  view: "00000000-0000-4000-8000-000000000006",
  channel: "00000000-0000-4000-8000-000000000007",
};

let cloned: TestDatabase;
let pool: pg.Pool;
beforeAll(async () => {
  cloned = await cloneDatabase();
  pool = new pg.Pool(cloned);
  await pool.query(
    "drop schema public cascade; drop schema starpost_v1 cascade; create schema public",
  );
  const client = await pool.connect();
  await client.query("begin");
  await client.query(
    "create table migrations (number integer primary key, name text not null, digest text not null, applied_at timestamptz not null default now())",
  );
  await migrateAsFar(client, ["001-schema.sql"]);
  await client.query("commit");
  client.release();
});
afterAll(async () => {
  await pool.end();
  await cloned.drop();
});

test("rows of a fine-tuning are analysed again, and what people made has a version", async () => {
  await pool.query(
    `insert into workspaces (id, name, plan, created_at) values ('${ids.workspace}', 'Old', 'studio', now())`,
  );
  await pool.query(
    `insert into listings (id, store, external_app_id, created_at) values ('${ids.listing}', 'appstore', '42', now())`,
  );
  await pool.query(`insert into apps (id, workspace_id, listing_id, name, countries, languages, added_at)
    values ('${ids.app}', '${ids.workspace}', '${ids.listing}', 'Tide', '{us}', '{}', now())`);
  await pool.query(
    `insert into reviews (id, listing_id, store_review_id, author, rating, body, version, country, date, first_seen_at, analysis_version, fine_tuning)
     values ($1, $3, 'r1', 'A', 1, 'Bad', '1', 'us', now(), now(), 7, 3),
            ($2, $3, 'r2', 'A', 1, 'Bad', '1', 'us', now(), now(), 7, null)`,
    [ids.tuned, ids.plain, ids.listing],
  );
  await pool.query(
    "insert into fine_tunings (language, number, weights) values ('en', 3, '\\x00')",
  );
  await pool.query(`insert into saved_views (id, workspace_id, name, query, created_at)
    values ('${ids.view}', '${ids.workspace}', 'Bad', 'rating=1', now())`);
  expect(await migrate(pool)).toEqual(expect.arrayContaining(["002-operations-and-shapes.sql"]));
  const { rows } = await pool.query(
    "select store_review_id as id, analysis_version as version from reviews order by 1",
  );
  expect(rows).toEqual([
    { id: "r1", version: 0 },
    { id: "r2", version: 7 },
  ]);
  const database = await openDatabase({ log: silentLog, connection: cloned });
  const [view] = await database.listSavedViews(ids.workspace);
  expect(view).toMatchObject({ name: "Bad", query: "rating=1", version: 0 });
  expect(await database.findApp({ id: ids.app, workspaceId: ids.workspace })).toMatchObject({
    name: "Tide",
    version: 0,
  });
  await database.close();
});
