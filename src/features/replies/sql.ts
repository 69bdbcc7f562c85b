// Answers to reviews and their templates. Every query that serves a user names the workspace.
import sql, { type Sql } from "sql-template-tag";
import { readListings } from "../../database/cluster/coordinator.ts";
import { advisoryLocks } from "../../database/locks.ts";
import {
  changesRow,
  type Db,
  execute,
  queryCount,
  queryFirstRow,
  queryRows,
} from "../../database/query.ts";
import type { AppScope } from "../../database/reviews/followed-apps.ts";
import {
  assignedColumns,
  insertedColumns,
  nextRowVersion,
  nextVersion,
  parameter,
} from "../../database/sql.ts";
import type { ReplyOutcomes } from "../../domain/review/reply-outcomes.ts";
import type { ReplyTemplate, StoredReply } from "./reply.ts";

const columns = sql`k.workspace_id as "workspaceId", k.review_id as "reviewId", k.app_id as "appId",
  k.state, k.reason, k.draft, k.text, k.replaces, k.is_withdrawal as "isWithdrawal",
  coalesce(u.name, k.author_name) as author, k.sent_at as "sentAt",
  k.published_text as "publishedText", k.published_at as "publishedAt", k.store_text as "storeText",
  k.store_at as "storeAt", k.checked_at as "checkedAt", k.answered_rating as "answeredRating",
  k.answered_edit as "answeredEdit", k.failure_count as "failureCount",
  k.attempted_at as "attemptedAt", k.lease_until as "leaseUntil", k.settings_version as version`;
const source = sql`review_replies k left join users u on u.id = k.author_id`;

type Key = { workspaceId: string; reviewId: string };

const isKey = ({ workspaceId, reviewId }: Key): Sql =>
  sql`workspace_id = ${workspaceId} and review_id = ${reviewId}`;

export function listReplies(
  db: Db,
  query: { workspaceId: string; reviewIds: readonly string[] },
): Promise<StoredReply[]> {
  return queryRows(db, "listReplies")`select ${columns} from ${source}
    where k.workspace_id = ${query.workspaceId} and k.review_id = any(${query.reviewIds}::uuid[])`;
}

/** To export them. */
export function listRepliesOfWorkspace(
  db: Db,
  query: { workspaceId: string },
): Promise<StoredReply[]> {
  return queryRows(db, "listRepliesOfWorkspace")`select ${columns} from ${source}
    where k.workspace_id = ${query.workspaceId} order by k.review_id`;
}

/** Until the transaction ends, the worker does not take it. */
export async function lockReply(db: Db, key: Key): Promise<void> {
  await queryRows(
    db,
    "lockReply",
  )`select 1 as one from review_replies where ${isKey(key)} for update`;
}

/** The worker has no lease then, and begins anew where there is something to send. */
export async function saveReply(
  db: Db,
  reply: Key & {
    appId: string;
    now: Date;
    changes: {
      state?: StoredReply["state"];
      reason: string | null;
      draft: string | null;
      text?: string | null;
      replaces?: string | null;
      isWithdrawal?: boolean;
      author?: { id: string | null; name: string | null };
      sentAt?: Date;
      answeredRating?: number;
      answeredDate?: Date;
      answeredEdit?: Date | null;
      dueAt?: Date | null;
    };
  },
): Promise<void> {
  const { changes, now } = reply;
  const { author } = changes;
  const row = {
    ...toColumns(changes),
    ...(author && { author_id: author.id, author_name: author.name }),
    ...(changes.dueAt !== undefined && { failure_count: 0, lease_id: null, lease_until: null }),
  };
  const inserted = insertedColumns({
    workspace_id: reply.workspaceId,
    review_id: reply.reviewId,
    app_id: reply.appId,
    state: "none",
    settings_version: now.getTime(),
    ...row,
  });
  await execute(db, "")`insert into review_replies as k ${inserted}
    on conflict (workspace_id, review_id) do update
    set ${assignedColumns(row)}, settings_version = ${nextVersion(now, sql`k`)}`;
  await raiseAppVersion(db, reply.appId);
}

