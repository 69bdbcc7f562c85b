// The work on reviews: tags, assignees and notes, and the views that a workspace keeps.

import type * as requests from "../../dashboard-api/contract/requests.ts";
import type {
  Carries,
  Changes,
  Json,
  Moment,
  Nothing,
  Owned,
  Route,
} from "../../dashboard-api/contract/route.ts";
import type { changeView, createView } from "../../operations/view.ts";
import type { addNote } from "./notes.ts";
import type { changeReview, changeReviews } from "./operations.ts";
import type { ReviewWorkView as ReadReviewWork } from "./read-work.ts";
import type { SavedView as SavedViewRow } from "./review-work.ts";

export type SavedView = Owned<SavedViewRow>;

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
export type AuditEntry = ReviewWorkView["trail"][number];

export type ReviewWorkRoutes = {
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
  "GET /workspaces/:workspace/views": Route<{ views: SavedView[] }>;
  /** A view of the same name is replaced. */
  "POST /workspaces/:workspace/views": Carries<{ views: SavedView[] }, typeof createView>;
  "PATCH /workspaces/:workspace/views/:view": Changes<Nothing, typeof changeView>;
  "DELETE /workspaces/:workspace/views/:view": Route<Nothing>;
  /** Owner. The newest first; `before` is the id of the last entry of the page before. */
  "GET /workspaces/:workspace/audit": Route<
    { entries: AuditEntry[]; hasMore: boolean },
    never,
    typeof requests.auditPage
  >;
};
