// The translation of stored reviews of an app.
import { z } from "zod";
import { AppError } from "../../domain/error.ts";
import { idSchema } from "../../domain/fields.ts";
import { notFound } from "../../domain/validation-errors.ts";
import { appNoun } from "../../operations/app.ts";
import { action } from "../../operations/operation.ts";
import { requireSeenReview } from "../../use-cases/reviews/seen-reviews.ts";
import { queuedMax, queueTranslations } from "./queue-translations.ts";
import * as statements from "./sql.ts";

/** Queues reviews that are neither English nor translated: all, or one. The service translates them. */
export const translateApp = action(appNoun, {
  verb: "translate",
  summary: "Translate the stored reviews of an app",
  description:
    "With the operator's translation provider, which may cost money; at most 100,000 reviews at a time.",
  role: "member",
  scope: "manage",
  limits: [{ perMinute: 10, by: "workspace" }],
  audit: "app.translated",
  keepsVersion: true,
  output: {
    operationId: "translateApp",
    schema: z
      .object({
        queued: z
          .int()
          .describe("How many reviews are queued that were not before, in the background."),
      })
      .meta({ id: "TranslatedApp" }),
  },
  schema: z
    .strictObject({
      review: idSchema
        .transform((id) => id.toLowerCase())
        .nullable()
        .default(null)
        .describe("Only the review with this id; null for all."),
    })
    .meta({ id: "AppTranslationInput" }),
  async run({ deps, tx }, { before, input: { review: reviewId } }) {
    const { providers = [] } = deps;
    if (!providers.some((one) => one.kind === "translate" && one.isEnabled))
      throw new AppError("conflict", "no translator is set up: set TRANSLATE_PROVIDER first");
    const { id: appId, listingId, workspaceId } = before;
    if (reviewId !== null) {
      const { app } = await requireSeenReview(tx, { workspaceId, id: reviewId });
      if (app.id !== appId) throw notFound("review", reviewId);
    }
    const choice = { listingId, reviewId, max: queuedMax };
    const queued = await tx.with(statements).countUntranslated(choice);
    return { result: { queued }, detail: { queued, review: reviewId } };
  },
  async after({ deps, actor }, { before: { listingId }, input: { review: reviewId } }) {
    const queueing = queueTranslations(deps, { listingId, reviewId });
    // A command ends with its work; a request does not wait for a hundred thousand reviews.
    if (actor.kind === "operator" || reviewId !== null) return queueing;
    queueing.catch((error: unknown) =>
      deps.log.warn(
        { err: error, listing: listingId },
        "reviews could not be queued for translation",
      ),
    );
  },
});