/** The read API's pages of unanswered reviews may change. */
async function raiseAppVersion(db: Db, appId: string): Promise<void> {
  await queryRows(
    db,
    "raiseAppVersion",
  )`update apps set version = ${nextRowVersion} where id = ${appId}`;
}

const columnNames = {
  state: "state",
  reason: "reason",
  draft: "draft",
  text: "text",
  replaces: "replaces",
  isWithdrawal: "is_withdrawal",
  sentAt: "sent_at",
  publishedText: "published_text",
  publishedAt: "published_at",
  storeText: "store_text",
  storeAt: "store_at",
  checkedAt: "checked_at",
  answeredRating: "answered_rating",
  answeredDate: "answered_date",
  answeredEdit: "answered_edit",
  dueAt: "due_at",
  failureCount: "failure_count",
  attemptedAt: "attempted_at",
} as const;

function toColumns(changes: object): Record<string, unknown> {
  const named = Object.entries(changes).filter(([name]) => Object.hasOwn(columnNames, name));
  return Object.fromEntries(
    named.map(([name, value]) => [columnNames[name as keyof typeof columnNames], value]),
  );
}

type Lease = Key & { leaseId: string };
export type ClaimedReply = StoredReply & {
  leaseId: string;
  leaseUntil: Date;
  /** By the database's clock, as the changes that crawls save. */
  claimedAt: Date;
};

/**
 * The reply that is due for the longest time, for one process until `leaseUntil`. A review that several workspaces answer is
 * worked on once at a time, and not while a request of another one, sent after `attemptsBefore`, may still arrive.
 */
export async function claimReply(
  db: Db,
  claim: { now: Date; leaseId: string; leaseUntil: Date; attemptsBefore: Date },
): Promise<ClaimedReply | null> {
  const now = parameter(claim.now);
  await queryRows(
    db,
    "lockReplyClaims",
  )`select pg_advisory_xact_lock(${advisoryLocks.replyClaims})`;
  const isFree = (table: Sql): Sql =>
    sql`${table}.due_at <= ${now}::timestamptz and coalesce(${table}.lease_until <= ${now}, true)`;
  const found = await queryFirstRow(db, "claimReply")<
    Key & { claimedAt: Date }
  >`update review_replies k
    set lease_id = ${claim.leaseId}, lease_until = ${claim.leaseUntil}
    where ${isFree(sql`k`)} and (k.workspace_id, k.review_id) = (
      select d.workspace_id, d.review_id from review_replies d where ${isFree(sql`d`)}
        and not exists (
          select from review_replies o where o.review_id = d.review_id and (o.lease_until > ${now}
            or o.workspace_id <> d.workspace_id and o.attempted_at > ${claim.attemptsBefore})
        )
      order by d.due_at limit 1
    ) returning k.workspace_id as "workspaceId", k.review_id as "reviewId", now() as "claimedAt"`;
  if (!found) return null;
  const { workspaceId, reviewId, claimedAt } = found;
  const [reply] = await listReplies(db, { workspaceId, reviewIds: [reviewId] });
  return reply
    ? { ...reply, leaseId: claim.leaseId, leaseUntil: claim.leaseUntil, claimedAt }
    : null;
}

/** Before the request is sent. False when the lease is lost. */
export function markReplyAttempt(db: Db, lease: Lease & { now: Date }): Promise<boolean> {
  return changesRow(db, "markReplyAttempt")`update review_replies set attempted_at = ${lease.now}
    where ${isKey(lease)} and lease_id = ${lease.leaseId} and lease_until > ${lease.now}`;
}

