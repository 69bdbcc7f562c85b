// Takes the foreign keys away while rows are restored in any order, and checks all of them at once when they
// come back.
import type { Db } from "../query.ts";
import { quoteName } from "./catalog.ts";

type ForeignKey = { table: string; name: string; definition: string };

/** Within a transaction. Returns what brings them back, which fails for rows that break one. */
export async function suspendForeignKeys(db: Db): Promise<() => Promise<void>> {
  // Those of partitions follow those of the table that they are a part of.
  const { rows: keys } = await db.query<ForeignKey>(
    `select c.relname as table, f.conname as name, pg_get_constraintdef(f.oid) as definition
     from pg_constraint f join pg_class c on c.oid = f.conrelid
     where f.contype = 'f' and f.conparentid = 0 and c.relnamespace = current_schema()::regnamespace`,
  );
  for (const { table, name } of keys) {
    await db.query(`alter table ${quoteName(table)} drop constraint ${quoteName(name)}`);
  }
  return async () => {
    for (const { table, name, definition } of keys) {
      await db.query(
        `alter table ${quoteName(table)} add constraint ${quoteName(name)} ${definition}`,
      );
    }
  };
}
