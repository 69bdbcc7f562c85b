// Passes answers to the stores. Each round reads the store before it sends anything, so that a crash or a time-out after a
// request is settled by what the store has, and no text is sent over an answer that its author has not seen.

import type { App } from "../../domain/feed/listing.ts";
import type { Review } from "../../domain/review/review.ts";
import type {
  AnswerResult,
  ReadAnswer,
  StoreAnswer,
  StoreAnswers,
} from "../../domain/review/store-answer.ts";
import { storeTraits } from "../../domain/store/store-traits.ts";
import type { ResourceStack } from "../../lib/resource-stack.ts";
import { dayMs, hourMs, minuteMs, secondMs } from "../../lib/timestamp.ts";
import { uuidV7 } from "../../lib/uuid.ts";
import { startWorkerLoop } from "../../lib/worker-loop.ts";
import type { FeatureContext } from "../feature.ts";
import { type Decision, decideReply, type Settled, toPublished } from "./settle.ts";
import * as statements from "./sql.ts";

type Deps = Pick<FeatureContext, "clock" | "database" | "log"> & {
  openStoreClient(credentialId: string, listingId: string): Promise<{ answers?: StoreAnswers }>;
};

const roundMs = 10 * secondMs;
const recheckMs = 5 * minuteMs;
const leaseMs = 5 * minuteMs;
/** No request is sent in the rest of a lease: one takes up to 30 seconds, and the store some more. */
const leaseRestMs = 2 * minuteMs;
/** A request that timed out may still arrive. */
const afterTimeoutMs = minuteMs;
/** Another workspace sends nothing to a review whose answer is unknown during this time. */
const otherAttemptMs = 5 * minuteMs;
/** Only the store settles an attempt during this time. */
const unknownMs = dayMs;
const retryMsMax = 6 * hourMs;

/** Runs until the resources are closed. */
export function openReplyWorker(context: FeatureContext, resources: ResourceStack): void {
  const { clock, config, database, log } = context;
  if (config.replies === "off") return;
  let recheckedAt = 0;
  const loop = startWorkerLoop({
    name: "reply worker",
    log,
    async runRound(signal) {
      await sendDueReplies(context, signal);
      const now = clock.now();
      if (now.getTime() - recheckedAt >= recheckMs) {
        await recheckAll(context);
        recheckedAt = now.getTime();
      }
      return roundMs;
    },
  });
  resources.add(() => loop.close());
  resources.add(database.listen("replies", () => loop.wake()));
}

/** Looks for replies of which a crawl saw another answer than was read last. Returns how many the store is asked about. */
export async function recheckAll({ clock, database }: Deps): Promise<number> {
  const replies = database.with(statements);
  const now = clock.now();
  await replies.deleteOldReplyHours(new Date(now.getTime() - 2 * dayMs));
  let count = 0;
  for (const { listingId } of await replies.listListingsWithReplies())
    count += await replies.recheckReplies({ listingId, now });
  return count;
}

/** Returns how many it worked on. The signal ends it after the current one. */
export async function sendDueReplies(deps: Deps, signal: AbortSignal): Promise<number> {
  let count = 0;
  while (!signal.aborted) {
    const now = deps.clock.now();
    const leaseUntil = new Date(now.getTime() + leaseMs);
    const attemptsBefore = new Date(now.getTime() - otherAttemptMs);
    const claim = { now, leaseId: uuidV7(now), leaseUntil, attemptsBefore };
    const claimed = await deps.database.transaction((tx) => tx.with(statements).claimReply(claim));
    if (!claimed) break;
    await tryWorkOn(deps, claimed);
    count += 1;
  }
  return count;
}

/** A failure of one reply, such as a credential that can't be opened, does not hold up the others. */
async function tryWorkOn(deps: Deps, reply: statements.ClaimedReply): Promise<void> {
  try {
    await workOn(deps, reply);
  } catch (err) {
    const { reviewId, workspaceId } = reply;
    deps.log.error({ err, reviewId, workspaceId }, "a reply failed: it is tried again later");
    await postpone(deps, reply, { reason: "Starpost could not ask the store." });
  }
}

type Work = {
  deps: Deps;
  reply: statements.ClaimedReply;
  app: App;
  answers: StoreAnswers;
  review: { externalAppId: string; storeReviewId: string };
  stored: Review;
  /** The answer that a crawl saw last. */
  crawledText: string | null;
};

