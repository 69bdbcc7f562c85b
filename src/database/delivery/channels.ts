// Channels. The signing secret is stored encrypted; the code that signs with it or shows it decrypts it.
import sql, { type Sql } from "sql-template-tag";
import type { Channel, FailingState, ListedChannel } from "../../domain/channel/channel.ts";
import { systemActor } from "../../domain/people/audit.ts";
import { keyIdOf } from "../../lib/secret-box.ts";
import type { Day } from "../../lib/timestamp.ts";
import { canParseUrl } from "../../lib/urls.ts";
import { insertAuditEntry } from "../accounts/audit.ts";
import { registerKeys } from "../accounts/encrypted-secrets.ts";
import { changesRow, type Db, execute, queryFirstRow, queryRows, queryValue } from "../query.ts";
import { assignedColumns, insertedColumns, nextRowVersion, nextVersion } from "../sql.ts";
import { withinTransaction } from "../transaction.ts";
import { isAnnounced, lastDigestedDay } from "./announcements.ts";
import { addHealths } from "./health.ts";

type VersionedChannel = Omit<ListedChannel, keyof FailingState>;

export async function insertChannel(
  db: Db,
  channel: Channel & { encryptedSecret: Buffer },
): Promise<void> {
  const { id, workspaceId, type, encryptedSecret, createdAt } = channel;
  const keyId = keyIdOf(encryptedSecret);
  const columns = insertedColumns({
    id,
    workspace_id: workspaceId,
    type,
    created_at: createdAt,
    encrypted_secret: encryptedSecret,
    key_id: keyId,
    settings_version: createdAt.getTime(),
    ...settingsOf(channel),
  });
  await registerKeys(db, [keyId]);
  await queryRows(db, "insertChannel")`insert into channels ${columns}`;
}

/**
 * Replaces what a user may change; the secret and the channel's health stay.
 *
 * @param now of a change by people, which raises the version of the settings
 * @returns that version; null when the channel is gone
 */
export async function updateChannel(db: Db, channel: Channel, now?: Date): Promise<number | null> {
  const version = now && { settings_version: nextVersion(now) };
  const columns = assignedColumns({ ...settingsOf(channel), ...version });
  return queryValue(db, "updateChannel")<number>`with moved as (
      update channels set ${columns}, version = ${nextRowVersion} where id = ${channel.id}
      returning id, host, settings_version
    ),
    queued as (
      update channel_queue q set host = m.host from moved m
      where q.channel_id = m.id and q.host <> m.host
    )
    select settings_version from moved`;
}

/** The columns of what a user chooses, also at the beginning. */
function settingsOf(channel: Channel) {
  return {
    name: channel.name,
    url: channel.url,
    host: hostOf(channel),
    recipients: channel.recipients,
    request: channel.request && JSON.stringify(channel.request),
    events: channel.events,
    apps: channel.apps,
    stars: channel.stars,
    topics: channel.topics,
    filter: channel.filter,
    view_id: channel.view,
    translate: channel.translate,
    drop_threshold: channel.dropThreshold,
    period_days: channel.periodDays,
    min_sample_size: channel.minSampleSize,
    digest: channel.digest,
    digest_at: channel.digestAt,
    time_zone: channel.timeZone,
    digest_due_at: channel.digestDueAt,
    is_paused: channel.isPaused,
  };
}

/** Host and port of the URL; the type for channels without a URL. */
function hostOf({ type, url }: Pick<Channel, "type" | "url">): string {
  return canParseUrl(url) ? new URL(url).host : type;
}

export async function listChannels(
  db: Db,
  scope: { workspaceId: string | null },
): Promise<ListedChannel[]> {
  const channels = await queryRows(db, "listChannels")<VersionedChannel>`select ${channelColumns}
    from channels
    where ${scope.workspaceId}::uuid is null or workspace_id = ${scope.workspaceId} order by id`;
  return addHealths(db, channels);
}

type ChannelScope = { id: string; workspaceId: string | null };

export async function findChannel(db: Db, scope: ChannelScope): Promise<ListedChannel | null> {
  const channels = await queryRows(db, "findChannel")<VersionedChannel>`select ${channelColumns}
    from channels where ${isChannel(scope)}`;
  return (await addHealths(db, channels))[0] ?? null;
}

/** The channel as it is now; no other transaction changes or deletes it until the transaction ends. */
export async function lockChannel(db: Db, scope: ChannelScope): Promise<ListedChannel | null> {
  const channels = await queryRows(db, "lockChannel")<VersionedChannel>`select ${channelColumns}
    from channels where ${isChannel(scope)} for no key update`;
  return (await addHealths(db, channels))[0] ?? null;
}

const isChannel = ({ id, workspaceId }: ChannelScope): Sql =>
  sql`id = ${id} and (${workspaceId}::uuid is null or workspace_id = ${workspaceId})`;

