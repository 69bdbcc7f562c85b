// Channels. The signing secret is stored encrypted; the code that signs with it or shows it decrypts it.
import type { Channel, ListedChannel } from "../../domain/channel.ts";
import { keyIdOf } from "../../lib/secret-box.ts";
import { insertAuditEntry } from "../accounts/audit.ts";
import { registerKeysSql } from "../accounts/encrypted-secrets.ts";
import { type Db, execute, queryFirstRow, queryRows } from "../query.ts";
import { withinTransaction } from "../transaction.ts";
import { readBuckets } from "./buckets.ts";
import { addHealths } from "./health-row.ts";

export async function insertChannel(
  db: Db,
  channel: Channel & { encryptedSecret: Buffer },
): Promise<void> {
  await queryRows(
    db,
    "insertChannel",
    `with ${registerKeysSql("array[$16]")}
     insert into channels (id, workspace_id, name, url, events, apps, stars, topics, translate,
       drop_threshold, period_days, min_sample_size, encrypted_secret, created_at, host, key_id,
       type, recipients, digest, digest_at, time_zone, digest_due_at, filter, view_id, request)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18,
       $19, $20, $21, $22, $23, $24, $25)`,
    [
      channel.id,
      channel.workspaceId,
      channel.name,
      channel.url,
      channel.events,
      channel.apps,
      channel.stars,
      channel.topics,
      channel.translate,
      channel.dropThreshold,
      channel.periodDays,
      channel.minSampleSize,
      channel.encryptedSecret,
      channel.createdAt,
      hostOf(channel),
      keyIdOf(channel.encryptedSecret),
      channel.type,
      channel.recipients,
      channel.digest,
      channel.digestAt,
      channel.timeZone,
      channel.digestDueAt,
      channel.filter,
      channel.view,
      channel.request && JSON.stringify(channel.request),
    ],
  );
}

/** Replaces what a user may change; the secret and the channel's health stay. */
export async function updateChannel(db: Db, channel: Channel): Promise<boolean> {
  const updated = await queryFirstRow<{ count: number }>(
    db,
    "updateChannel",
    `with moved as (
       update channels set name = $2, url = $3, events = $4, apps = $5, stars = $6, topics = $7,
         translate = $8, drop_threshold = $9, period_days = $10, min_sample_size = $11, host = $12, recipients = $13,
         digest = $14, digest_at = $15, time_zone = $16, digest_due_at = $17,
         is_paused = $19, filter = $20, view_id = $21, request = $22, version = version + 1
       where id = $1 returning id, host
     ),
     queued as (
       update channel_queue q set host = m.host from moved m
       where q.channel_id = m.id and q.bucket = $18 and q.host <> m.host
     )
     select count(*) from moved`,
    [
      channel.id,
      channel.name,
      channel.url,
      channel.events,
      channel.apps,
      channel.stars,
      channel.topics,
      channel.translate,
      channel.dropThreshold,
      channel.periodDays,
      channel.minSampleSize,
      hostOf(channel),
      channel.recipients,
      channel.digest,
      channel.digestAt,
      channel.timeZone,
      channel.digestDueAt,
      (await readBuckets(db)).of(channel.id),
      channel.isPaused,
      channel.filter,
      channel.view,
      channel.request && JSON.stringify(channel.request),
    ],
  );
  return updated?.count === 1;
}

/** Host and port of the URL; the type for channels without a URL. */
function hostOf({ type, url }: Pick<Channel, "type" | "url">): string {
  return URL.canParse(url) ? new URL(url).host : type;
}

export async function listChannels(
  db: Db,
  scope: { workspaceId: string | null },
): Promise<ListedChannel[]> {
  const channels = await queryRows<Channel>(
    db,
    "listChannels",
    `select ${channelColumns} from channels where $1::uuid is null or workspace_id = $1 order by id`,
    [scope.workspaceId],
  );
  return addHealths(db, channels);
}

export async function findChannel(
  db: Db,
  scope: { id: string; workspaceId: string | null },
): Promise<ListedChannel | null> {
  const channels = await queryRows<Channel>(
    db,
    "findChannel",
    `select ${channelColumns} from channels where id = $1 and ($2::uuid is null or workspace_id = $2)`,
    [scope.id, scope.workspaceId],
  );
  return (await addHealths(db, channels))[0] ?? null;
}

/** Channels of every workspace that follows the listing, without paused ones. */
export function listChannelsOfListing(db: Db, listingId: string): Promise<Channel[]> {
  return queryRows(
    db,
    "listChannelsOfListing",
    `select ${channelColumns} from channels
     where workspace_id in (select workspace_id from apps where listing_id = $1) and not is_paused
     order by id`,
    [listingId],
  );
}

/** The channel as it is now; no other transaction changes or deletes it until the transaction ends. */
export async function lockChannel(db: Db, id: string): Promise<ListedChannel | null> {
  const channels = await queryRows<Channel>(
    db,
    "lockChannel",
    `select ${channelColumns} from channels where id = $1 for no key update`,
    [id],
  );
  return (await addHealths(db, channels))[0] ?? null;
}

/** Deletes a channel. Its deliveries and its log are hidden at once and deleted in batches. */
export function deleteChannel(db: Db, id: string): Promise<boolean> {
  return withinTransaction(db, async (tx) => {
    const count = await execute(
      tx,
      "deleteChannel",
      `with gone as (delete from channels where id = $1 returning id)
       insert into deleted_channels (channel_id, deleted_at) select id, now() from gone`,
      [id],
    );
    await removeFromQueue(tx, [id]);
    return count === 1;
  });
}

