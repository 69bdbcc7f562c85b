// Which deliveries wait for a translation, and which reviews are to be translated for them. Pure.
import type { NewDelivery } from "../domain/channel/delivery.ts";
import type { EventBody } from "../domain/channel/event.ts";
import { type NewProviderJob, needsTranslation, toProviderJob } from "../domain/review/provider.ts";
import type { ReviewChange, Translation } from "../domain/review/review.ts";
import type { ReviewEvent } from "./match-reviews.ts";

type DelayedDeliveries = {
  /** All of them; those that wait are not due before the wait is over. */
  deliveries: NewDelivery[];
  jobs: NewProviderJob[];
  waits: { listingId: string; reviewId: string; contentHash: Buffer; deliveryId: string }[];
};

/** @param queued.deliveries one for each event, in the same order */
export function delayForTranslation(queued: {
  listingId: string;
  events: readonly ReviewEvent[];
  deliveries: readonly NewDelivery[];
  heldUntil: Date;
}): DelayedDeliveries {
  const { listingId, heldUntil } = queued;
  const delayed: DelayedDeliveries = { deliveries: [], jobs: [], waits: [] };
  for (const [index, delivery] of queued.deliveries.entries()) {
    const event = queued.events[index];
    if (!event?.channel.translate || !needsTranslation(event.review)) {
      delayed.deliveries.push(delivery);
      continue;
    }
    const { review } = event;
    const job = toProviderJob("translate", { listingId, review, isUrgent: true });
    const { reviewId, contentHash } = job;
    delayed.deliveries.push({ ...delivery, heldUntil });
    delayed.jobs.push(job);
    delayed.waits.push({ listingId, reviewId, contentHash, deliveryId: delivery.id });
  }
  return delayed;
}

/** A review that was translated before an edit is translated again, also when no delivery waits. */
export function listRetranslationJobs(
  listingId: string,
  changes: readonly ReviewChange[],
): NewProviderJob[] {
  return changes
    .filter(({ before, after }) => before?.translation && needsTranslation(after))
    .map(({ after: review }) => toProviderJob("translate", { listingId, review, isUrgent: false }));
}

/** An edit that leaves the text as it was keeps its translation. */
export function carryOverTranslation<C extends ReviewChange>(change: C): C {
  const { before, after } = change;
  if (change.kind !== "edited" || !before?.translation) return change;
  const isSame =
    before.text === after.text && before.analysis?.language === after.analysis?.language;
  return isSame ? { ...change, after: { ...after, translation: before.translation } } : change;
}

/** The same body with a translation in it, and everything else as it was composed. */
export function addTranslation(draft: Buffer, translation: Translation): Buffer {
  // The bytes are from composeBody.
  const body: EventBody = JSON.parse(draft.toString("utf8"));
  if (!("review" in body)) return draft;
  // Existing keys keep their place, so the order stays the contract's.
  const { text: translatedText, from: translatedFrom } = translation;
  const review = { ...body.review, translatedText, translatedFrom };
  return Buffer.from(JSON.stringify({ ...body, review }), "utf8");
}