/** Gives the lease back. False when it was lost: another process decides. */
export async function finishReply(
  db: Db,
  lease: Lease & {
    appId: string;
    changes: Partial<Omit<StoredReply, "author" | "leaseUntil">> & { dueAt: Date | null };
  },
): Promise<boolean> {
  const assigned = assignedColumns({
    ...toColumns(lease.changes),
    lease_id: null,
    lease_until: null,
  });
  const isOurs = await changesRow(db, "")`update review_replies set ${assigned}
    where ${isKey(lease)} and lease_id = ${lease.leaseId}`;
  if (isOurs) await raiseAppVersion(db, lease.appId);
  return isOurs;
}

/** Counts one answer of the app in that hour; false when it has as many as are sent in one. */
export function countReply(
  db: Db,
  answer: { store: string; externalAppId: string; hour: Date; countMax: number },
): Promise<boolean> {
  return changesRow(
    db,
    "countReply",
  )`insert into reply_hours as h (store, external_app_id, hour, count)
    values (${answer.store}, ${answer.externalAppId}, ${answer.hour}, 1)
    on conflict (store, external_app_id, hour) do update set count = h.count + 1
    where h.count < ${answer.countMax}`;
}

export function readReplyHour(
  db: Db,
  hour: { store: string; externalAppId: string; hour: Date },
): Promise<number> {
  return queryCount(db, "readReplyHour")`select coalesce(sum(count), 0) as count from reply_hours
    where store = ${hour.store} and external_app_id = ${hour.externalAppId} and hour = ${hour.hour}`;
}

export async function deleteOldReplyHours(db: Db, before: Date): Promise<void> {
  await queryRows(db, "deleteOldReplyHours")`delete from reply_hours where hour < ${before}`;
}

export function listListingsWithReplies(db: Db): Promise<{ listingId: string }[]> {
  return queryRows(db, "listListingsWithReplies")`select distinct a.listing_id as "listingId"
    from review_replies k join apps a on a.id = k.app_id`;
}

/**
 * Makes replies due of which a crawl saw another answer than was last read. Replies that wait after a failure keep their time.
 * Returns how many.
 */
export async function recheckReplies(
  db: Db,
  { listingId, now }: { listingId: string; now: Date },
): Promise<number> {
  const listingIds = parameter([listingId]);
  const found = await readListings(db, "listChangedReplies", {
    listingIds,
    tables: ["reviews"],
  })<Key>`
    select k.workspace_id as "workspaceId", k.review_id as "reviewId"
    from review_replies k join apps a on a.id = k.app_id and a.listing_id = any(${listingIds}::uuid[])
    join reviews r on r.listing_id = a.listing_id and r.id = k.review_id
    where k.checked_at < r.changed_at and r.reply_text is distinct from k.store_text
      and k.state <> 'sending' and k.failure_count = 0`;
  return execute(db, "recheckReplies")`update review_replies k set due_at = ${now}
    from unnest(${found.map(({ workspaceId }) => workspaceId)}::uuid[],
      ${found.map(({ reviewId }) => reviewId)}::uuid[]) w (workspace_id, review_id)
    where k.workspace_id = w.workspace_id and k.review_id = w.review_id and k.state <> 'sending'
      and k.failure_count = 0 and coalesce(k.due_at > ${now}, true)`;
}

/**
 * Counts the reviews that were first answered in that time, and as a base those of that time without any answer: how many have
 * more or fewer stars now than when they were answered, or first seen.
 */
