// Webhook channels. The secret is kept sealed; opening it is the business of who signs or shows it.
import type { Channel } from "../../domain/channel.ts";
import { changeCount, type Db, firstRow, rows } from "../db.ts";
import { insertAudit } from "./audit.ts";

const columns = `id, workspace_id as "workspaceId", name, url, events, apps, stars, topics, translate,
  drop_threshold as "dropThreshold", period_days as "periodDays",
  min_sample_size as "minSampleSize", created_at as "createdAt",
  failing_since as "failingSince", failing_reason as "failingReason"`;

export async function insertChannel(
  db: Db,
  channel: Channel & { sealedSecret: Buffer },
): Promise<void> {
  await rows(
    db,
    "insertChannel",
    `insert into channels (id, workspace_id, name, url, events, apps, stars, topics, translate,
       drop_threshold, period_days, min_sample_size, sealed_secret, created_at, host)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15)`,
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
      channel.sealedSecret,
      channel.createdAt,
      hostOf(channel.url),
    ],
  );
}

/** Replaces what a person may change; the secret and what the engine notes stay. */
export async function updateChannel(db: Db, channel: Channel): Promise<boolean> {
  const updated = await firstRow<{ count: number }>(
    db,
    "updateChannel",
    `with moved as (
       update channels set name = $2, url = $3, events = $4, apps = $5, stars = $6, topics = $7,
         translate = $8, drop_threshold = $9, period_days = $10, min_sample_size = $11, host = $12,
         version = version + 1
       where id = $1 returning id, host
     ),
     queued as (
       update channel_queue q set host = m.host from moved m
       where q.channel_id = m.id and q.host <> m.host
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
      hostOf(channel.url),
    ],
  );
  return updated?.count === 1;
}

/** Host and port: the server that deliveries meet. */
function hostOf(url: string): string {
  return URL.canParse(url) ? new URL(url).host : "";
}

export function listChannels(db: Db, scope: { workspaceId: string | null }): Promise<Channel[]> {
  return rows(
    db,
    "listChannels",
    `select ${columns} from channels where $1::uuid is null or workspace_id = $1 order by id`,
    [scope.workspaceId],
  );
}

export function findChannel(
  db: Db,
  scope: { id: string; workspaceId: string | null },
): Promise<Channel | null> {
  return firstRow(
    db,
    "findChannel",
    `select ${columns} from channels where id = $1 and ($2::uuid is null or workspace_id = $2)`,
    [scope.id, scope.workspaceId],
  );
}

/** Channels of every workspace that follows the listing: who may have to hear of its news. */
export function listChannelsOfListing(db: Db, listingId: string): Promise<Channel[]> {
  return rows(
    db,
    "listChannelsOfListing",
    `select ${columns} from channels
     where workspace_id in (select workspace_id from apps where listing_id = $1) order by id`,
    [listingId],
  );
}

/** The channel as it is now; nobody else changes or deletes it until the transaction ends. */
export function lockChannel(db: Db, id: string): Promise<Channel | null> {
  return firstRow(
    db,
    "lockChannel",
    `select ${columns} from channels where id = $1 for no key update`,
    [id],
  );
}

/** Deletes a channel. What waits for it, and its log, can be seen no more and is deleted in batches. */
export async function deleteChannel(db: Db, id: string): Promise<boolean> {
  const count = await changeCount(
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
  const deleted = await firstRow<{ workspaceId: string; name: string }>(
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
  await insertAudit(db, {
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
