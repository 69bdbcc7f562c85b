// What is kept sealed, whatever it belongs to: read and replaced in batches when the key ring changes.
import { changeCount, type Db, rows } from "../db.ts";

/** What has a secret of its own. */
export type SecretHolder = "channel" | "channelBefore" | "credential";

const tables: Readonly<Record<SecretHolder, string>> = {
  channel: "channels",
  channelBefore: "channel_old_secrets",
  credential: "credentials",
};

/** One batch in the order of their ids; start with null. */
export function listSealedSecrets(
  db: Db,
  batch: { holder: SecretHolder; afterId: string | null; limit: number },
): Promise<{ id: string; sealedSecret: Buffer }[]> {
  return rows(
    db,
    `listSealedSecrets.${batch.holder}`,
    `select id, sealed_secret as "sealedSecret" from ${tables[batch.holder]}
     where $1::uuid is null or id > $1 order by id limit $2`,
    [batch.afterId, batch.limit],
  );
}

/** Puts secrets in the place of others that are still as they were; returns how many. */
export function replaceSealedSecrets(
  db: Db,
  wanted: {
    holder: SecretHolder;
    changes: readonly { id: string; before: Buffer; after: Buffer }[];
  },
): Promise<number> {
  return changeCount(
    db,
    `replaceSealedSecrets.${wanted.holder}`,
    `update ${tables[wanted.holder]} s set sealed_secret = g.after
     from unnest($1::uuid[], $2::bytea[], $3::bytea[]) g (id, before, after)
     where s.id = g.id and s.sealed_secret = g.before`,
    [
      wanted.changes.map(({ id }) => id),
      wanted.changes.map(({ before }) => before),
      wanted.changes.map(({ after }) => after),
    ],
  );
}
