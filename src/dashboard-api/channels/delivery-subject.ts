// The app and the review of a delivery, as its payload has them: the review may have changed since.
import { z } from "zod";
import { parseJson } from "../../lib/json.ts";
import type { ListedDelivery } from "../contract/channels.ts";

const headlineMax = 120;

/** The part of all payloads that the log shows; digests and alerts have no review. */
const payload = z.object({
  app: z.object({ name: z.string() }),
  review: z
    .object({
      rating: z.number(),
      title: z.string().nullable(),
      text: z.string(),
      country: z.string(),
    })
    .optional(),
});

/** null for a payload without a single app, and for one in an older format. */
export function readSubject(body: Buffer | undefined): ListedDelivery["subject"] {
  const parsed = payload.safeParse(parseJson(body?.toString("utf8") ?? ""));
  if (!parsed.success) return null;
  const { app, review } = parsed.data;
  return {
    appName: app.name,
    review: review
      ? {
          rating: review.rating,
          headline: (review.title || review.text).slice(0, headlineMax),
          country: review.country,
        }
      : null,
  };
}
