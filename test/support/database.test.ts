import pg from "pg";
import { expect, test } from "vitest";
import { isMigrated } from "../../src/database/migrate.ts";
import { cloneDatabase } from "./database.ts";

test("a clone is migrated, apart from other clones, and gone after its drop", async () => {
  const [one, other] = await Promise.all([cloneDatabase(), cloneDatabase()]);
  const pool = new pg.Pool({ connectionString: one.connectionString });
  expect(await isMigrated(pool)).toBe(true);
  await pool.query("create table mine ()");
  await pool.end();

  const otherPool = new pg.Pool({ connectionString: other.connectionString });
  const { rows } = await otherPool.query("select to_regclass('mine') as mine");
  expect(rows).toEqual([{ mine: null }]);
  await otherPool.end();

  await Promise.all([one.drop(), other.drop()]);
  const gone = new pg.Client({ connectionString: one.connectionString });
  await expect(gone.connect()).rejects.toMatchObject({ code: "3D000" });
});
