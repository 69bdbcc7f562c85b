// The work on a review within a workspace: tags, who looks after it, notes. Every change is in the audit log.
import type { Database } from "../../database/database.ts";
import { AppError } from "../../domain/error.ts";
import { unique } from "../../domain/fields.ts";
import {
  type ReviewNote,
  type ReviewWork,
  type ReviewWorkChange,
  reviewWorkLimits,
} from "../../domain/review-work.ts";
import { failField, notFound } from "../../domain/validation-errors.ts";
import { uuidV7 } from "../../lib/uuid.ts";
import { type ActDeps, recordAudit } from "../audit.ts";

type ReviewQuery = { workspaceId: string; reviewId: string };

export type NamedReview = { id: string; rating: number; app: { id: string; name: string } };

/** Without its words, which its author may have erased. */
function named({ rating, app }: NamedReview): Record<string, unknown> {
  return { name: `${rating} ★ of ${app.name}`, app: app.id };
}

export type ReviewWorkView = ReviewWork & {
  notes: ReviewNote[];
  /** Changes with their authors, newest first. */
  trail: Awaited<ReturnType<Database["listWorkspaceAudit"]>>;
};

const trailMax = 50;

export async function readReviewWork(
  database: Pick<Database, "listReviewWork" | "listReviewNotes" | "listWorkspaceAudit">,
  query: ReviewQuery,
): Promise<ReviewWorkView> {
  const { workspaceId, reviewId } = query;
  const { notesMax } = reviewWorkLimits;
  const changes = { workspaceId, subject: reviewId };
  const [work] = await database.listReviewWork({ workspaceId, reviewIds: [reviewId] });
  return {
    tags: work?.tags ?? [],
    assignee: work?.assignee ?? null,
    isDone: work?.isDone ?? false,
    notes: await database.listReviewNotes({ ...query, limit: notesMax }),
    trail: await database.listWorkspaceAudit({ ...changes, before: null, limit: trailMax }),
  };
}

type WorkspaceMember = Awaited<ReturnType<Database["listMembers"]>>[number];
export type Assigned = { assignee: WorkspaceMember; reviewIds: readonly string[] };

/**
 * The same change of each review, or of none.
 *
 * @returns the member to whom reviews were assigned, and those that they did not have before; null without any
 * @throws AppError `invalid_input` for an assignee who is not a member, or for too many tags
 */
export async function changeReviewWork(
  deps: ActDeps,
  change: { workspaceId: string; reviews: readonly NamedReview[] } & ReviewWorkChange,
): Promise<Assigned | null> {
  const { workspaceId, reviews, assigneeId } = change;
  const reviewIds = reviews.map(({ id }) => id);
  return deps.database.transaction(async (tx) => {
    // The assignee may be removed from the workspace at this moment.
    if (assigneeId) await tx.lockWorkspace(workspaceId);
    const members = assigneeId ? await tx.listMembers(workspaceId) : [];
    const assignee = members.find(({ userId }) => userId === assigneeId);
    if (assigneeId && !assignee) failField("assigneeId", "must be a member of the workspace");
    const assignedIds: string[] = [];
    // Two people may change the same work at once: what one of them doesn't name stays.
    await tx.lockReviewWork({ workspaceId, reviewIds });
    const found = await tx.listReviewWork({ workspaceId, reviewIds });
    for (const review of reviews) {
      const reviewId = review.id;
      const before = found.find((one) => one.reviewId === reviewId);
      const oldId = before?.assignee?.userId ?? null;
      const work = {
        tags: changeTags(before?.tags ?? [], change),
        assigneeId: assigneeId === undefined ? oldId : assigneeId,
        isDone: change.isDone ?? before?.isDone ?? false,
      };
      await tx.saveReviewWork({ workspaceId, reviewId, ...work });
      const isAssigned = work.assigneeId !== oldId;
      if (isAssigned) assignedIds.push(reviewId);
      const subject = { id: reviewId, workspaceId };
      for (const { action, detail } of listActs({ before, work, isAssigned, assignee })) {
        await recordAudit(deps, tx, action, subject, { ...named(review), ...detail });
      }
    }
    return assignee && assignedIds.length > 0 ? { assignee, reviewIds: assignedIds } : null;
  });
}

/** The audit log's detail of a change. */
function listActs(of: {
  before: ReviewWork | undefined;
  work: { tags: readonly string[]; isDone: boolean };
  isAssigned: boolean;
  assignee: WorkspaceMember | undefined;
}): { action: string; detail: Record<string, unknown> }[] {
  const { before, work } = of;
  const oldTags = before?.tags ?? [];
  const added = work.tags.filter((tag) => !oldTags.includes(tag));
  const removed = oldTags.filter((tag) => !work.tags.includes(tag));
  const isTagged = added.length + removed.length > 0;
  const isMoved = work.isDone !== (before?.isDone ?? false);
  return [
    ...(isTagged ? [{ action: "review.tagged", detail: { added, removed } }] : []),
    ...(of.isAssigned
      ? [{ action: "review.assigned", detail: { assignee: of.assignee?.name ?? null } }]
      : []),
    ...(isMoved ? [{ action: work.isDone ? "review.done" : "review.reopened", detail: {} }] : []),
  ];
}

function changeTags(tags: readonly string[], change: ReviewWorkChange): readonly string[] {
  const { addedTags = [], removedTags = [] } = change;
  const kept = (change.tags ?? tags).filter((tag) => !removedTags.includes(tag));
  const changed = unique([...kept, ...addedTags]);
  const { tagsMax } = reviewWorkLimits;
  if (changed.length > tagsMax) failField("addedTags", `a review can have ${tagsMax} tags`);
  return changed;
}

/** @throws AppError `conflict` when the review has as many notes as it can */
export async function addReviewNote(
  deps: ActDeps,
  note: { workspaceId: string; review: NamedReview; text: string },
): Promise<void> {
  const { workspaceId, review, text } = note;
  const createdAt = deps.clock.now();
  const id = uuidV7(createdAt);
  const { notesMax: countMax } = reviewWorkLimits;
  await deps.database.transaction(async (tx) => {
    const by = { id, createdAt, authorId: deps.actor, countMax };
    // The statement counts before it inserts: two at once would both see room for one more.
    await tx.lockWorkspace(workspaceId);
    if (!(await tx.insertReviewNote({ ...by, workspaceId, reviewId: review.id, text }))) {
      throw new AppError("conflict", `a review can have ${countMax} notes`);
    }
    const subject = { id: review.id, workspaceId };
    await recordAudit(deps, tx, "review.note_added", subject, named(review));
  });
}

/** @throws AppError `not_found` for a note that is not the actor's */
export async function removeReviewNote(
  deps: ActDeps,
  note: { workspaceId: string; review: NamedReview; id: string },
): Promise<void> {
  const { workspaceId, review, id } = note;
  await deps.database.transaction(async (tx) => {
    if (!(await tx.deleteReviewNote({ workspaceId, id, authorId: deps.actor }))) {
      throw notFound("note", id);
    }
    const subject = { id: review.id, workspaceId };
    await recordAudit(deps, tx, "review.note_removed", subject, named(review));
  });
}
