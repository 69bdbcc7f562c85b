// Channels. The signing secret is stored encrypted; who signs with it or shows it decrypts it.
import type { Channel, ListedChannel } from "../../domain/channel.ts";
import { keyIdOf } from "../../lib/secret-box.ts";
import { readBuckets } from "../delivery/buckets.ts";
import { addHealths } from "../delivery/health-row.ts";
import { type Db, execute, queryFirstRow, queryRows } from "../query.ts";
import { insertAuditEntry } from "./audit.ts";
import { channelColumns } from "./channel-row.ts";
import { registerKeysSql } from "./encryption-key-sql.ts";

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
       type, recipients, digest, digest_at, time_zone, digest_due_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18,
       $19, $20, $21, $22)`,
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
         digest = $14, digest_at = $15, time_zone = $16, digest_due_at = $17, version = version + 1
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

/** Channels of every workspace that follows the listing. */
export function listChannelsOfListing(db: Db, listingId: string): Promise<Channel[]> {
  return queryRows(
    db,
    "listChannelsOfListing",
    `select ${channelColumns} from channels
     where workspace_id in (select workspace_id from apps where listing_id = $1) order by id`,
    [listingId],
  );
}

/** The channel as it is now; nobody else changes or deletes it until the transaction ends. */
export async function lockChannel(db: Db, id: string): Promise<ListedChannel | null> {
  const channels = await queryRows<Channel>(
    db,
    "lockChannel",
    `select ${channelColumns} from channels where id = $1 for no key update`,
    [id],
  );
  return (await addHealths(db, channels))[0] ?? null;
}

/** Deletes a channel. What waits for it, and its log, can be seen no more and is deleted in batches. */
export async function deleteChannel(db: Db, id: string): Promise<boolean> {
  const count = await execute(
    db,
    "deleteChannel",
    `with gone as (delete from channels where id = $1 returning id)
     insert into deleted_channels (channel_id, deleted_at) select id, now() from gone`,
    [id],
  );
  return count === 1;
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
    `select ${channelColumns} from channels where digest_due_at <= $1 order by digest_due_at, id limit $2`,
    [query.now, query.limit],
  );
}

/** Of all channels; null while none has digests. */
export async function findNextDigestDue(db: Db): Promise<Date | null> {
  const found = await queryFirstRow<{ dueAt: Date | null }>(
    db,
    "findNextDigestDue",
    `select min(digest_due_at) as "dueAt" from channels where digest_due_at is not null`,
    [],
  );
  return found?.dueAt ?? null;
}

/** False when somebody else has done so, or the channel is gone or has another schedule by now. */
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

/** Channels of a workspace that a user created and that still exist, by name. */
export function listChannelsMadeBy(
  db: Db,
  query: { workspaceId: string; userId: string },
): Promise<{ id: string; name: string }[]> {
  return queryRows(
    db,
    "listChannelsMadeBy",
    `select c.id, c.name from channels c
     where c.workspace_id = $1 and exists (select from audit a where a.subject = c.id::text
       and a.action = 'channel.created' and a.actor = $2)
     order by lower(c.name), c.id`,
    [query.workspaceId, query.userId],
  );
}
