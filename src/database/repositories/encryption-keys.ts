// Which keys the secrets of this database are encrypted with, by their ids. A process that lacks one of them
// has the wrong settings, and must not encrypt with a key of its own.
import { type Db, queryRows } from "../query.ts";

/** Ids, the oldest first; they reveal nothing of the keys. */
export async function listEncryptionKeys(db: Db): Promise<string[]> {
  const found = await queryRows<{ id: string }>(
    db,
    "listEncryptionKeys",
    "select id from encryption_keys order by added_at, id",
  );
  return found.map(({ id }) => id);
}

/** Until the transaction ends, no other process writes an encrypted secret or chooses keys. */
export async function lockEncryptionKeys(db: Db): Promise<void> {
  await queryRows(db, "lockEncryptionKeys", "lock table encryption_keys in exclusive mode");
}

export async function registerEncryptionKey(db: Db, key: { id: string; now: Date }): Promise<void> {
  await queryRows(
    db,
    "registerEncryptionKey",
    "insert into encryption_keys (id, added_at) values ($1, $2) on conflict do nothing",
    [key.id, key.now],
  );
}

/** Deletes those of these keys that no secret is encrypted with, and returns the others. */
export async function deleteUnusedEncryptionKeys(
  db: Db,
  ids: readonly string[],
): Promise<string[]> {
  await queryRows(
    db,
    "deleteUnusedEncryptionKeys",
    `delete from encryption_keys k where id = any($1::text[])
       and not exists (select from channels where key_id = k.id)
       and not exists (select from channel_old_secrets where key_id = k.id)
       and not exists (select from credentials where key_id = k.id)
       and not exists (select from second_factors where key_id = k.id)`,
    [ids],
  );
  const left = await listEncryptionKeys(db);
  return left.filter((id) => ids.includes(id));
}
