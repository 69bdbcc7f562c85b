// Encrypted secrets of all owners, and the ids of the keys that they are encrypted with.
import sql, { join, raw, type Sql } from "sql-template-tag";
import { keyIdOf } from "../../lib/secret-box.ts";
import { type Db, execute, queryRows, queryValues } from "../query.ts";
import { unnest } from "../sql.ts";

const tables = {
  channel: "channels",
  // The secrets before the last rotation and after the next one; the id is the channel's.
  channelBefore: "channel_old_secrets",
  channelNext: "channel_next_secrets",
  credential: "credentials",
  // The id is the user's.
  secondFactor: "second_factors",
} as const;

const tableOf = (owner: SecretOwner): Sql => raw(tables[owner]);

/** A kind of row that has an encrypted secret. */
export type SecretOwner = keyof typeof tables;
export const secretOwners = Object.keys(tables) as SecretOwner[];

/** One batch in the order of their ids; start with null. */
export function listEncryptedSecrets(
  db: Db,
  batch: { owner: SecretOwner; afterId: string | null; limit: number },
): Promise<{ id: string; encryptedSecret: Buffer }[]> {
  return queryRows(db, `listEncryptedSecrets.${batch.owner}`)`
    select id, encrypted_secret as "encryptedSecret" from ${tableOf(batch.owner)}
    where ${batch.afterId}::uuid is null or id > ${batch.afterId} order by id limit ${batch.limit}`;
}

/** Replaces secrets that are still as they were; returns how many. */
export async function replaceEncryptedSecrets(
  db: Db,
  replacement: {
    owner: SecretOwner;
    changes: readonly { id: string; before: Buffer; after: Buffer }[];
  },
): Promise<number> {
  const { owner, changes } = replacement;
  const changed = unnest("c", changes, {
    id: ["uuid", ({ id }) => id],
    before: ["bytea", ({ before }) => before],
    after: ["bytea", ({ after }) => after],
    key_id: ["text", ({ after }) => keyIdOf(after)],
  });
  await registerKeys(
    db,
    changes.map(({ after }) => keyIdOf(after)),
  );
  return execute(db, `replaceEncryptedSecrets.${owner}`)`
    update ${tableOf(owner)} s set encrypted_secret = c.after, key_id = c.key_id
    from ${changed} where s.id = c.id and s.encrypted_secret = c.before`;
}

// Which keys the secrets of this database are encrypted with, by their ids. A process that lacks one of them
// has the wrong settings, and must not encrypt with a key of its own.

/** Ids, the oldest first; they reveal nothing of the keys. */
export function listEncryptionKeys(db: Db): Promise<string[]> {
  return queryValues(db, "listEncryptionKeys")<string>`select id from encryption_keys
    order by added_at, id`;
}

/** Until the transaction ends, no other process writes an encrypted secret or chooses keys. */
export async function lockEncryptionKeys(db: Db): Promise<void> {
  await queryRows(db, "lockEncryptionKeys")`lock table encryption_keys in exclusive mode`;
}

export async function registerEncryptionKey(db: Db, key: { id: string; now: Date }): Promise<void> {
  await queryRows(db, "registerEncryptionKey")`insert into encryption_keys (id, added_at)
    values (${key.id}, ${key.now}) on conflict do nothing`;
}

/** Deletes those of these keys that no secret is encrypted with, and returns the others. */
export async function deleteUnusedEncryptionKeys(
  db: Db,
  ids: readonly string[],
): Promise<string[]> {
  const uses = secretOwners.map((owner) => sql`select key_id from ${tableOf(owner)}`);
  await queryRows(db, "deleteUnusedEncryptionKeys")`delete from encryption_keys k
    where id = any(${ids}::text[])
    and not exists (select from (${join(uses, " union all ")}) used where used.key_id = k.id)`;
  const left = await listEncryptionKeys(db);
  return left.filter((id) => ids.includes(id));
}

/** Comes before a statement that writes encrypted secrets, so that no key is ever in use without being known. */
export async function registerKeys(db: Db, keyIds: readonly string[]): Promise<void> {
  await queryRows(db, "registerKeys")`insert into encryption_keys (id, added_at)
    select distinct unnest(${keyIds}::text[]), now()
    on conflict do nothing`;
}
