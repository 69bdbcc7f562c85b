import sql from "sql-template-tag";
import { expect, test, vi } from "vitest";
import { distributed } from "./cluster/distributed-sql.ts";
import { type Db, queryRows } from "./query.ts";

test("a database that is away is unavailable, also for the first query about its distribution", async () => {
  const refused = Object.assign(new Error("connect ECONNREFUSED"), { code: "ECONNREFUSED" });
  const db = { query: vi.fn().mockRejectedValue(refused) } as unknown as Db;
  for (const statement of [sql`select 1`, sql`${distributed}select 1`]) {
    await expect(queryRows(db, "one", statement)).rejects.toMatchObject({ code: "unavailable" });
  }
});
