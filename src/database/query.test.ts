import { expect, test, vi } from "vitest";
import { type Db, queryRows } from "./query.ts";

test("a database that is away is unavailable", async () => {
  const refused = Object.assign(new Error("connect ECONNREFUSED"), { code: "ECONNREFUSED" });
  const db = { query: vi.fn().mockRejectedValue(refused) } as unknown as Db;
  await expect(queryRows(db, "one")`select 1`).rejects.toMatchObject({ code: "unavailable" });
});
