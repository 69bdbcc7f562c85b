// The ledger of what was announced to channels: reviews, whose edits are sent, and causes of alerts, rating drops and
// digests, which are sent once. It has a row for each delivery that announced something and waits, arrived or expired: a
// cancelled one has none unless it arrived, and one that is sent again has its row again.
import sql, { type Sql } from "sql-template-tag";
import type { NewDelivery } from "../../domain/channel/delivery.ts";
import { type Db, execute, queryRows, queryValue, queryValues } from "../query.ts";
import { unnest } from "../sql.ts";

type Announcement = Pick<NewDelivery, "id" | "channelId" | "reviewId" | "causes">;
type ChannelReview = { channelId: string; reviewId: string };
/** A review at the service of a channel: ids of one destination mean something else at another. */
type ExternalReview = ChannelReview & { destination: string };
type ChannelCause = { channelId: string; cause: string };

/** A channel can be deleted at any moment, by a 410 for instance: what was announced to it is dropped then. */
export async function announce(
  db: Db,
  { announcements, now }: { announcements: readonly Announcement[]; now: Date },
): Promise<void> {
  const ofReviews = announcements.filter(({ reviewId }) => reviewId !== null);
  if (ofReviews.length > 0) {
    const rows = unnest("g", ofReviews, {
      channel_id: ["uuid", ({ channelId }) => channelId],
      review_id: ["uuid", ({ reviewId }) => reviewId],
      delivery_id: ["uuid", ({ id }) => id],
    });
    await queryRows(db, "announceReviews")`
      insert into channel_reviews (channel_id, review_id, delivery_id)
      select g.channel_id, g.review_id, g.delivery_id from ${rows} join channels c on c.id = g.channel_id
      order by g.channel_id, g.review_id on conflict do nothing`;
  }
  const causes = announcements.flatMap(({ causes = [], ...one }) =>
    causes.map((cause) => ({ ...one, cause })),
  );
  if (causes.length === 0) return;
  const rows = unnest("g", causes, {
    channel_id: ["uuid", ({ channelId }) => channelId],
    cause: ["text", ({ cause }) => cause],
    delivery_id: ["uuid", ({ id }) => id],
  });
  await queryRows(db, "announceCauses")`
    insert into channel_causes (channel_id, cause, delivery_id, raised_at, seen_at)
    select c.id, g.cause, g.delivery_id, ${now}, ${now} from ${rows} join channels c on c.id = g.channel_id
    order by c.id, g.cause on conflict do nothing`;
}

/** For deliveries that are sent again, or that arrived: also after they were cancelled. */
export async function announceAgain(
  db: Db,
  { ids, now }: { ids: readonly string[]; now: Date },
): Promise<void> {
  const announcements = await queryRows(db, "listAnnouncements")<Announcement>`
    select id, channel_id as "channelId", review_id as "reviewId", coalesce(causes, '{}') as causes
    from deliveries where id = any(${ids}::uuid[]) and not is_test`;
  await announce(db, { announcements, now });
}

/** Deletes what these cancelled deliveries announced: rows with `channel_id`, `id`, `review_id` and `causes`. */
export function withdraw(cancelled: Sql): { reviews: Sql; causes: Sql } {
  return {
    reviews: sql`delete from channel_reviews r using ${cancelled} n
      where r.channel_id = n.channel_id and r.review_id = n.review_id and r.delivery_id = n.id
      returning r.review_id`,
    causes: sql`delete from channel_causes r using ${cancelled} n
      where n.causes is not null and r.channel_id = n.channel_id and r.delivery_id = n.id`,
  };
}

/** Whether a review counts as announced: only then its edits are sent. */
export function isAnnounced({ channelId, reviewId }: { channelId: Sql; reviewId: Sql }): Sql {
  return sql`exists (
    select from channel_reviews where channel_id = ${channelId} and review_id = ${reviewId}
  )`;
}

/** The pairs of these channels and reviews that count as announced; one can be in it twice. */
export async function listChannelReviews(
  db: Db,
  query: { channelIds: readonly string[]; reviewIds: readonly string[] },
): Promise<ChannelReview[]> {
  if (query.channelIds.length === 0) return [];
  // Without a name it is planned each time: a plan from when the table was small would compare all of it with every
  // review of every batch.
  return queryRows(db, "")`select channel_id as "channelId", review_id as "reviewId"
    from channel_reviews
    where channel_id = any(${query.channelIds}::uuid[]) and review_id = any(${query.reviewIds}::uuid[])`;
}

/** The id that the service of a channel returned for a review at this destination; null without one. */
export async function findExternalId(db: Db, pair: ExternalReview): Promise<string | null> {
  return queryValue(db, "findExternalId")<string>`select external_id as "externalId"
    from channel_reviews
    where channel_id = ${pair.channelId} and review_id = ${pair.reviewId} and destination = ${pair.destination}`;
}

/** The first one of a destination stays. The service has the review, so it was announced, whatever becomes of deliveries. */
export async function saveExternalId(
  db: Db,
  created: ExternalReview & { externalId: string },
): Promise<void> {
  const { channelId, reviewId, externalId, destination } = created;
  await execute(db, "saveExternalId")`insert into channel_reviews as r
      (channel_id, review_id, external_id, destination)
    select id, ${reviewId}, ${externalId}, ${destination} from channels where id = ${channelId}
    on conflict (channel_id, review_id, delivery_id) do update
      set external_id = excluded.external_id, destination = excluded.destination
      where r.destination is distinct from excluded.destination`;
}

/** Those of these causes that count as announced; one can be in it twice. */
export function listChannelCauses(
  db: Db,
  query: { channelIds: readonly string[]; causes: readonly string[] },
): Promise<ChannelCause[]> {
  return queryRows(
    db,
    "listChannelCauses",
  )`select channel_id as "channelId", cause from channel_causes
    where channel_id = any(${query.channelIds}::uuid[]) and cause = any(${query.causes}::text[])`;
}

/** Notes that these causes hold still; returns those that count as announced. */
export async function seeCauses(
  db: Db,
  seen: { channelId: string; causes: readonly string[]; now: Date },
): Promise<ReadonlySet<string>> {
  return new Set(
    await queryValues(db, "seeCauses")<string>`update channel_causes set seen_at = ${seen.now}
      where channel_id = ${seen.channelId} and cause = any(${seen.causes}::text[]) returning cause`,
  );
}

/** Forgets a cause that is over: it can be announced again. */
export async function endCause(db: Db, end: ChannelCause): Promise<void> {
  await execute(db, "endCause")`delete from channel_causes
    where channel_id = ${end.channelId} and cause = ${end.cause}`;
}

/** Forgets causes of a kind that were last seen before that moment, or all of them. */
export function endCauses(
  db: Db,
  end: { channelId: string; kind: string; seenBefore: Date | "infinity" },
): Promise<number> {
  return execute(db, "endCauses")`delete from channel_causes
    where channel_id = ${end.channelId} and starts_with(cause, ${end.kind} || ' ')
      and seen_at < ${end.seenBefore}`;
}

/** The last day that the digests of the channel in the table `channels` have covered; null without one. */
export const lastDigestedDay = sql`(select max(split_part(d.cause, ' ', 2))
  from channel_causes d where d.channel_id = channels.id and starts_with(d.cause, 'digest '))`;
