// A review's content is removed when its author asks for it.
import { z } from "zod";
import { idSchema } from "../domain/fields.ts";
import { eraseReview as erase } from "../use-cases/privacy/erase-review.ts";
import { appNoun } from "./app.ts";
import { action, defineNoun } from "./operation.ts";

/** The erasure locks the listings of the app itself, in all workspaces. */
const { lock: _, ...unlocked } = appNoun;
const listedNoun = defineNoun(unlocked);

export const eraseReview = action(listedNoun, {
  verb: "erase-review",
  summary: "Erase a review in all workspaces",
  role: null,
  keepsVersion: true,
  audit: "review.erased",
  schema: z.strictObject({ reviewId: idSchema }),
  async run({ tx, now }, { before: app, input: { reviewId } }) {
    const { store, externalAppId } = app;
    const result = await erase(tx, { app, reviewId: reviewId.toLowerCase(), now });
    const { listingCount, deliveryCount } = result;
    const detail = { store, externalAppId, listingCount, deliveryCount };
    return { result, id: result.reviewId, detail };
  },
});