async function workOn(deps: Deps, reply: statements.ClaimedReply): Promise<void> {
  const { database } = deps;
  const { appId, reviewId, workspaceId } = reply;
  const app = await database.findApp({ id: appId, workspaceId });
  const client = app?.credentialId
    ? await deps.openStoreClient(app.credentialId, app.listingId)
    : null;
  const [stored] = app
    ? await database.loadReviews({ listingId: app.listingId, ids: [reviewId] })
    : [];
  if (!app || !client?.answers || !stored?.storeReviewId) {
    const reason = stored?.storeReviewId
      ? "The app has no credential any more."
      : "Starpost no longer has this review.";
    return isUnknown(deps, reply) ? postpone(deps, reply, { reason }) : refuse(deps, reply, reason);
  }
  const { storeReviewId } = stored;
  const crawledText = stored.reply?.text ?? null;
  const review = { externalAppId: app.externalAppId, storeReviewId };
  const work: Work = { deps, reply, app, answers: client.answers, review, stored, crawledText };
  // Reading has a quota, too.
  if (reply.state === "sending" && reply.attemptedAt === null && (await isHourFull(work)))
    return waitForNextHour(work, {});
  const read = await work.answers.read(review);
  if (read.outcome === "ok")
    return goOn(work, { current: read.value, isEdited: isEdited(read, stored) });
  const reason = sentence(read.reason);
  const isFinal = read.outcome === "refused" && reply.state === "sending";
  if (isFinal && !isUnknown(deps, reply)) return refuse(deps, reply, reason);
  // A failed read gives no information about an attempt before.
  const retryAfterMs = read.outcome === "unknown" ? read.retryAfterMs : null;
  return postpone(deps, reply, { reason, retryAfterMs });
}

/** Whether an attempt may have been taken: then only an answer of the store settles it, for a day. */
function isUnknown({ clock }: Deps, { attemptedAt }: statements.ClaimedReply): boolean {
  return attemptedAt !== null && clock.now().getTime() - attemptedAt.getTime() < unknownMs;
}

/** Whether the reviewer has changed the review since the last crawl. */
function isEdited({ review }: ReadAnswer, stored: Review): boolean {
  const isLater = review !== undefined && review.date !== null && review.date > stored.date;
  return isLater && (review.rating !== stored.rating || review.text !== stored.text);
}

async function goOn(
  work: Work,
  { current, isEdited }: { current: StoreAnswer | null; isEdited: boolean },
): Promise<void> {
  const { deps, reply, stored } = work;
  const decision = decideReply(reply, current);
  if (decision.kind === "settled") return settle(work, { changes: decision.changes, current });
  const isAnotherVersion = isEdited || reply.answeredEdit?.getTime() !== stored.editedAt?.getTime();
  if (decision.kind === "publish" && isAnotherVersion) {
    const reason =
      "The reviewer changed the review before your answer was sent. Read it, and send again.";
    const changes: Settled = { state: "refused", reason };
    return settle(work, { changes, current });
  }
  if (!(await begin(work, current))) return;
  const sent = await send(work, decision);
  if (sent.outcome === "ok") {
    const changes: Settled =
      sent.value === null
        ? { state: "withdrawn", reason: null, isWithdrawal: false }
        : toPublished(sent.value, reply.text ?? "");
    return settle(work, { changes, current: sent.value });
  }
  if (sent.outcome === "refused") {
    const changes: Settled = {
      state: "refused",
      reason: sentence(sent.reason),
      isWithdrawal: false,
    };
    return settle(work, { changes, current });
  }
  await postpone(deps, reply, { ...sent, reason: sentence(sent.reason) });
}

function send(
  { answers, review, reply, deps }: Work,
  decision: Exclude<Decision, { kind: "settled" }>,
): Promise<AnswerResult<StoreAnswer | null>> {
  const untilMs = reply.leaseUntil.getTime() - leaseRestMs;
  const isStillWanted = (): boolean => deps.clock.now().getTime() < untilMs;
  return decision.kind === "publish"
    ? answers.publish({ ...review, text: decision.text, isStillWanted })
    : answers.withdraw({ ...review, isStillWanted });
}

