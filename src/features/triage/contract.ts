// The work on reviews: tags, assignees and notes.

import type { Carries, Json, Moment, Nothing, Route } from "../../dashboard-api/contract/route.ts";
import type { addNote } from "./notes.ts";
import type { changeReview, changeReviews } from "./operations.ts";
import type { ReviewWorkView as ReadReviewWork } from "./read-work.ts";

export type ReviewNote = {
  id: string;
  /** null: the account is gone. */
  author: string | null;
  text: string;
  at: Moment;
  /** One's own; owners delete any. */
  canDelete: boolean;
};

export type ReviewWorkView = Json<Omit<ReadReviewWork, "notes">> & { notes: ReviewNote[] };

export type TriageRoutes = {
  "GET /workspaces/:workspace/reviews/:review/work": Route<ReviewWorkView>;
  /** Absent fields stay. */
  "PATCH /workspaces/:workspace/reviews/:review/work": Carries<
    Pick<ReviewWorkView, "tags" | "assignee" | "isDone">,
    typeof changeReview
  >;
  /** The same change of up to 100 reviews, or of none. */
  "PATCH /workspaces/:workspace/reviews/work": Carries<
    { changedCount: number },
    typeof changeReviews
  >;
  "POST /workspaces/:workspace/notes": Carries<{ id: string }, typeof addNote>;
  "DELETE /workspaces/:workspace/notes/:note": Route<Nothing>;
  /** The tags in use, the most frequent first. */
  "GET /workspaces/:workspace/tags": Route<{ tags: { tag: string; count: number }[] }>;
};
