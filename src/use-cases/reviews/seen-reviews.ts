// Reviews by their ids, as far as a workspace sees them.
import type { DatabaseTransaction } from "../../database/database.ts";
import type { Review } from "../../domain/review/review.ts";
import { notFound } from "../../domain/validation-errors.ts";

export type SeenReview = Pick<Review, "id" | "rating" | "title" | "text"> & {
  workspaceId: string;
  app: { id: string; name: string };
};

type Reads = Pick<DatabaseTransaction, "listApps" | "loadFeedReviews">;

/** In the order of the ids. */
export async function findSeenReviews(
  database: Reads,
  { workspaceId, ids }: { workspaceId: string; ids: readonly string[] },
): Promise<SeenReview[]> {
  const apps = await database.listApps({ workspaceId });
  const places = ids.flatMap((id) => apps.map(({ listingId }) => ({ listingId, id })));
  const rows = await database.loadFeedReviews({ workspaceId, reviews: places });
  return ids.flatMap((id) => {
    const row = rows.find((one) => one.id === id);
    const app = apps.find(({ listingId }) => listingId === row?.listingId);
    if (!row || !app) return [];
    const { rating, title, text } = row;
    return { id, workspaceId, rating, title, text, app: { id: app.id, name: app.name } };
  });
}

/** @throws AppError `not_found` for a review that the workspace does not see */
export async function requireSeenReview(
  database: Reads,
  { workspaceId, id }: { workspaceId: string; id: string },
): Promise<SeenReview> {
  const [review] = await findSeenReviews(database, { workspaceId, ids: [id] });
  if (!review) throw notFound("review", id);
  return review;
}

/** For the audit log: without its words, which its author may have erased. */
export function nameOfReview({
  rating,
  app,
}: {
  rating: number;
  app: { id: string; name: string };
}): { name: string; app: string } {
  return { name: `${rating} ★ of ${app.name}`, app: app.id };
}
