// The work on reviews: tags, assignees and notes, and the views that a workspace keeps.

import type {
  manyReviewWorkChangeSchema,
  noteSchema,
  reviewWorkChangeSchema,
  SavedView as SavedViewRow,
} from "../../domain/review-work.ts";
import type { changeView, createView } from "../../operations/view.ts";
import type { ReviewWorkView as ReadReviewWork } from "../../use-cases/reviews/review-work.ts";
import type * as requests from "./requests.ts";
import type { Carries, Changes, Json, Moment, Nothing, Owned, Route } from "./route.ts";

export type SavedView = Owned<SavedViewRow>;

export type ReviewNote = {
  id: string;
  /** null: the account is gone. */
  author: string | null;
  text: string;
  at: Moment;
  isMine: boolean;
};

export type ReviewWorkView = Json<Omit<ReadReviewWork, "notes">> & { notes: ReviewNote[] };
export type AuditEntry = ReviewWorkView["trail"][number];

type WorkPath = "/workspaces/:workspace/apps/:app/reviews/:review/work";

export type ReviewWorkRoutes = Record<`GET ${WorkPath}`, Route<ReviewWorkView>> &
  /** Absent fields stay. */
  Record<`PATCH ${WorkPath}`, Route<ReviewWorkView, typeof reviewWorkChangeSchema>> &
  Record<`POST ${WorkPath}/notes`, Route<ReviewWorkView, typeof noteSchema>> &
  /** Only one's own. */
  Record<`DELETE ${WorkPath}/notes/:note`, Route<ReviewWorkView>> & {
    /** The same change of up to 100 reviews, or of none. */
    "PATCH /workspaces/:workspace/reviews/work": Route<
      { changedCount: number },
      typeof manyReviewWorkChangeSchema
    >;
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
