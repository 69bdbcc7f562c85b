// Names of what is announced to a channel beside reviews: once, until it is over. Alerts have names of their own, which
// begin with their event.
import type { Day } from "../../lib/timestamp.ts";

export function causeOfRatingDrop(appId: string): string {
  return `review.rating_drop ${appId}`;
}

/** @param to the last day that the digest covers */
export function causeOfDigest(to: Day): string {
  return `digest ${to}`;
}
