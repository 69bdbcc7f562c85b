// Decides from the store's answer, as it was just read, how a reply goes on. Pure: whatever happened before, a crash or a
// time-out included, only what the store has now counts.
import { isSameAnswer, type StoreAnswer } from "../../domain/review/store-answer.ts";
import type { StoredReply } from "./reply.ts";

export type Settled = Pick<StoredReply, "state" | "reason"> &
  Partial<Pick<StoredReply, "publishedText" | "isWithdrawal">>;

export type Decision =
  | { kind: "publish"; text: string }
  | { kind: "withdraw" }
  | { kind: "settled"; changes: Settled };

export function decideReply(reply: StoredReply, current: StoreAnswer | null): Decision {
  if (reply.state !== "sending") return settled(settleByStore(reply, current));
  return reply.isWithdrawal
    ? decideWithdrawal(reply, current)
    : decidePublication({ ...reply, text: reply.text ?? "" }, current);
}

function decidePublication(
  reply: StoredReply & { text: string },
  current: StoreAnswer | null,
): Decision {
  const { text, replaces } = reply;
  if (current && isSameAnswer(current.text, text)) return settled(toPublished(current, text));
  const isExpected = current ? isSameAnswer(current.text, replaces) : replaces === null;
  if (isExpected) return { kind: "publish", text };
  const reason = current
    ? "Another answer was published meanwhile: yours was not sent."
    : "The answer that this one replaces was removed meanwhile: yours was not sent.";
  const found = settleByStore(reply, current);
  // The answer before is there again: this one was not sent.
  const isOurs = found.state === "published" || found.state === "waiting";
  return settled({ ...found, ...(isOurs && { state: "refused" }), reason });
}

function decideWithdrawal(reply: StoredReply, current: StoreAnswer | null): Decision {
  if (current && isSameAnswer(current.text, reply.replaces)) return { kind: "withdraw" };
  if (current === null) return settled({ state: "withdrawn", reason: null, isWithdrawal: false });
  const reason = "Another answer was published meanwhile: it was not withdrawn.";
  return settled({ ...settleByStore(reply, current), reason, isWithdrawal: false });
}

export function toPublished({ isPublic }: StoreAnswer, text: string): Settled {
  const state = isPublic ? "published" : "waiting";
  return { state, reason: null, publishedText: text };
}

/** Follows the store where people wish nothing. */
function settleByStore(reply: StoredReply, current: StoreAnswer | null): Settled {
  const { state, reason, publishedText, text, storeText } = reply;
  const isStill = (one: string | null): boolean => isSameAnswer(current?.text ?? null, one);
  const own = [publishedText, text].find(isStill);
  // Why the text that was sent last did not get there.
  const kept = text !== publishedText && state !== "sending" ? reason : null;
  if (current && own && kept !== null && !isStill(text)) return { state: "refused", reason: kept };
  if (current && own) return toPublished(current, own);
  // Stores change characters of our texts.
  const wasOurs = state === "published" || state === "waiting";
  if (current && wasOurs && publishedText !== null && isStill(storeText))
    return toPublished(current, publishedText);
  if (state === "refused") return { state, reason };
  if (current) return { state: "elsewhere", reason: kept };
  if (publishedText === null) return { state: "none", reason: kept };
  return state === "withdrawn"
    ? { state, reason }
    : { state: "withdrawn", reason: kept ?? "The store no longer has the answer." };
}

function settled(changes: Settled): Decision {
  return { kind: "settled", changes };
}
