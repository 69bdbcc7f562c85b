// Answers to reviews: kept as a draft, sent, withdrawn. A person or a program with a key sends each one; sending saves it, and the
// worker passes it to the store.
import { AppError } from "../../domain/error.ts";
import { findAnswerFault, isSameAnswer } from "../../domain/review/store-answer.ts";
import { storeTraits } from "../../domain/store/store-traits.ts";
import { failField } from "../../domain/validation-errors.ts";
import {
  action,
  defineNoun,
  nameOfActor,
  type OperationContext,
  readSaved,
} from "../../operations/operation.ts";
import { nameOfReview } from "../../use-cases/reviews/seen-reviews.ts";
import {
  erasedFault,
  findReplies,
  findReplyFault,
  isInFlight,
  type ReplyRow,
  toReplyView,
} from "./find-replies.ts";
import { draftSchema, replyViewSchema, sendingSchema, withdrawalSchema } from "./reply.ts";
import * as statements from "./sql.ts";
import { findRawField } from "./template-fields.ts";

export const replyNoun = defineNoun<ReplyRow>({
  noun: "reply",
  plural: "replies",
  path: "replies",
  async find(database, { id, workspaceId }) {
    // A review belongs to no workspace by itself.
    if (workspaceId === null) return null;
    const [row] = await findReplies(database, { workspaceId, ids: [id] });
    return row ?? null;
  },
  async lock(tx, ref) {
    const { id: reviewId, workspaceId } = ref;
    if (workspaceId === null) return null;
    await tx.with(statements).lockReply({ workspaceId, reviewId });
    const [row] = await findReplies(tx, { workspaceId, ids: [reviewId] });
    return row ?? null;
  },
  toView: toReplyView,
  viewSchema: replyViewSchema,
});

const traits = {
  role: "member",
  scope: "manage",
  limits: [{ perMinute: 60, by: "workspace" }],
} as const;

export const draftReply = action(replyNoun, {
  ...traits,
  verb: "draft",
  summary: "Keep a draft of an answer to a review",
  description: "Nothing is sent. An answer that was sent before stays as it is.",
  limits: [{ perMinute: 240, by: "workspace" }],
  audit: "reply.drafted",
  schema: draftSchema,
  async run(context, { before, input }) {
    const draft = input.draft || null;
    if (draft !== null && before.review.storeReviewId === "")
      throw new AppError("conflict", erasedFault);
    if (draft === (before.reply?.draft ?? null)) return { result: before, detail: null };
    return save(context, before, { reason: before.reply?.reason ?? null, draft });
  },
});

export const sendReply = action(replyNoun, {
  ...traits,
  verb: "send",
  summary: "Answer a review in the store",
  description:
    "The answer is public. It replaces the one before, which `replaces` has to quote. It is sent in the background: its `state` says how far it is.",
  audit: "reply.sent",
  notifies: "replies",
  schema: sendingSchema,
  async run(context, { before, input }) {
    const { text, replaces = null, reviewDate } = input;
    const { app, review } = before;
    assertAllowed(context, before);
    assertIdle(context, before);
    const raw = findRawField(text);
    if (raw !== null) failField("text", `still has the field ${raw}: write what it stands for`);
    const fault = findAnswerFault(app.store, text);
    if (fault !== null) failField("text", fault);
    if (reviewDate !== undefined && new Date(reviewDate).getTime() !== review.date.getTime())
      throw new AppError("conflict", "the review was changed since you read it: read it again");
    assertExpected(before, replaces);
    return save(context, before, {
      ...{ state: "sending", reason: null, draft: null, text, isWithdrawal: false },
      replaces: before.publicText,
      author: authorOf(context),
      ...{ sentAt: context.now, dueAt: context.now },
      answeredEdit: review.editedAt,
      // The first answer counts: later ones come after what it may have changed.
      ...(!before.reply?.publishedAt && {
        ...{ answeredRating: review.rating, answeredDate: review.date },
      }),
    });
  },
});

