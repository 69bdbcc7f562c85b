// What became of a channel's deliveries, day by day. Days are those on which a delivery was queued, and a busy day
// is counted up to a limit: a bar of shares needs no more.
import type { Day } from "../../lib/timestamp.ts";
import { type Db, queryRows } from "../query.ts";
import { readBuckets } from "../repositories/delivery-buckets.ts";
import { listFollowedApps } from "./followed-apps.ts";

export type DeliveryDay = {
  day: Day;
  /** All that were queued on it, at most the limit; the others are among them. */
  total: number;
  pending: number;
  expired: number;
  cancelled: number;
};

/** Oldest first, every day from the first to the last. */
export async function countDeliveryDays(
  db: Db,
  query: { channelId: string; workspaceId: string; fromDay: Day; toDay: Day; limit: number },
): Promise<DeliveryDay[]> {
  return queryRows(
    db,
    "countDeliveryDays",
    `select to_char(g.day, 'YYYY-MM-DD') as day,
       (select count(*) from (select from deliveries d where d.channel_id = c.id and d.bucket = $6
         and d.id >= b.first and d.id < b.after limit $5) t) as total,
       (select count(*) from (select from pending p where p.channel_id = c.id and p.bucket = $6
         and p.id >= b.first and p.id < b.after limit $5) t) as pending,
       e.expired, e.cancelled
     from channels c
     cross join generate_series($3::timestamp, $4::timestamp, interval '1 day') as g (day)
     cross join lateral (select id_floor(g.day at time zone 'UTC') as first,
       id_floor((g.day + interval '1 day') at time zone 'UTC') as after) b
     cross join lateral (
       select count(*) filter (where status = 'expired') as expired,
         count(*) filter (where status = 'cancelled') as cancelled
       from (select status from ended_deliveries e where e.channel_id = c.id and e.bucket = $6
         and e.id >= b.first and e.id < b.after limit $5) t
     ) e
     where c.id = $1 and c.workspace_id = $2 order by g.day`,
    [
      ...[query.channelId, query.workspaceId, query.fromDay, query.toDay, query.limit],
      (await readBuckets(db)).of(query.channelId),
    ],
  );
}

/** The app and the review that a delivery is about, as they are stored now. */
export type DeliverySubject = {
  appId: string;
  reviewId: string | null;
  appName: string;
  rating: number | null;
  /** Its title, or how its text begins. */
  headline: string | null;
  country: string | null;
};

/** Without what was removed since, or is another workspace's. */
export async function listDeliverySubjects(
  db: Db,
  query: {
    workspaceId: string;
    deliveries: readonly { appId: string | null; reviewId: string | null }[];
  },
): Promise<DeliverySubject[]> {
  const { workspaceId, deliveries } = query;
  const ids = [...new Set(deliveries.flatMap(({ appId }) => appId ?? []))];
  const followed = await listFollowedApps(db, { workspaceId, ids });
  const apps = new Map(followed.map((app) => [app.id, app]));
  const known = deliveries.flatMap(({ appId, reviewId }) => {
    const app = apps.get(appId ?? "");
    return app ? [{ app, reviewId }] : [];
  });
  return queryRows(
    db,
    "listDeliverySubjects",
    `select distinct w.app_id as "appId", w.review_id as "reviewId", w.name as "appName", r.rating,
       left(coalesce(nullif(r.title, ''), r.body), 120) as headline, r.country
     from unnest($1::uuid[], $2::uuid[], $3::text[], $4::uuid[]) w (app_id, listing_id, name, review_id)
     left join reviews r on r.listing_id = w.listing_id and r.id = w.review_id`,
    [
      known.map(({ app }) => app.id),
      known.map(({ app }) => app.listingId),
      known.map(({ app }) => app.name),
      known.map(({ reviewId }) => reviewId),
    ],
  );
}