/** Channels of every workspace that follows the listing. */
export function listChannelsOfListing(db: Db, listingId: string): Promise<Channel[]> {
  return queryRows(db, "listChannelsOfListing")`select ${channelColumns} from channels
    where workspace_id in (select workspace_id from apps where listing_id = ${listingId})
    order by id`;
}

/** Channels that follow a saved view. */
export function listChannelsOfView(
  db: Db,
  view: { workspaceId: string; id: string },
): Promise<Channel[]> {
  return queryRows(db, "listChannelsOfView")`select ${channelColumns} from channels
      where workspace_id = ${view.workspaceId} and view_id = ${view.id} order by id`;
}

/** Deletes a channel. Its deliveries and its log are hidden at once and deleted in batches. */
export function deleteChannel(db: Db, id: string): Promise<boolean> {
  return withinTransaction(db, async (tx) => {
    const count = await execute(tx, "deleteChannel")`with deleted as (delete from channels
      where id = ${id} returning id)
      insert into deleted_channels (channel_id, deleted_at) select id, now() from deleted`;
    await removeFromQueue(tx, id);
    return count === 1;
  });
}

/** For a channel that was deleted in this transaction: nothing is queued for it any more. */
async function removeFromQueue(db: Db, channelId: string): Promise<void> {
  await execute(db, "removeFromQueue")`delete from channel_queue where channel_id = ${channelId}`;
}

/**
 * Deletes a channel whose endpoint answered 410, like deleteChannel, unless it has moved to another URL
 * meanwhile. Runs inside a transaction.
 */
export async function deleteGoneChannel(
  db: Db,
  gone: { channelId: string; url: string; auditId: string; now: Date },
): Promise<boolean> {
  const deleted = await queryFirstRow(db, "deleteGoneChannel")<{
    workspaceId: string;
    name: string;
  }>`
    with deleted as (
      delete from channels where id = ${gone.channelId} and url = ${gone.url}
      returning id, workspace_id, name
    ),
    noted as (
      insert into deleted_channels (channel_id, deleted_at) select id, now() from deleted
    )
    select workspace_id as "workspaceId", name from deleted`;
  if (!deleted) return false;
  await removeFromQueue(db, gone.channelId);
  await insertAuditEntry(db, {
    id: gone.auditId,
    workspaceId: deleted.workspaceId,
    at: gone.now,
    actor: systemActor,
    action: "channel.deleted",
    subject: gone.channelId,
    detail: { reason: "the endpoint answered 410 Gone", name: deleted.name, url: gone.url },
  });
  return true;
}

/** With the last day that was covered, which the next digest follows. */
type DueDigest = Channel & {
  digestedTo: Day | null;
  /** Raised by every change of the channel and of the view that it follows. */
  rowVersion: number;
};

/** The longest overdue of each workspace, then the second of each, and so on. */
export function listDueDigests(
  db: Db,
  query: { now: Date; exceptIds: readonly string[]; limit: number },
): Promise<DueDigest[]> {
  return queryRows(db, "listDueDigests")`select ${channelColumns},
      ${lastDigestedDay} as "digestedTo", channels.version as "rowVersion" from channels
      where digest_due_at <= ${query.now}
      and not is_paused and id <> all(${query.exceptIds}::uuid[])
    order by row_number() over (partition by workspace_id order by digest_due_at, id), digest_due_at, id
    limit ${query.limit}`;
}

/** The earliest due time over all channels; null while none has digests. */
export function findNextDigestDue(db: Db): Promise<Date | null> {
  return queryValue(db, "findNextDigestDue")<Date>`select min(digest_due_at) as "dueAt"
    from channels where digest_due_at is not null and not is_paused`;
}

/** False when another process has done so, or the channel was deleted or changed meanwhile. */
export function advanceDigest(
  db: Db,
  step: { channelId: string; rowVersion: number; from: Date; to: Date },
): Promise<boolean> {
  return changesRow(db, "advanceDigest")`update channels set digest_due_at = ${step.to}
    where id = ${step.channelId} and digest_due_at = ${step.from} and version = ${step.rowVersion}`;
}

// The signing secrets of channels, sealed: the one in use, the one before the last rotation for as long as its signature
// is sent beside the new one, and the one that the next rotation switches to.

export function findChannelSecret(db: Db, id: string): Promise<{ encryptedSecret: Buffer } | null> {
  return queryFirstRow(db, "findChannelSecret")`select encrypted_secret as "encryptedSecret"
    from channels where id = ${id}`;
}

