// Encrypted secrets, whatever they belong to: read and replaced in batches when the encryption key changes.
import { keyIdOf } from "../../lib/secret-box.ts";
import { type Db, execute, queryRows } from "../query.ts";
import { registerKeysSql } from "./encryption-key-sql.ts";

/** What has a secret of its own. */
export type SecretOwner = "channel" | "channelBefore" | "credential" | "secondFactor";

const tables: Readonly<Record<SecretOwner, string>> = {
  channel: "channels",
  // The secret before the last rotation; the id is the channel's.
  channelBefore: "channel_old_secrets",
  credential: "credentials",
  // The id is the user's.
  secondFactor: "second_factors",
};

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
