// Encrypted secrets of all owners, and the ids of the keys that they are encrypted with.
import { keyIdOf } from "../../lib/secret-box.ts";
import { type Db, execute, queryRows } from "../query.ts";

const tables = {
  channel: "channels",
  // The secrets before the last rotation and after the next one; the id is the channel's.
  channelBefore: "channel_old_secrets",
  channelNext: "channel_next_secrets",
  credential: "credentials",
  // The id is the user's.
  secondFactor: "second_factors",
} as const;

/** A kind of row that has an encrypted secret. */
export type SecretOwner = keyof typeof tables;
export const secretOwners = Object.keys(tables) as SecretOwner[];

/** One batch in the order of their ids; start with null. */
export function listEncryptedSecrets(
  db: Db,
  batch: { owner: SecretOwner; afterId: string | null; limit: number },
): Promise<{ id: string; encryptedSecret: Buffer }[]> {
  return queryRows(
    db,
    `listEncryptedSecrets.${batch.owner}`,
    `select id, encrypted_secret as "encryptedSecret" from ${tables[batch.owner]}
     where $1::uuid is null or id > $1 order by id limit $2`,
    [batch.afterId, batch.limit],
  );
}

/** Replaces secrets that are still as they were; returns how many. */
export function replaceEncryptedSecrets(
  db: Db,
  replacement: {
    owner: SecretOwner;
    changes: readonly { id: string; before: Buffer; after: Buffer }[];
  },
): Promise<number> {
  const { owner, changes } = replacement;
  return execute(
    db,
    `replaceEncryptedSecrets.${owner}`,
    `with ${registerKeysSql("$4")}
     update ${tables[owner]} s set encrypted_secret = c.after, key_id = c.key_id
     from unnest($1::uuid[], $2::bytea[], $3::bytea[], $4::text[]) c (id, before, after, key_id)
     where s.id = c.id and s.encrypted_secret = c.before`,
    [
      changes.map(({ id }) => id),
      changes.map(({ before }) => before),
      changes.map(({ after }) => after),
      changes.map(({ after }) => keyIdOf(after)),
    ],
  );
}

// Which keys the secrets of this database are encrypted with, by their ids. A process that lacks one of them
// has the wrong settings, and must not encrypt with a key of its own.

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
       ${Object.values(tables)
         .map((table) => `and not exists (select from ${table} where key_id = k.id)`)
         .join(" ")}`,
    [ids],
  );
  const left = await listEncryptionKeys(db);
  return left.filter((id) => ids.includes(id));
}

// A statement that writes an encrypted secret registers its key in the same statement, so that no key is
// ever in use without being known.

/** A CTE that registers the keys whose ids are a text array parameter: "$2". */
export function registerKeysSql(keyIds: string): string {
  return `registered as (
      insert into encryption_keys (id, added_at) select distinct unnest(${keyIds}::text[]), now()
      on conflict do nothing
    )`;
}