export const withdrawReply = action(replyNoun, {
  ...traits,
  verb: "withdraw",
  summary: "Withdraw an answer to a review",
  description:
    "The App Store removes it. Google Play can't: there, an answer is only replaced. `replaces` has to quote it. With `takeBack`, nothing public changes: what waits to be passed to the store is not sent.",
  audit: "reply.withdrawn",
  notifies: "replies",
  schema: withdrawalSchema,
  async run(context, { before, input }) {
    const { app, reply, publicText } = before;
    assertIdle(context, before);
    if (input.takeBack) return save(context, before, takeBack(context, before));
    if (reply?.state === "sending")
      throw new AppError("conflict", "an answer waits to be sent: take it back first");
    assertAllowed(context, before);
    const { answers, nameInText } = storeTraits[app.store];
    if (!answers?.canWithdraw)
      throw new AppError(
        "conflict",
        `${nameInText} can't withdraw an answer: replace it by another`,
      );
    if (publicText === null) throw new AppError("conflict", "the review has no public answer");
    assertExpected(before, input.replaces ?? null);
    return save(context, before, {
      ...{ state: "sending", reason: null, isWithdrawal: true, replaces: publicText },
      ...{ draft: reply?.draft ?? null, author: authorOf(context) },
      ...{ sentAt: context.now, dueAt: context.now },
    });
  },
});

/**
 * Cancels a queued request. Its text becomes a draft, and the worker reads the store for the state of its answer.
 *
 * @throws AppError `conflict` when nothing is queued
 */
function takeBack({ now }: OperationContext, { reply, publicText }: ReplyRow): Changes {
  if (reply?.state !== "sending")
    throw new AppError("conflict", "nothing waits to be sent: the store was asked already");
  const { isWithdrawal, publishedText, text } = reply;
  const draft = isWithdrawal ? reply.draft : (reply.draft ?? text);
  const isOurs = isWithdrawal && isSameAnswer(publicText, publishedText);
  const publicState = isOurs ? "published" : "elsewhere";
  const state = publicText === null ? "none" : publicState;
  return { state, reason: null, draft, isWithdrawal: false, dueAt: now };
}

export const repliesAreOff = "This installation sends no answers: REPLIES=off.";

/** @throws AppError `conflict` */
function assertAllowed({ deps }: OperationContext, before: ReplyRow): void {
  if (deps.settings.replies === "off") throw new AppError("conflict", repliesAreOff);
  const fault = findReplyFault(before);
  if (fault !== null) throw new AppError("conflict", fault);
}

/** @throws AppError `conflict` */
function assertIdle({ now }: OperationContext, before: ReplyRow): void {
  if (isInFlight(before, now))
    throw new AppError("conflict", "the answer before is being sent: wait until the store has it");
}

/** @throws AppError `conflict` when the review has another public answer than the one that was read */
function assertExpected({ publicText }: ReplyRow, replaces: string | null): void {
  if (publicText === null && replaces === null) return;
  if (isSameAnswer(publicText, replaces)) return;
  const is = publicText === null ? "has no public answer" : "has another public answer";
  throw new AppError("conflict", `the review ${is} than you read: read it again`);
}

function authorOf({ actor }: OperationContext) {
  return actor.kind === "user"
    ? { id: actor.user.id, name: null }
    : { id: null, name: nameOfActor(actor) };
}

type Changes = Parameters<typeof statements.saveReply>[1]["changes"];

async function save({ tx, now }: OperationContext, before: ReplyRow, changes: Changes) {
  const { id, workspaceId, app, review } = before;
  const key = { workspaceId, reviewId: id, appId: app.id };
  await tx.with(statements).saveReply({ ...key, now, changes });
  const result = await readSaved(replyNoun, tx, { id, workspaceId });
  // The log names the fields without their words: an answer may quote a review whose author has it erased.
  const replaced = ["draft", "text", "replaces"].filter((name) => name in changes);
  return { result, detail: { ...nameOfReview({ rating: review.rating, app }), replaced } };
}
