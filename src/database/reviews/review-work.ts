// Tags, assignees, status and notes of reviews, each for one workspace alone.
import { raw } from "sql-template-tag";
import type { ReviewNote, ReviewWork } from "../../domain/review-work.ts";
import { changesRow, type Db, execute, queryCount, queryRows } from "../query.ts";

type ReviewQuery = { workspaceId: string; reviewId: string };

/** The triage of those reviews that have any. */
export function listReviewWork(
  db: Db,
  query: { workspaceId: string; reviewIds: readonly string[] },
): Promise<({ reviewId: string; noteCount: number } & ReviewWork)[]> {
  return queryRows(db, "listReviewWork")`select w.id as "reviewId", coalesce(k.tags, '{}') as tags,
      coalesce(n.count, 0) as "noteCount", coalesce(k.is_done, false) as "isDone",
      case when u.id is not null then json_build_object('userId', u.id, 'name', u.name) end as assignee
    from unnest(${query.reviewIds}::uuid[]) as w (id)
    left join review_work k on k.workspace_id = ${query.workspaceId} and k.review_id = w.id
    left join users u on u.id = k.assignee_id
    left join lateral (
      select count(*) as count from review_notes
      where workspace_id = ${query.workspaceId} and review_id = w.id
    ) n on true
    where k.review_id is not null or n.count > 0`;
}

/** Creates the rows that are missing, and holds all of them until the transaction ends. */
export async function lockReviewWork(
  db: Db,
  query: { workspaceId: string; reviewIds: readonly string[] },
): Promise<void> {
  // In one order everywhere, so that two transactions never deadlock.
  await execute(db, "lockReviewWork")`insert into review_work (workspace_id, review_id, tags)
    select ${query.workspaceId}, id, '{}' from unnest(${query.reviewIds}::uuid[]) id order by id
    on conflict (workspace_id, review_id) do update set tags = review_work.tags`;
}

export async function saveReviewWork(
  db: Db,
  work: ReviewQuery & { tags: readonly string[]; assigneeId: string | null; isDone: boolean },
): Promise<void> {
  await queryRows(db, "saveReviewWork")`insert into review_work (workspace_id, review_id, tags,
    assignee_id, is_done)
    values (${work.workspaceId}, ${work.reviewId}, ${work.tags}, ${work.assigneeId}, ${work.isDone})
    on conflict (workspace_id, review_id) do update
    set tags = ${work.tags}, assignee_id = ${work.assigneeId}, is_done = ${work.isDone}`;
}

/** Reviews that are assigned to the user and not done. */
export async function countOpenWork(
  db: Db,
  query: { workspaceId: string; userId: string },
): Promise<number> {
  return queryCount(db, "countOpenWork")`select count(*) as count from review_work
    where workspace_id = ${query.workspaceId} and assignee_id = ${query.userId} and not is_done`;
}

/** In every workspace: a note may quote the review. */
export async function deleteWorkOfReview(db: Db, reviewId: string): Promise<void> {
  for (const table of ["review_notes", "review_work"]) {
    await queryRows(db, `deleteWorkOfReview.${table}`)`
      delete from ${raw(table)} where review_id = ${reviewId}`;
  }
}

/** The most used first. */
export function listTags(
  db: Db,
  query: { workspaceId: string; limit: number },
): Promise<{ tag: string; count: number }[]> {
  return queryRows(db, "listTags")`select tag, count(*) as count from review_work cross
    join unnest(tags) tag
    where workspace_id = ${query.workspaceId} group by tag order by count desc, tag limit ${query.limit}`;
}

/** Oldest first. */
export function listReviewNotes(
  db: Db,
  query: ReviewQuery & { limit: number },
): Promise<ReviewNote[]> {
  return queryRows(db, "listReviewNotes")`select n.id, n.author_id as "authorId", u.name as author,
      n.text, n.created_at as "createdAt"
    from review_notes n left join users u on u.id = n.author_id
    where n.workspace_id = ${query.workspaceId} and n.review_id = ${query.reviewId} order by n.id
    limit ${query.limit}`;
}

/** False when the review has `countMax` notes. */
export function insertReviewNote(
  db: Db,
  note: ReviewQuery & {
    id: string;
    authorId: string | null;
    text: string;
    createdAt: Date;
    countMax: number;
  },
): Promise<boolean> {
  return changesRow(db, "insertReviewNote")`insert into review_notes (id, workspace_id, review_id,
      author_id, text, created_at)
    select ${note.id}, ${note.workspaceId}, ${note.reviewId}, ${note.authorId}, ${note.text},
      ${note.createdAt}
    where (select count(*) from review_notes where workspace_id = ${note.workspaceId}
      and review_id = ${note.reviewId}) < ${note.countMax}`;
}

/** By review, to export them. */
export function listWorkOfWorkspace(
  db: Db,
  query: { workspaceId: string; afterId: string | null; limit: number },
): Promise<{ reviewId: string; tags: string[]; assigneeId: string | null; isDone: boolean }[]> {
  return queryRows(db, "listWorkOfWorkspace")`select review_id as "reviewId", tags,
      assignee_id as "assigneeId", is_done as "isDone" from review_work
    where workspace_id = ${query.workspaceId}
      and (${query.afterId}::uuid is null or review_id > ${query.afterId}) order by review_id
      limit ${query.limit}`;
}

/** In the order in which they were written, to export them. */
export function listNotesOfWorkspace(
  db: Db,
  query: { workspaceId: string; afterId: string | null; limit: number },
): Promise<(Omit<ReviewNote, "author"> & { reviewId: string })[]> {
  return queryRows(db, "listNotesOfWorkspace")`select id, review_id as "reviewId",
      author_id as "authorId", text, created_at as "createdAt"
    from review_notes where workspace_id = ${query.workspaceId}
      and (${query.afterId}::uuid is null or id > ${query.afterId})
    order by id limit ${query.limit}`;
}

/** Only the author's own note; false without such a one. */
export function deleteReviewNote(
  db: Db,
  note: { workspaceId: string; id: string; authorId: string },
): Promise<boolean> {
  return changesRow(db, "deleteReviewNote")`delete from review_notes
      where workspace_id = ${note.workspaceId}
      and id = ${note.id} and author_id = ${note.authorId}`;
}
