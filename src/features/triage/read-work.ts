// Reviews with the work on them: tags, who looks after them, notes, and who changed what.
import type { DatabaseTransaction } from "../../database/database.ts";
import type { ReviewWork } from "../../domain/review/review-work.ts";
import { notFound } from "../../domain/validation-errors.ts";
import { findSeenReviews, type SeenReview } from "../../use-cases/reviews/seen-reviews.ts";
import { type ReviewNote, reviewWorkLimits } from "./review-work.ts";
import * as statements from "./sql.ts";

export type WorkedReview = SeenReview &
  ReviewWork & {
    noteCount: number;
    /** Rises with every change by people and programs, and with every note. */
    version: number;
  };

/** Those of the reviews that the workspace sees, in the order of the ids. */
export async function findWorkedReviews(
  database: DatabaseTransaction,
  query: { workspaceId: string; ids: readonly string[] },
): Promise<WorkedReview[]> {
  const { workspaceId, ids } = query;
  const reviews = await findSeenReviews(database, query);
  const works = await database.listReviewWork({ workspaceId, reviewIds: ids });
  return reviews.map((review) => {
    const work = works.find(({ reviewId }) => reviewId === review.id);
    return {
      ...review,
      tags: work?.tags ?? [],
      assignee: work?.assignee ?? null,
      isDone: work?.isDone ?? false,
      noteCount: work?.noteCount ?? 0,
      version: work?.version ?? 0,
    };
  });
}

/** @throws AppError `not_found` for a review that the workspace does not see */
export async function requireWorkedReview(
  database: DatabaseTransaction,
  { workspaceId, id }: { workspaceId: string; id: string },
): Promise<WorkedReview> {
  const [review] = await findWorkedReviews(database, { workspaceId, ids: [id] });
  if (!review) throw notFound("review", id);
  return review;
}

export type ReviewWorkView = Pick<WorkedReview, "tags" | "assignee" | "isDone"> & {
  notes: ReviewNote[];
  /** Changes with their authors, newest first. */
  trail: Awaited<ReturnType<DatabaseTransaction["listWorkspaceAudit"]>>;
};

const trailMax = 50;

/** @throws AppError `not_found` for a review that the workspace does not see */
export async function readReviewWork(
  database: DatabaseTransaction,
  query: { workspaceId: string; reviewId: string },
): Promise<ReviewWorkView> {
  const { workspaceId, reviewId } = query;
  const { notesMax } = reviewWorkLimits;
  const changes = { workspaceId, subject: reviewId };
  const { tags, assignee, isDone } = await requireWorkedReview(database, {
    workspaceId,
    id: reviewId,
  });
  return {
    tags,
    assignee,
    isDone,
    notes: await database.with(statements).listReviewNotes({ ...query, limit: notesMax }),
    trail: await database.listWorkspaceAudit({ ...changes, before: null, limit: trailMax }),
  };
}
