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
import type { Clock } from "../../lib/clock.ts";
import { uuidV7 } from "../../lib/uuid.ts";
import { recordAudit } from "../audit.ts";

type ReviewQuery = { workspaceId: string; reviewId: string };

export type ReviewWorkView = ReviewWork & {
  notes: ReviewNote[];
  /** Who changed what, the newest first. */
  trail: Awaited<ReturnType<Database["listWorkspaceAudit"]>>;
};

const trailMax = 50;

export async function readReviewWork(
  database: Pick<Database, "listReviewWork" | "listReviewNotes" | "listWorkspaceAudit">,
  query: ReviewQuery,
): Promise<ReviewWorkView> {
  const { workspaceId, reviewId } = query;
  const { notesMax } = reviewWorkLimits;
  const [work] = await database.listReviewWork({ workspaceId, reviewIds: [reviewId] });
  return {
    tags: work?.tags ?? [],
    assignee: work?.assignee ?? null,
    notes: await database.listReviewNotes({ ...query, limit: notesMax }),
    trail: await database.listWorkspaceAudit({
      ...{ workspaceId, subject: reviewId, before: null, limit: trailMax },
    }),
  };
}

type WorkDeps = {
  clock: Clock;
  database: Pick<Database, "listMembers" | "transaction">;
  actor: string;
};

/** @throws AppError `invalid_input` for an assignee who is not a member, or for too many tags */
export async function changeReviewWork(
  deps: WorkDeps,
  change: ReviewQuery & ReviewWorkChange,
): Promise<void> {
  const { workspaceId, reviewId, assigneeId } = change;
  const members = await deps.database.listMembers(workspaceId);
  const assignee = members.find(({ userId }) => userId === assigneeId);
  if (assigneeId && !assignee) failField("assigneeId", "must be a member of the workspace");
  await deps.database.transaction(async (tx) => {
    // Two people may change tags and assignee at once: what one of them doesn't name stays.
    await tx.lockReviewWork({ workspaceId, reviewId });
    const [before] = await tx.listReviewWork({ workspaceId, reviewIds: [reviewId] });
    const oldTags = before?.tags ?? [];
    const oldId = before?.assignee?.userId ?? null;
    const newTags = changeTags(oldTags, change);
    const newId = assigneeId === undefined ? oldId : assigneeId;
    await tx.saveReviewWork({ workspaceId, reviewId, tags: newTags, assigneeId: newId });
    const added = newTags.filter((tag) => !oldTags.includes(tag));
    const removed = oldTags.filter((tag) => !newTags.includes(tag));
    const entry = { subject: reviewId, workspaceId };
    if (added.length + removed.length > 0) {
      await recordAudit(deps, tx, {
        ...entry,
        action: "review.tagged",
        detail: { added, removed },
      });
    }
    if (newId !== oldId) {
      const detail = { assignee: assignee?.name ?? null };
      await recordAudit(deps, tx, { ...entry, action: "review.assigned", detail });
    }
  });
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
  deps: WorkDeps,
  note: ReviewQuery & { text: string },
): Promise<void> {
  const { workspaceId, reviewId } = note;
  const createdAt = deps.clock.now();
  const id = uuidV7(createdAt);
  const { notesMax: countMax } = reviewWorkLimits;
  await deps.database.transaction(async (tx) => {
    const added = { ...note, id, createdAt, authorId: deps.actor, countMax };
    // The statement counts before it inserts: two at once would both see room for one more.
    await tx.lockWorkspace(workspaceId);
    if (!(await tx.insertReviewNote(added))) {
      throw new AppError("conflict", `a review can have ${countMax} notes`);
    }
    const entry = { action: "review.note_added", subject: reviewId, workspaceId };
    await recordAudit(deps, tx, entry);
  });
}

/** @throws AppError `not_found` for a note that is not the actor's */
export async function removeReviewNote(
  deps: WorkDeps,
  note: ReviewQuery & { id: string },
): Promise<void> {
  const { workspaceId, reviewId, id } = note;
  await deps.database.transaction(async (tx) => {
    if (!(await tx.deleteReviewNote({ workspaceId, id, authorId: deps.actor }))) {
      throw notFound("note", id);
    }
    const entry = { action: "review.note_removed", subject: reviewId, workspaceId };
    await recordAudit(deps, tx, entry);
  });
}