export async function readReplyOutcomes(
  db: Db,
  { workspaceId, apps, from, to }: AppScope & { from: Date; to: Date },
): Promise<ReplyOutcomes> {
  const listingIds = parameter(apps.map(({ listingId }) => listingId));
  const [answered] = await readListings(db, "readReplyOutcomes", {
    listingIds,
    tables: ["reviews"],
  })<Omit<ReplyOutcomes, "unanswered">>`
    select count(*)::integer as count, count(*) filter (where r.rating > k.answered_rating)::integer as gained,
      count(*) filter (where r.rating < k.answered_rating)::integer as lost,
      (percentile_cont(0.5) within group (
        order by greatest(0, extract(epoch from k.published_at - k.answered_date))))::float8 as "medianSeconds"
    from review_replies k join apps a on a.id = k.app_id and a.workspace_id = k.workspace_id
    join reviews r on r.listing_id = a.listing_id and r.id = k.review_id
    where k.workspace_id = ${workspaceId} and a.listing_id = any(${listingIds}::uuid[])
      and k.published_at >= ${from} and k.published_at < ${to}`;
  const [unanswered] = await readListings(db, "readUnansweredOutcomes", {
    listingIds,
    tables: ["reviews", "review_versions"],
  })<ReplyOutcomes["unanswered"]>`
    select count(*)::integer as count, count(*) filter (where r.rating > v.rating)::integer as gained,
      count(*) filter (where r.rating < v.rating)::integer as lost
    from apps a join reviews r on r.listing_id = a.listing_id
    left join lateral (
      select v.rating from review_versions v where v.listing_id = r.listing_id and v.review_id = r.id
      order by v.number limit 1
    ) v on true
    where a.workspace_id = ${workspaceId} and a.listing_id = any(${listingIds}::uuid[])
      and r.listing_id = any(${listingIds}::uuid[]) and r.date >= ${from} and r.date < ${to}
      and r.reply_text is null and not exists (
        select from review_replies k where k.workspace_id = ${workspaceId} and k.review_id = r.id
          and k.published_at is not null
      )`;
  const none = { count: 0, gained: 0, lost: 0 };
  return { ...none, medianSeconds: null, ...answered, unanswered: unanswered ?? none };
}

const templateColumns = sql`id, workspace_id as "workspaceId", name, text, is_tone as "isTone",
  settings_version as version`;

/** By name. */
export function listTemplates(db: Db, query: { workspaceId: string }): Promise<ReplyTemplate[]> {
  return queryRows(db, "listTemplates")`select ${templateColumns} from reply_templates
    where workspace_id = ${query.workspaceId} order by name collate "C"`;
}

/** A null workspace means any. */
export function findTemplate(
  db: Db,
  { id, workspaceId }: { id: string; workspaceId: string | null },
): Promise<ReplyTemplate | null> {
  return queryFirstRow(db, "findTemplate")`select ${templateColumns} from reply_templates
    where id = ${id} and (${workspaceId}::uuid is null or workspace_id = ${workspaceId})`;
}

/** False when the workspace has another one of this name, or another workspace has this id. */
export async function saveTemplate(
  db: Db,
  { id, workspaceId, name, text, isTone, now }: Omit<ReplyTemplate, "version"> & { now: Date },
): Promise<boolean> {
  return changesRow(db, "saveTemplate")`insert into reply_templates as t
      (id, workspace_id, name, text, is_tone, created_at, settings_version)
    select ${id}, ${workspaceId}, ${name}, ${text}, ${isTone}, ${now}, ${now.getTime()}
    where not exists (select from reply_templates
      where workspace_id = ${workspaceId} and name = ${name} and id <> ${id})
    on conflict (id) do update set name = ${name}, text = ${text}, is_tone = ${isTone},
      settings_version = ${nextVersion(now, sql`t`)}
    where t.workspace_id = excluded.workspace_id`;
}

export async function deleteTemplate(
  db: Db,
  { id, workspaceId }: { id: string; workspaceId: string },
): Promise<void> {
  await queryRows(db, "deleteTemplate")`delete from reply_templates
    where id = ${id} and workspace_id = ${workspaceId}`;
}

/** In every workspace. */
export async function deleteRepliesOfReview(db: Db, reviewId: string): Promise<void> {
  await execute(db, "deleteRepliesOfReview")`delete from review_replies
    where review_id = ${reviewId}`;
}