/** For channels that were deleted in this transaction: nothing is queued for them any more. */
export async function removeFromQueue(db: Db, channelIds: readonly string[]): Promise<void> {
  for (const [bucket, ids] of (await readBuckets(db)).group(channelIds, (id) => id)) {
    const text = "delete from channel_queue where bucket = $1 and channel_id = any($2::uuid[])";
    await execute(db, "removeFromQueue", text, [bucket, ids]);
  }
}

/**
 * Deletes a channel whose endpoint answered 410, like deleteChannel, unless it has moved to another URL
 * meanwhile. Runs inside a transaction.
 */
export async function deleteGoneChannel(
  db: Db,
  gone: { channelId: string; url: string; auditId: string; now: Date },
): Promise<boolean> {
  const deleted = await queryFirstRow<{ workspaceId: string; name: string }>(
    db,
    "deleteGoneChannel",
    `with gone as (
       delete from channels where id = $1 and url = $2 returning id, workspace_id, name
     ),
     noted as (
       insert into deleted_channels (channel_id, deleted_at) select id, now() from gone
     )
     select workspace_id as "workspaceId", name from gone`,
    [gone.channelId, gone.url],
  );
  if (!deleted) return false;
  await removeFromQueue(db, [gone.channelId]);
  await insertAuditEntry(db, {
    id: gone.auditId,
    workspaceId: deleted.workspaceId,
    at: gone.now,
    actor: "service",
    action: "channel.deleted",
    subject: gone.channelId,
    detail: { reason: "the endpoint answered 410 Gone", name: deleted.name, url: gone.url },
  });
  return true;
}

/** The longest overdue first. */
export function listDueDigests(db: Db, query: { now: Date; limit: number }): Promise<Channel[]> {
  return queryRows(
    db,
    "listDueDigests",
    `select ${channelColumns} from channels where digest_due_at <= $1 and not is_paused order by digest_due_at, id limit $2`,
    [query.now, query.limit],
  );
}

/** The earliest due time over all channels; null while none has digests. */
export async function findNextDigestDue(db: Db): Promise<Date | null> {
  const found = await queryFirstRow<{ dueAt: Date | null }>(
    db,
    "findNextDigestDue",
    `select min(digest_due_at) as "dueAt" from channels where digest_due_at is not null and not is_paused`,
    [],
  );
  return found?.dueAt ?? null;
}

/** False when another process has done so, or the channel was deleted or rescheduled meanwhile. */
export async function advanceDigest(
  db: Db,
  step: { channelId: string; from: Date; to: Date },
): Promise<boolean> {
  const count = await execute(
    db,
    "advanceDigest",
    "update channels set digest_due_at = $3 where id = $1 and digest_due_at = $2",
    [step.channelId, step.from, step.to],
  );
  return count === 1;
}

// The signing secrets of channels, sealed: the one in use, the one before the last rotation for as long as its signature
// is sent beside the new one, and the one that the next rotation switches to.

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

/** Replaces the one that was set before. */
export async function setNextSecret(
  db: Db,
  next: { id: string; encryptedSecret: Buffer },
): Promise<void> {
  await execute(
    db,
    "setNextSecret",
    `with ${registerKeysSql("array[$3]")}
     insert into channel_next_secrets (id, encrypted_secret, key_id) values ($1, $2, $3)
     on conflict (id) do update set encrypted_secret = excluded.encrypted_secret, key_id = excluded.key_id`,
    [next.id, next.encryptedSecret, keyIdOf(next.encryptedSecret)],
  );
}

export function findNextSecret(db: Db, id: string): Promise<{ encryptedSecret: Buffer } | null> {
  return queryFirstRow(
    db,
    "findNextSecret",
    `select encrypted_secret as "encryptedSecret" from channel_next_secrets where id = $1`,
    [id],
  );
}

/** Deletes and returns it. */
export function takeNextSecret(db: Db, id: string): Promise<{ encryptedSecret: Buffer } | null> {
  return queryFirstRow(
    db,
    "takeNextSecret",
    `delete from channel_next_secrets where id = $1 returning encrypted_secret as "encryptedSecret"`,
    [id],
  );
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

// A channel as statements of several repositories read it.

/** The filters of channel `c`, or those that its view has now. */
export const queryOf = (c: string): string =>
  `coalesce(${c}.filter, (select v.query from saved_views v where v.id = ${c}.view_id))`;

export const channelColumns = `id, workspace_id as "workspaceId", type, name, url, recipients, request, events, apps, stars, topics, translate,
  drop_threshold as "dropThreshold", period_days as "periodDays",
  min_sample_size as "minSampleSize", digest, digest_at as "digestAt", time_zone as "timeZone",
  digest_due_at as "digestDueAt", created_at as "createdAt", is_paused as "isPaused",
  filter, view_id as "view", ${queryOf("channels")} as query`;

// The channel's filters over what waits for it, as a condition of SQL: a channel can be edited at any
// moment before a delivery is on the wire.

/**
 * Whether a channel `c` still wants the delivery `d`. An update is wanted whatever the filters say:
 * its review was announced. A test is wanted always, a digest while the channel has digests, and of a paused channel
 * nothing else.
 */
export const isWanted = `(d.is_test or (not c.is_paused and ((d.event = 'digest' and c.digest is not null) or (d.event = any(c.events) and (d.event = 'review.updated' or (
    (c.apps is null or d.app_id is null or d.app_id = any(c.apps))
    and (c.stars is null or d.rating is null or d.rating = any(c.stars))
    and (c.topics is null or d.topics is null or d.topics && c.topics)
  ))))))`;
