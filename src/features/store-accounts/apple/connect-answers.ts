// Answers to reviews through App Store Connect: one for each review, created or overwritten by a POST, which the App Store
// shows later.
import type {
  AnsweredReview,
  StoreAnswer,
  StoreAnswers,
} from "../../../domain/review/store-answer.ts";
import { parseJson, textAt, valueAt } from "../../../lib/json.ts";
import { dateOf } from "../../../stores/apple/rss-entry.ts";
import { toReply } from "../../../stores/source-reviews.ts";
import { toAnswerResult } from "../answer-result.ts";
import type { ConnectClient } from "./connect-client.ts";
import { connectWords } from "./connect-token.ts";

const words = {
  ...connectWords,
  forbidden: "its role may not answer reviews; it takes Customer Support or a role above it",
  missing: { 404: "has no such review in this account (HTTP 404)" },
};

type ConnectAnswer = StoreAnswer & { id: string };

export function createConnectAnswers(client: ConnectClient): StoreAnswers {
  const read = async ({ storeReviewId }: AnsweredReview) => {
    const path = `/v1/customerReviews/${encodeURIComponent(storeReviewId)}`;
    const response = await client.send(`${path}/response`, { method: "GET", words });
    if (response.kind === "ok" || response.status !== 404)
      return toAnswerResult(response, parseAnswer);
    // Without an answer there is nothing at the path, and neither is there for an account that has lost the app.
    const review = await client.send(path, { method: "GET", words });
    return toAnswerResult(review, (): ConnectAnswer | null => null);
  };
  return {
    async read(review) {
      const found = await read(review);
      return found.outcome === "ok"
        ? { ...found, value: found.value && toAnswer(found.value) }
        : found;
    },
    async publish({ storeReviewId, text, isStillWanted }) {
      const review = { data: { type: "customerReviews", id: storeReviewId } };
      const data = {
        type: "customerReviewResponses",
        attributes: { responseBody: text },
        relationships: { review },
      };
      const body = JSON.stringify({ data });
      const sent = { method: "POST" as const, body, words, isStillWanted };
      const response = await client.send("/v1/customerReviewResponses", sent);
      return toAnswerResult(response, (text) => {
        const answer = parseAnswer(text);
        return answer ? toAnswer(answer) : undefined;
      });
    },
    async withdraw({ isStillWanted, ...review }) {
      const found = await read(review);
      if (found.outcome !== "ok") return found;
      if (found.value === null) return { outcome: "ok", value: null };
      const path = `/v1/customerReviewResponses/${encodeURIComponent(found.value.id)}`;
      const response = await client.send(path, { method: "DELETE", words, isStillWanted });
      return toAnswerResult(response, () => null);
    },
  };
}

function toAnswer({ text, at, isPublic }: ConnectAnswer): StoreAnswer {
  return { text, at, isPublic };
}

/** null: the review is unanswered; undefined: something else. */
function parseAnswer(body: string): ConnectAnswer | null | undefined {
  const json = parseJson(body);
  if (typeof json !== "object" || json === null || !("data" in json)) return undefined;
  if (json.data === null) return null;
  const id = textAt(json, "data", "id");
  const at = dateOf(textAt(json, "data", "attributes", "lastModifiedDate"));
  const reply = toReply(valueAt(json, "data", "attributes", "responseBody"), at);
  if (id === null || !reply) return undefined;
  const state = textAt(json, "data", "attributes", "state");
  return { id, ...reply, isPublic: state !== "PENDING_PUBLISH" };
}
