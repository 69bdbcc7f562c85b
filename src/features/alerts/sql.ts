// Reads for alerts: the channels that chose them and failing storefronts; and when spikes were last looked for.

import { channelColumns } from "../../database/delivery/channels.ts";
import { changesRow, type Db, queryRows } from "../../database/query.ts";
import type { Channel } from "../../domain/channel/channel.ts";
import type { FeedKind } from "../../domain/feed/feed.ts";
import { storeIds } from "../../domain/store/store-id.ts";
import { hasReviewsByLanguage } from "../../domain/store/store-traits.ts";

/** Channels that chose one of these events. */
export function listChannelsWithEvents(db: Db, events: readonly string[]): Promise<Channel[]> {
  return queryRows(db, "listChannelsWithEvents")`select ${channelColumns} from channels
      where events && ${events}::text[] and digest is null and not is_paused order by id`;
}

const storesByLanguage = storeIds.filter(hasReviewsByLanguage);

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
          or f.region = any(case when l.store = any(${storesByLanguage}::text[]) then a.languages else a.countries end) end
    order by a.id, f.kind desc, f.region limit ${query.limit}`;
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
