// Tags, assignees, status and notes of reviews, each for one workspace alone.
import sql, { raw } from "sql-template-tag";
import { changesRow, type Db, queryCount, queryFirstRow, queryRows } from "../../database/query.ts";
import { nextVersion } from "../../database/sql.ts";
import type { ReviewNote } from "./review-work.ts";

type ReviewQuery = { workspaceId: string; reviewId: string };

/** @returns the version that it has now */
export async function saveReviewWork(
  db: Db,
  work: ReviewQuery & {
    tags: readonly string[];
    assigneeId: string | null;
    isDone: boolean;
    now: Date;
  },
): Promise<number> {
  const { tags, assigneeId, isDone, now } = work;
  return queryCount(
    db,
    "saveReviewWork",
  )`insert into review_work as k (workspace_id, review_id, tags,
    assignee_id, is_done, settings_version)
    values (${work.workspaceId}, ${work.reviewId}, ${tags}, ${assigneeId}, ${isDone}, ${now.getTime()})
    on conflict (workspace_id, review_id) do update
    set tags = ${tags}, assignee_id = ${assigneeId}, is_done = ${isDone},
      settings_version = ${nextVersion(now, sql`k`)}
    returning settings_version`;
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

const noteColumns = sql`n.id, n.workspace_id as "workspaceId", n.review_id as "reviewId",
  n.author_id as "authorId", coalesce(u.name, n.author_name) as author, n.text,
  n.created_at as "createdAt"`;

/** Oldest first. */
export function listReviewNotes(
  db: Db,
  query: ReviewQuery & { limit: number },
): Promise<ReviewNote[]> {
  return queryRows(db, "listReviewNotes")`select ${noteColumns}
    from review_notes n left join users u on u.id = n.author_id
    where n.workspace_id = ${query.workspaceId} and n.review_id = ${query.reviewId} order by n.id
    limit ${query.limit}`;
}

/** null when the note is that of another workspace; null for the workspace: of any. */
export function findReviewNote(
  db: Db,
  note: { id: string; workspaceId: string | null },
): Promise<ReviewNote | null> {
  return queryFirstRow(db, "findReviewNote")`select ${noteColumns}
    from review_notes n left join users u on u.id = n.author_id
    where n.id = ${note.id}
      and (${note.workspaceId}::uuid is null or n.workspace_id = ${note.workspaceId})`;
}

/** False when the review has `countMax` notes. */
export function insertReviewNote(
  db: Db,
  note: ReviewQuery & {
    id: string;
    authorId: string | null;
    /** The name of a program or the operator. */
    authorName: string | null;
    text: string;
    createdAt: Date;
    countMax: number;
  },
): Promise<boolean> {
  return changesRow(db, "insertReviewNote")`insert into review_notes (id, workspace_id, review_id,
      author_id, author_name, text, created_at)
    select ${note.id}, ${note.workspaceId}, ${note.reviewId}, ${note.authorId}, ${note.authorName},
      ${note.text}, ${note.createdAt}
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
): Promise<Pick<ReviewNote, "id" | "reviewId" | "authorId" | "text" | "createdAt">[]> {
  return queryRows(db, "listNotesOfWorkspace")`select id, review_id as "reviewId",
      author_id as "authorId", text, created_at as "createdAt"
    from review_notes where workspace_id = ${query.workspaceId}
      and (${query.afterId}::uuid is null or id > ${query.afterId})
    order by id limit ${query.limit}`;
}

export async function deleteReviewNote(
  db: Db,
  note: { workspaceId: string; id: string },
): Promise<void> {
  await queryRows(db, "deleteReviewNote")`delete from review_notes
    where workspace_id = ${note.workspaceId} and id = ${note.id}`;
}

/** What was assigned to the member is for anyone again. */
export async function unassignMember(
  db: Db,
  { workspaceId, userId }: { workspaceId: string; userId: string },
): Promise<void> {
  await queryRows(db, "unassignMember")`update review_work
    set assignee_id = null, settings_version = settings_version + 1
    where workspace_id = ${workspaceId} and assignee_id = ${userId}`;
}
