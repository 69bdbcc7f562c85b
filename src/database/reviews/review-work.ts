// The work on reviews, as pages, filters and counts of the core read it: the triage of a workspace writes it.
import type { ReviewWork } from "../../domain/review/review-work.ts";
import { type Db, queryCount, queryRows } from "../query.ts";

/** The triage of those reviews that have any. */
export function listReviewWork(
  db: Db,
  query: { workspaceId: string; reviewIds: readonly string[] },
): Promise<({ reviewId: string; noteCount: number; version: number } & ReviewWork)[]> {
  return queryRows(db, "listReviewWork")`select w.id as "reviewId", coalesce(k.tags, '{}') as tags,
      coalesce(n.count, 0) as "noteCount", coalesce(k.is_done, false) as "isDone",
      coalesce(k.settings_version, 0) as version,
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

/** Reviews that are assigned to the user and not done. */
export async function countOpenWork(
  db: Db,
  query: { workspaceId: string; userId: string },
): Promise<number> {
  return queryCount(db, "countOpenWork")`select count(*) as count from review_work
    where workspace_id = ${query.workspaceId} and assignee_id = ${query.userId} and not is_done`;
}
