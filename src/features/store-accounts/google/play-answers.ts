// Answers to reviews through the Google Play Developer API: one for each review, which a second one replaces and nothing
// withdraws. Google removes markup from it.
import type { StoreAnswers } from "../../../domain/review/store-answer.ts";
import { parseJson, valueAt } from "../../../lib/json.ts";
import { toReply } from "../../../stores/source-reviews.ts";
import type { AccountClient } from "../account-client.ts";
import { toAnswerResult } from "../answer-result.ts";
import { dateOf, parseApiReview } from "./api-reviews.ts";
import { googleWords, playName } from "./google-client.ts";

const words = {
  ...googleWords({ name: playName, permission: "Reply to reviews" }),
  missing: { 404: "has no such review (HTTP 404); answer it in the Play Console" },
};

export function createPlayAnswers({
  client,
  baseUrl,
}: {
  client: AccountClient;
  baseUrl: string;
}): StoreAnswers {
  const urlOf = (app: string, review: string): string =>
    `${baseUrl}/androidpublisher/v3/applications/${encodeURIComponent(app)}/reviews/${encodeURIComponent(review)}`;
  return {
    async read({ externalAppId, storeReviewId }) {
      const response = await client.get({ url: urlOf(externalAppId, storeReviewId), words });
      const review = response.kind === "ok" ? parseApiReview(parseJson(response.text)) : null;
      const isFound = review?.storeReviewId === storeReviewId;
      const result = toAnswerResult(response, () => {
        if (!isFound) return undefined;
        return review.reply && { ...review.reply, isPublic: true };
      });
      return isFound ? { ...result, review } : result;
    },
    async publish({ externalAppId, storeReviewId, text, isStillWanted }) {
      const response = await client.send({
        method: "POST",
        url: `${urlOf(externalAppId, storeReviewId)}:reply`,
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ replyText: text }),
        words,
        isStillWanted,
      });
      return toAnswerResult(response, (body) => {
        const result = valueAt(parseJson(body), "result");
        const reply = toReply(valueAt(result, "replyText"), dateOf(valueAt(result, "lastEdited")));
        return reply ? { ...reply, isPublic: true } : undefined;
      });
    },
    async withdraw() {
      const reason = "Google Play can't withdraw an answer: it can only be replaced by another one";
      return { outcome: "refused", reason };
    },
  };
}
