// The work on reviews within a workspace: tags, who looks after them, and whether they are done.
import { z } from "zod";
import type { DatabaseTransaction } from "../../database/database.ts";
import { unique } from "../../domain/fields.ts";
import { failField, notFound } from "../../domain/validation-errors.ts";
import { isSameValue } from "../../lib/same-value.ts";
import {
  action,
  collective,
  defineNoun,
  type OperationContext,
} from "../../operations/operation.ts";
import { nameOfReview } from "../../use-cases/reviews/seen-reviews.ts";
import { mailAssignee } from "./mail-assignee.ts";
import { findWorkedReviews, type WorkedReview } from "./read-work.ts";
import {
  manyReviewWorkChangeSchema,
  type ReviewWorkChange,
  reviewWorkChangeSchema,
  reviewWorkLimits,
} from "./review-work.ts";
import * as statements from "./sql.ts";

export const reviewNoun = defineNoun<WorkedReview>({
  noun: "review",
  plural: "reviews",
  path: "reviews",
  part: "work",
  async find(database, { id, workspaceId }) {
    // A review belongs to no workspace by itself.
    if (workspaceId === null) return null;
    const [review] = await findWorkedReviews(database, { workspaceId, ids: [id] });
    return review ?? null;
  },
  toView: ({ id, tags, assignee, isDone, noteCount }) => {
    return { id, tags, assignee, isDone, noteCount };
  },
  viewSchema: z
    .object({
      id: z.string().describe("Identifier of the review."),
      tags: z.array(z.string()).describe("Tags of the workspace."),
      assignee: z
        .object({ userId: z.string(), name: z.string() })
        .nullable()
        .describe("The member who looks after it."),
      isDone: z.boolean().describe("Whether it needs no more work."),
      noteCount: z.int().describe("How many notes it has."),
    })
    .meta({ id: "ReviewWork" }),
});

export const changeReview = action(reviewNoun, {
  verb: "change",
  summary: "Tag, assign or close a review",
  description: "Fields that are left out stay as they are.",
  role: "member",
  scope: "manage",
  limits: [{ perMinute: 240, by: "workspace" }],
  audit: "review.changed",
  schema: reviewWorkChangeSchema,
  async run(context, { before, input }) {
    const [changed] = await changeWork(context, [before], input);
    if (!changed) return { result: before, detail: null };
    return { result: changed.after, detail: nameOfReview(before) };
  },
  after: (context, { before, result }) =>
    mailAssignee(context, isAssigned({ before, after: result }) ? [result] : []),
});

/** The same change of each review, or of none. */
export const changeReviews = collective(reviewNoun, {
  verb: "change-many",
  summary: "Tag, assign or close several reviews",
  description: "The same change of each, or of none.",
  role: "member",
  scope: "manage",
  limits: [{ perMinute: 60, by: "workspace" }],
  audit: "review.changed",
  output: {
    operationId: "changeReviews",
    schema: z
      .object({ changedCount: z.int().describe("How many of them differ now.") })
      .meta({ id: "ChangedReviews" }),
  },
  schema: manyReviewWorkChangeSchema,
  async run(context, { input: { reviews: ids, ...change } }) {
    const { tx, workspaceId } = context;
    const reviews = await findWorkedReviews(tx, { workspaceId, ids });
    const missing = ids.find((id) => !reviews.some((review) => review.id === id));
    if (missing !== undefined) throw notFound("review", missing);
    const changes = await changeWork(context, reviews, change);
    const assigned = changes.filter(isAssigned).map(({ after }) => after);
    return {
      result: { changedCount: changes.length, assigned },
      entries: changes.map(({ before, after }) => {
        return { before, result: after, detail: nameOfReview(before) };
      }),
    };
  },
  after: (context, { result }) => mailAssignee(context, result.assigned),
});

type Changed = { before: WorkedReview; after: WorkedReview };

function isAssigned({ before, after }: Changed): boolean {
  return after.assignee !== null && after.assignee.userId !== before.assignee?.userId;
}

/**
 * Those that differ now.
 *
 * @throws AppError `invalid_input` for an assignee who is not a member or only a viewer, or for too many tags
 */
async function changeWork(
  { tx, workspaceId, now }: OperationContext,
  reviews: readonly WorkedReview[],
  change: ReviewWorkChange,
): Promise<Changed[]> {
  const { assignee: named, isDone } = change;
  const chosen = named ? await requireMember(tx, workspaceId, named) : null;
  const changes: Changed[] = [];
  for (const before of reviews) {
    const after = {
      ...before,
      tags: changeTags(before.tags, change),
      assignee: named === undefined ? before.assignee : chosen,
      isDone: isDone ?? before.isDone,
    };
    if (isSameValue(reviewNoun.toView(before), reviewNoun.toView(after))) continue;
    after.version = await saveWork(tx, after, now);
    changes.push({ before, after });
  }
  return changes;
}

/** @returns its next version */
export async function saveWork(
  tx: DatabaseTransaction,
  { id, workspaceId, tags, assignee, isDone }: WorkedReview,
  now: Date,
): Promise<number> {
  const assigneeId = assignee?.userId ?? null;
  return tx
    .with(statements)
    .saveReviewWork({ workspaceId, reviewId: id, tags, assigneeId, isDone, now });
}

async function requireMember(
  tx: DatabaseTransaction,
  workspaceId: string,
  named: string,
): Promise<{ userId: string; name: string }> {
  const name = named.trim().toLowerCase();
  const members = await tx.listMembers(workspaceId);
  const member = members.find(({ userId, email }) => userId === name || email === name);
  if (!member) return failField("assignee", "must be a member of the workspace");
  // Viewers see no work on reviews.
  if (member.role === "viewer") return failField("assignee", "must be a member, not a viewer");
  return { userId: member.userId, name: member.name };
}

function changeTags(tags: readonly string[], change: ReviewWorkChange): string[] {
  const { addedTags = [], removedTags = [] } = change;
  const kept = (change.tags ?? tags).filter((tag) => !removedTags.includes(tag));
  const changed = unique([...kept, ...addedTags]);
  const { tagsMax } = reviewWorkLimits;
  if (changed.length > tagsMax) failField("addedTags", `a review can have ${tagsMax} tags`);
  return changed;
}
