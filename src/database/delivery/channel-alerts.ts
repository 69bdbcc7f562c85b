// Alerts that were sent to channels, such as failing storefronts and spikes: one per cause until it ends.
import type { Channel } from "../../domain/channel.ts";
import type { FeedKind } from "../../domain/feed.ts";
import { changesRow, type Db, execute, queryRows } from "../query.ts";
import { channelColumns } from "./channels.ts";

/** Channels that chose one of these events. */
export function listChannelsWithEvents(db: Db, events: readonly string[]): Promise<Channel[]> {
  return queryRows(db, "listChannelsWithEvents")`select ${channelColumns} from channels
      where events && ${events}::text[] and digest is null and not is_paused order by id`;
}

type FailingStorefront = {
  workspaceId: string;
  appId: string;
  kind: FeedKind;
  region: string;
  lastError: string | null;
};

/** Feeds of the workspaces' apps whose last crawls failed, at least so many in a row. */
export function listFailingStorefronts(
  db: Db,
  query: { workspaceIds: readonly string[]; failuresMin: number; limit: number },
): Promise<FailingStorefront[]> {
  return queryRows(db, "listFailingStorefronts")`select a.workspace_id as "workspaceId",
      a.id as "appId", f.kind, f.region, f.last_error as "lastError"
    from apps a join listings l on l.id = a.listing_id join feeds f on f.listing_id = a.listing_id
    where a.workspace_id = any(${query.workspaceIds}::uuid[]) and f.outcome = 'unknown'
      and f.failure_count >= ${query.failuresMin}
      and case f.kind when 'ratings' then f.region = any(a.countries)
        else f.region = 'all'
          or f.region = any(case l.store when 'googleplay' then a.languages else a.countries end) end
    order by a.id, f.kind desc, f.region limit ${query.limit}`;
}

/**
 * Notes that these causes hold for a channel; returns those that did not before. Two processes never both get one.
 */
export async function raiseAlerts(
  db: Db,
  raise: { channelId: string; causes: readonly string[]; now: Date },
): Promise<string[]> {
  if (raise.causes.length === 0) return [];
  const found = await queryRows(db, "raiseAlerts")<{ cause: string; isNew: boolean }>`
    with there as (select id from channels
    where id = ${raise.channelId} for key share)
    insert into channel_alerts as a (channel_id, cause, raised_at, seen_at)
    select t.id, c.cause, ${raise.now}, ${raise.now}
    from there t, unnest(${raise.causes}::text[]) c (cause) order by c.cause
    on conflict (channel_id, cause) do update set seen_at = excluded.seen_at
    returning a.cause, (xmax = 0) as "isNew"`;
  return found.filter(({ isNew }) => isNew).map(({ cause }) => cause);
}

/** Forgets causes of a kind that were last seen before that moment: they can be announced again. */
export function endAlerts(
  db: Db,
  end: { channelId: string; kind: string; seenBefore: Date },
): Promise<number> {
  return execute(db, "endAlerts")`delete from channel_alerts
    where channel_id = ${end.channelId} and starts_with(cause, ${end.kind} || ' ')
      and seen_at < ${end.seenBefore}`;
}

/** False when another process has looked for spikes of the channel since then. */
export function claimSpikeCheck(
  db: Db,
  claim: { channelId: string; now: Date; notSince: Date },
): Promise<boolean> {
  return changesRow(db, "claimSpikeCheck")`update channels set spikes_checked_at = ${claim.now}
    where id = ${claim.channelId}
      and (spikes_checked_at is null or spikes_checked_at <= ${claim.notSince})`;
}
