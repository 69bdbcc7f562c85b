// Which keys this database's secrets are sealed with, by their ids, which tell nothing of the keys. A
// process that lacks one of them is at the wrong place, and must not seal with a key of its own.
import { type Db, rows } from "../db.ts";

/** Ids, the oldest first. */
export async function listEncryptionKeys(db: Db): Promise<string[]> {
  const found = await rows<{ id: string }>(
    db,
    "listEncryptionKeys",
    "select id from encryption_keys order by added_at, id",
  );
  return found.map(({ id }) => id);
}

/** One process at a time chooses the keys. Until the transaction ends nobody else seals or chooses. */
export async function lockEncryptionKeys(db: Db): Promise<void> {
  await rows(db, "lockEncryptionKeys", "lock table encryption_keys in exclusive mode");
}

export async function addEncryptionKey(db: Db, key: { id: string; now: Date }): Promise<void> {
  await rows(
    db,
    "addEncryptionKey",
    "insert into encryption_keys (id, added_at) values ($1, $2) on conflict do nothing",
    [key.id, key.now],
  );
}

/** Forgets those of these keys that nothing is sealed with, and returns the others. */
export async function forgetUnusedKeys(db: Db, ids: readonly string[]): Promise<string[]> {
  await rows(
    db,
    "forgetUnusedKeys",
    `delete from encryption_keys k where id = any($1::text[])
       and not exists (select from channels where sealing_key(sealed_secret) = k.id)
       and not exists (select from channel_old_secrets where sealing_key(sealed_secret) = k.id)
       and not exists (select from credentials where sealing_key(sealed_secret) = k.id)`,
    [ids],
  );
  const left = await listEncryptionKeys(db);
  return left.filter((id) => ids.includes(id));
}
