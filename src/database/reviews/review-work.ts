// Tags, assignees, status and notes of reviews, each for one workspace alone.
import type { ReviewNote, ReviewWork } from "../../domain/review-work.ts";
import { type Db, execute, queryFirstRow, queryRows } from "../query.ts";

type ReviewQuery = { workspaceId: string; reviewId: string };

/** The triage of those reviews that have any. */
export function listReviewWork(
  db: Db,
  query: { workspaceId: string; reviewIds: readonly string[] },
): Promise<({ reviewId: string; noteCount: number } & ReviewWork)[]> {
  return queryRows(
    db,
    "listReviewWork",
    `select w.id as "reviewId", coalesce(k.tags, '{}') as tags, coalesce(n.count, 0) as "noteCount",
       coalesce(k.is_done, false) as "isDone",
       case when u.id is not null then json_build_object('userId', u.id, 'name', u.name) end as assignee
     from unnest($2::uuid[]) as w (id)
     left join review_work k on k.workspace_id = $1 and k.review_id = w.id
     left join users u on u.id = k.assignee_id
     left join lateral (
       select count(*) as count from review_notes where workspace_id = $1 and review_id = w.id
     ) n on true
     where k.review_id is not null or n.count > 0`,
    [query.workspaceId, query.reviewIds],
  );
}

/** Creates the rows that are missing, and holds all of them until the transaction ends. */
export async function lockReviewWork(
  db: Db,
  query: { workspaceId: string; reviewIds: readonly string[] },
): Promise<void> {
  await execute(
    db,
    "lockReviewWork",
    // In one order everywhere, so that two transactions never deadlock.
    `insert into review_work (workspace_id, review_id, tags) select $1, id, '{}' from unnest($2::uuid[]) id order by id
     on conflict (workspace_id, review_id) do update set tags = review_work.tags`,
    [query.workspaceId, query.reviewIds],
  );
}

export async function saveReviewWork(
  db: Db,
  work: ReviewQuery & { tags: readonly string[]; assigneeId: string | null; isDone: boolean },
): Promise<void> {
  await queryRows(
    db,
    "saveReviewWork",
    `insert into review_work (workspace_id, review_id, tags, assignee_id, is_done) values ($1, $2, $3, $4, $5)
     on conflict (workspace_id, review_id) do update set tags = $3, assignee_id = $4, is_done = $5`,
    [work.workspaceId, work.reviewId, work.tags, work.assigneeId, work.isDone],
  );
}

/** Reviews that are assigned to the user and not done. */
export async function countOpenWork(
  db: Db,
  query: { workspaceId: string; userId: string },
): Promise<number> {
  const found = await queryFirstRow<{ count: number }>(
    db,
    "countOpenWork",
    `select count(*) as count from review_work
     where workspace_id = $1 and assignee_id = $2 and not is_done`,
    [query.workspaceId, query.userId],
  );
  return found?.count ?? 0;
}

/** In every workspace: a note may quote the review. */
export async function deleteWorkOfReview(db: Db, reviewId: string): Promise<void> {
  for (const table of ["review_notes", "review_work"]) {
    await queryRows(
      db,
      `deleteWorkOfReview.${table}`,
      `delete from ${table} where review_id = $1`,
      [reviewId],
    );
  }
}

/** The most used first. */
export function listTags(
  db: Db,
  query: { workspaceId: string; limit: number },
): Promise<{ tag: string; count: number }[]> {
  return queryRows(
    db,
    "listTags",
    `select tag, count(*) as count from review_work cross join unnest(tags) tag
     where workspace_id = $1 group by tag order by count desc, tag limit $2`,
    [query.workspaceId, query.limit],
  );
}

/** Oldest first. */
export function listReviewNotes(
  db: Db,
  query: ReviewQuery & { limit: number },
): Promise<ReviewNote[]> {
  return queryRows(
    db,
    "listReviewNotes",
    `select n.id, n.author_id as "authorId", u.name as author, n.text, n.created_at as "createdAt"
     from review_notes n left join users u on u.id = n.author_id
     where n.workspace_id = $1 and n.review_id = $2 order by n.id limit $3`,
    [query.workspaceId, query.reviewId, query.limit],
  );
}

/** False when the review has `countMax` notes. */
export async function insertReviewNote(
  db: Db,
  note: ReviewQuery & {
    id: string;
    authorId: string | null;
    text: string;
    createdAt: Date;
    countMax: number;
  },
): Promise<boolean> {
  const count = await execute(
    db,
    "insertReviewNote",
    `insert into review_notes (id, workspace_id, review_id, author_id, text, created_at)
     select $1, $2, $3, $4, $5, $6
     where (select count(*) from review_notes where workspace_id = $2 and review_id = $3) < $7`,
    [
      note.id,
      note.workspaceId,
      note.reviewId,
      note.authorId,
      note.text,
      note.createdAt,
      note.countMax,
    ],
  );
  return count === 1;
}

/** By review, to export them. */
export function listWorkOfWorkspace(
  db: Db,
  query: { workspaceId: string; afterId: string | null; limit: number },
): Promise<{ reviewId: string; tags: string[]; assigneeId: string | null; isDone: boolean }[]> {
  return queryRows(
    db,
    "listWorkOfWorkspace",
    `select review_id as "reviewId", tags, assignee_id as "assigneeId", is_done as "isDone" from review_work
     where workspace_id = $1 and ($2::uuid is null or review_id > $2) order by review_id limit $3`,
    [query.workspaceId, query.afterId, query.limit],
  );
}

/** In the order in which they were written, to export them. */
export function listNotesOfWorkspace(
  db: Db,
  query: { workspaceId: string; afterId: string | null; limit: number },
): Promise<(Omit<ReviewNote, "author"> & { reviewId: string })[]> {
  return queryRows(
    db,
    "listNotesOfWorkspace",
    `select id, review_id as "reviewId", author_id as "authorId", text, created_at as "createdAt"
     from review_notes where workspace_id = $1 and ($2::uuid is null or id > $2)
     order by id limit $3`,
    [query.workspaceId, query.afterId, query.limit],
  );
}

/** Only the author's own note; false without such a one. */
export async function deleteReviewNote(
  db: Db,
  note: { workspaceId: string; id: string; authorId: string },
): Promise<boolean> {
  const count = await execute(
    db,
    "deleteReviewNote",
    "delete from review_notes where workspace_id = $1 and id = $2 and author_id = $3",
    [note.workspaceId, note.id, note.authorId],
  );
  return count === 1;
}
