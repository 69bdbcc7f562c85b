// The signing secrets of channels, sealed: the one in use, and the one before the last rotation for as long as
// its signature is sent beside the new one.
import { keyIdOf } from "../../lib/secret-box.ts";
import { type Db, execute, queryFirstRow, queryRows } from "../query.ts";
import { registerKeysSql } from "./encryption-key-sql.ts";

export function findChannelSecret(db: Db, id: string): Promise<{ encryptedSecret: Buffer } | null> {
  return queryFirstRow(
    db,
    "findChannelSecret",
    `select encrypted_secret as "encryptedSecret" from channels where id = $1`,
    [id],
  );
}

/** Replaces the secret; with `oldEndsAt` the one so far goes on signing beside it until then. */
export async function setChannelSecret(
  db: Db,
  change: { id: string; encryptedSecret: Buffer; oldEndsAt?: Date | null },
): Promise<boolean> {
  const changed = await execute(
    db,
    "setChannelSecret",
    `with ${registerKeysSql("array[$4]")},
     before as materialized (
       select id, encrypted_secret, key_id from channels where id = $1 for no key update
     ),
     -- A rotation soon after another ends the oldest secret: there are two at most.
     old as (
       insert into channel_old_secrets (id, encrypted_secret, key_id, ends_at)
       select id, encrypted_secret, key_id, coalesce($3::timestamptz, '-infinity') from before
       on conflict (id) do update set encrypted_secret = excluded.encrypted_secret,
         key_id = excluded.key_id, ends_at = excluded.ends_at
     )
     update channels c set encrypted_secret = $2, key_id = $4, version = version + 1
     from before b where c.id = b.id`,
    [change.id, change.encryptedSecret, change.oldEndsAt ?? null, keyIdOf(change.encryptedSecret)],
  );
  return changed === 1;
}

/** Whether there was an old secret that still signed. */
export async function endOldSecret(db: Db, end: { id: string; now: Date }): Promise<boolean> {
  const ended = await queryRows<{ wasUsed: boolean }>(
    db,
    "endOldSecret",
    `with changed as (
       update channels set version = version + 1 where id = $1 returning id
     )
     delete from channel_old_secrets o using changed c where o.id = c.id
     returning o.ends_at > $2 as "wasUsed"`,
    [end.id, end.now],
  );
  return ended[0]?.wasUsed ?? false;
}

/** Until when the old secret of a channel signs as well; null when none does. */
export async function findOldSecretEnd(
  db: Db,
  query: { id: string; now: Date },
): Promise<Date | null> {
  const found = await queryFirstRow<{ endsAt: Date }>(
    db,
    "findOldSecretEnd",
    `select ends_at as "endsAt" from channel_old_secrets where id = $1 and ends_at > $2`,
    [query.id, query.now],
  );
  return found?.endsAt ?? null;
}

/** Deletes old secrets that sign no more; returns how many. */
export function deleteEndedSecrets(db: Db, now: Date): Promise<number> {
  return execute(db, "deleteEndedSecrets", "delete from channel_old_secrets where ends_at <= $1", [
    now,
  ]);
}
