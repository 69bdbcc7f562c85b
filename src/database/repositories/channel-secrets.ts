// The signing secrets of channels, sealed: the one in use, and the one before the last rotation for as long as
// its signature is sent beside the new one.
import { changeCount, type Db, firstRow, rows } from "../db.ts";

export function findSealedSecret(db: Db, id: string): Promise<{ sealedSecret: Buffer } | null> {
  return firstRow(
    db,
    "findSealedSecret",
    `select sealed_secret as "sealedSecret" from channels where id = $1`,
    [id],
  );
}

/** Replaces the secret; with `oldEndsAt` the one so far goes on signing beside it until then. */
export async function setSealedSecret(
  db: Db,
  change: { id: string; sealedSecret: Buffer; oldEndsAt?: Date | null },
): Promise<boolean> {
  const changed = await rows(
    db,
    "setSealedSecret",
    `with before as materialized (
       select id, sealed_secret from channels where id = $1 for no key update
     ),
     -- A rotation soon after another ends the oldest secret: there are two at most.
     old as (
       insert into channel_old_secrets (id, sealed_secret, ends_at)
       select id, sealed_secret, coalesce($3::timestamptz, '-infinity') from before
       on conflict (id) do update set
         sealed_secret = excluded.sealed_secret, ends_at = excluded.ends_at
     )
     update channels c set sealed_secret = $2, version = version + 1
     from before b where c.id = b.id returning c.id`,
    [change.id, change.sealedSecret, change.oldEndsAt ?? null],
  );
  return changed.length === 1;
}

/** Whether there was an old secret that still signed. */
export async function endOldSecret(db: Db, end: { id: string; now: Date }): Promise<boolean> {
  const ended = await rows<{ wasUsed: boolean }>(
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
  wanted: { id: string; now: Date },
): Promise<Date | null> {
  const found = await firstRow<{ endsAt: Date }>(
    db,
    "findOldSecretEnd",
    `select ends_at as "endsAt" from channel_old_secrets where id = $1 and ends_at > $2`,
    [wanted.id, wanted.now],
  );
  return found?.endsAt ?? null;
}

/** Deletes old secrets that sign no more; returns how many. */
export function deleteEndedSecrets(db: Db, now: Date): Promise<number> {
  return changeCount(
    db,
    "deleteEndedSecrets",
    "delete from channel_old_secrets where ends_at <= $1",
    [now],
  );
}
