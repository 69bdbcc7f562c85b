// Reviews with the work on them: tags, who looks after them, notes, and who changed what.
import type { Database, DatabaseTransaction } from "../../database/database.ts";
import type { Review } from "../../domain/review/review.ts";
import { notFound } from "../../domain/validation-errors.ts";
import { type ReviewNote, type ReviewWork, reviewWorkLimits } from "./review-work.ts";

export type WorkedReview = Pick<Review, "id" | "rating" | "title" | "text"> &
  ReviewWork & {
    workspaceId: string;
    app: { id: string; name: string };
    noteCount: number;
    /** Rises with every change by people and programs, and with every note. */
    version: number;
  };

type Reads = Pick<DatabaseTransaction, "listApps" | "loadFeedReviews" | "listReviewWork">;

/** Those of the reviews that the workspace sees, in the order of the ids. */
export async function findWorkedReviews(
  database: Reads,
  query: { workspaceId: string; ids: readonly string[] },
): Promise<WorkedReview[]> {
  const { workspaceId, ids } = query;
  const apps = await database.listApps({ workspaceId });
  const places = ids.flatMap((id) => apps.map(({ listingId }) => ({ listingId, id })));
  const rows = await database.loadFeedReviews({ workspaceId, reviews: places });
  const works = await database.listReviewWork({ workspaceId, reviewIds: ids });
  return ids.flatMap((id) => {
    const row = rows.find((one) => one.id === id);
    const app = apps.find(({ listingId }) => listingId === row?.listingId);
    if (!row || !app) return [];
    const work = works.find(({ reviewId }) => reviewId === id);
    return {
      id,
      workspaceId,
      rating: row.rating,
      title: row.title,
      text: row.text,
      app: { id: app.id, name: app.name },
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
  database: Reads,
  { workspaceId, id }: { workspaceId: string; id: string },
): Promise<WorkedReview> {
  const [review] = await findWorkedReviews(database, { workspaceId, ids: [id] });
  if (!review) throw notFound("review", id);
  return review;
}

export type ReviewWorkView = Pick<WorkedReview, "tags" | "assignee" | "isDone"> & {
  notes: ReviewNote[];
  /** Changes with their authors, newest first. */
  trail: Awaited<ReturnType<Database["listWorkspaceAudit"]>>;
};

const trailMax = 50;

/** @throws AppError `not_found` for a review that the workspace does not see */
export async function readReviewWork(
  database: Reads & Pick<Database, "listReviewNotes" | "listWorkspaceAudit">,
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
    notes: await database.listReviewNotes({ ...query, limit: notesMax }),
    trail: await database.listWorkspaceAudit({ ...changes, before: null, limit: trailMax }),
  };
}