/** Replaces the secret; with `oldEndsAt` the one so far goes on signing beside it until then. */
export async function setChannelSecret(
  db: Db,
  change: { id: string; encryptedSecret: Buffer; oldEndsAt?: Date | null; now?: Date },
): Promise<boolean> {
  const { id, encryptedSecret, oldEndsAt = null, now = new Date(0) } = change;
  const keyId = keyIdOf(encryptedSecret);
  await registerKeys(db, [keyId]);
  const changed = await execute(db, "setChannelSecret")`with before as materialized (
      select id, encrypted_secret, key_id from channels where id = ${id} for no key update
    ),
    -- A rotation soon after another ends the oldest secret: there are two at most.
    old as (
      insert into channel_old_secrets (id, encrypted_secret, key_id, ends_at)
      select id, encrypted_secret, key_id, coalesce(${oldEndsAt}::timestamptz, '-infinity') from before
      on conflict (id) do update set encrypted_secret = excluded.encrypted_secret,
        key_id = excluded.key_id, ends_at = excluded.ends_at
    )
    update channels c set encrypted_secret = ${encryptedSecret}, key_id = ${keyId}, version = ${nextRowVersion},
      settings_version = ${nextVersion(now)}
    from before b where c.id = b.id`;
  return changed === 1;
}

/** Replaces the one that was set before. */
export async function setNextSecret(
  db: Db,
  next: { id: string; encryptedSecret: Buffer; now: Date },
): Promise<void> {
  const keyId = keyIdOf(next.encryptedSecret);
  await registerKeys(db, [keyId]);
  await execute(db, "setNextSecret")`with raised as (
      update channels set settings_version = ${nextVersion(next.now)} where id = ${next.id}
    )
    insert into channel_next_secrets (id, encrypted_secret, key_id)
    values (${next.id}, ${next.encryptedSecret}, ${keyId})
    on conflict (id) do update set encrypted_secret = excluded.encrypted_secret, key_id = excluded.key_id`;
}

export function findNextSecret(db: Db, id: string): Promise<{ encryptedSecret: Buffer } | null> {
  return queryFirstRow(db, "findNextSecret")`select encrypted_secret as "encryptedSecret"
    from channel_next_secrets where id = ${id}`;
}

/** Deletes and returns it. */
export function takeNextSecret(db: Db, id: string): Promise<{ encryptedSecret: Buffer } | null> {
  return queryFirstRow(db, "takeNextSecret")`delete from channel_next_secrets where id = ${id}
    returning encrypted_secret as "encryptedSecret"`;
}

/** Whether there was an old secret that still signed. */
export async function endOldSecret(db: Db, end: { id: string; now: Date }): Promise<boolean> {
  const ended = await queryRows(db, "endOldSecret")<{ wasUsed: boolean }>`with changed as (
      update channels set version = ${nextRowVersion}, settings_version = ${nextVersion(end.now)}
      where id = ${end.id} returning id
    )
    delete from channel_old_secrets o using changed c where o.id = c.id
    returning o.ends_at > ${end.now} as "wasUsed"`;
  return ended[0]?.wasUsed ?? false;
}

/** Until when the old secret of a channel signs as well; null when none does. */
export function findOldSecretEnd(db: Db, query: { id: string; now: Date }): Promise<Date | null> {
  return queryValue(db, "findOldSecretEnd")<Date>`select ends_at as "endsAt"
      from channel_old_secrets where id = ${query.id} and ends_at > ${query.now}`;
}

/** Deletes old secrets that sign no more; returns how many. */
export function deleteEndedSecrets(db: Db, now: Date): Promise<number> {
  return execute(db, "deleteEndedSecrets")`delete from channel_old_secrets where ends_at <= ${now}`;
}

// A channel as statements of several repositories read it.

export const channelColumns = sql`id, workspace_id as "workspaceId", type, name, url, recipients, request,
  events, apps, stars, topics, translate,
  drop_threshold as "dropThreshold", period_days as "periodDays",
  min_sample_size as "minSampleSize", digest, digest_at as "digestAt", time_zone as "timeZone",
  digest_due_at as "digestDueAt", created_at as "createdAt", is_paused as "isPaused",
  settings_version as version,
  filter, view_id as "view",
  coalesce(filter, (select v.query from saved_views v where v.id = view_id)) as query`;

// The channel's filters over what waits for it, as a condition of SQL: a channel can be edited at any
// moment before a delivery is on the wire.

/**
 * Whether a channel `c` still wants the delivery `d`. An update is wanted whatever the filters say, while its
 * review counts as announced. A test is wanted always, a digest while the channel has digests, and of a paused channel
 * nothing else.
 */
export const isWanted = sql`(d.is_test or (not c.is_paused and case
  when c.digest is not null then d.event = 'digest'
  when d.event = 'review.updated' then d.event = any(c.events)
    and ${isAnnounced({ channelId: sql`c.id`, reviewId: sql`d.review_id` })}
  else d.event = any(c.events) and (c.apps is null or d.app_id is null or d.app_id = any(c.apps))
    and (c.stars is null or d.rating is null or d.rating = any(c.stars))
    and (c.topics is null or d.topics is null or d.topics && c.topics)
end))`;
