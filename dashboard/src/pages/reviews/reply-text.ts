// The content of the box of an answer: the text that the service keeps, until the user enters another one. That one is saved
// with the version for which it was begun, so that the service refuses it after the change of a colleague.
import type { Reply } from "../../../../src/features/replies/contract.ts";
import type { UnsavedText } from "../../api/unsaved-texts.ts";

export type ReplyBasis = Pick<Reply, "version"> & {
  replaces: Reply["publicText"];
  reviewDate: string;
};

export type ReplyBox = UnsavedText<ReplyBasis> & {
  /** The answer or the review was changed since the text was begun. */
  isBehind: boolean;
};

export function readBox(
  reply: Reply,
  review: { date: string },
  unsaved: UnsavedText<ReplyBasis> | null,
): ReplyBox {
  const current = basisOf(reply, review);
  if (!unsaved) return { text: keptText(reply), basis: current, isBehind: false };
  return { ...unsaved, isBehind: !isSame(unsaved.basis, current) };
}

export function basisOf(
  { version, publicText: replaces }: Reply,
  review: { date: string },
): ReplyBasis {
  return { version, replaces, reviewDate: review.date };
}

function isSame(one: ReplyBasis, other: ReplyBasis): boolean {
  return (
    one.version === other.version &&
    one.replaces === other.replaces &&
    one.reviewDate === other.reviewDate
  );
}

/** The text that was not sent, or did not get there. */
export function keptText({ draft, text, state, publicText }: Reply): string {
  if (draft !== null) return draft;
  const isLost = state !== "withdrawn" && state !== "outdated" && text !== publicText;
  return isLost ? (text ?? "") : "";
}