/** Saved before the request leaves. False when it must not: too many in this hour, or the lease is lost. */
async function begin(work: Work, current: StoreAnswer | null): Promise<boolean> {
  const { deps, reply } = work;
  const isCounted = await deps.database.with(statements).countReply(hourOf(work));
  const now = deps.clock.now();
  if (isCounted) return deps.database.with(statements).markReplyAttempt({ ...reply, now });
  await waitForNextHour(work, toRead(reply, current));
  return false;
}

function hourOf({ deps, app: { store, externalAppId } }: Work) {
  const hour = new Date(Math.floor(deps.clock.now().getTime() / hourMs) * hourMs);
  return { store, externalAppId, hour, countMax: storeTraits[store].answers?.perHourMax ?? 0 };
}

async function isHourFull(work: Work): Promise<boolean> {
  const { countMax, ...hour } = hourOf(work);
  return (await work.deps.database.with(statements).readReplyHour(hour)) >= countMax;
}

function waitForNextHour(work: Work, read: Partial<ReturnType<typeof toRead>>): Promise<void> {
  const { hour, countMax } = hourOf(work);
  const reason = `${countMax} answers of this app were sent in this hour, which is as many as the store's quota allows. The next ones follow.`;
  const dueAt = new Date(hour.getTime() + hourMs);
  return finish(work.deps, work.reply, { ...read, reason, dueAt });
}

/** A crawl that saved later than the reply was claimed may know more than this read. */
function toRead({ claimedAt }: statements.ClaimedReply, current: StoreAnswer | null) {
  return {
    ...{ storeText: current?.text ?? null, storeAt: current?.at ?? null },
    checkedAt: claimedAt,
  };
}

async function settle(
  { deps, reply, crawledText }: Work,
  { changes, current }: { changes: Settled; current: StoreAnswer | null },
): Promise<void> {
  const now = deps.clock.now();
  const isOurs = changes.state === "published" || changes.state === "waiting";
  const ageMs = now.getTime() - (reply.sentAt ?? now).getTime();
  const waitingMs = Math.min(retryMsMax, Math.max(15 * minuteMs, ageMs / 4));
  // A crawl reports what changes in what it saw: before it has seen this answer, the store is asked, less and less often.
  const isSeen = crawledText === (current?.text ?? null);
  const unseenMs = Math.max(retryMsMax, ageMs);
  const nextMs = changes.state === "waiting" ? waitingMs : unseenMs;
  await finish(deps, reply, {
    ...changes,
    ...(isOurs && reply.publishedAt === null && { publishedAt: current?.at ?? now }),
    ...toRead(reply, current),
    ...{ attemptedAt: null, failureCount: 0 },
    dueAt: changes.state === "waiting" || !isSeen ? new Date(now.getTime() + nextMs) : null,
  });
}

function refuse(deps: Deps, reply: statements.ClaimedReply, reason: string): Promise<void> {
  const state = reply.state === "sending" ? ("refused" as const) : reply.state;
  return finish(deps, reply, {
    ...{ state, reason, isWithdrawal: false },
    ...{ attemptedAt: null, failureCount: 0, dueAt: null },
  });
}

async function postpone(
  deps: Deps,
  reply: statements.ClaimedReply,
  why: { reason: string; retryAfterMs?: number | null; isTaken?: "maybe" | "no" },
): Promise<void> {
  const { retryAfterMs, isTaken } = why;
  const backoffMs = Math.min(retryMsMax, afterTimeoutMs * 2 ** Math.min(reply.failureCount, 10));
  const dueAt = new Date(deps.clock.now().getTime() + Math.max(backoffMs, retryAfterMs ?? 0));
  await finish(deps, reply, {
    ...{ dueAt, failureCount: reply.failureCount + 1 },
    ...(reply.state === "sending" && { reason: `${why.reason} Starpost tries again.` }),
    ...(isTaken === "no" && { attemptedAt: null }),
  });
}

async function finish(
  { database, log }: Deps,
  reply: statements.ClaimedReply,
  changes: Parameters<typeof statements.finishReply>[1]["changes"],
): Promise<void> {
  const finished = { ...reply, changes };
  if (await database.transaction((tx) => tx.with(statements).finishReply(finished))) return;
  const { reviewId, workspaceId } = reply;
  log.warn(
    { reviewId, workspaceId },
    "a reply took longer than its lease: another process settles it",
  );
}

function sentence(reason: string): string {
  return /[.!?]$/.test(reason) ? reason : `${reason}.`;
}
