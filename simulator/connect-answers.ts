// Answers to reviews in App Store Connect: one for each review, which a second one replaces, and which is shown after a while.
import { parseJson, textAt } from "../src/lib/json.ts";
import {
  type AuthorizedRequest,
  answerAuthorized,
  connectError,
  jsonResponse,
  type OfficialApiDeps,
} from "./connect-api.ts";
import { connectIdOf, responseIdOf, westCoastTime } from "./connect-review.ts";
import type { RequestKind, StoreRequest } from "./store-request.ts";
import type { StoreResponse } from "./store-response.ts";

type Found = NonNullable<ReturnType<OfficialApiDeps["storeState"]["findReview"]>>;

const lengthMax = 5_970;
const methods: Partial<Record<RequestKind, string>> = {
  "connect-answering": "POST",
  "connect-withdrawal": "DELETE",
};

export function handleConnectAnswers(
  deps: OfficialApiDeps,
  request: StoreRequest,
): Promise<StoreResponse> {
  const method = methods[request.kind] ?? "GET";
  return answerAuthorized(deps, { request, method, respond: respondToAnswer });
}

function respondToAnswer(
  deps: OfficialApiDeps,
  { request, key }: AuthorizedRequest,
): StoreResponse {
  const body = parseJson(request.body);
  const [, , name, id = ""] = request.url.pathname.split("/");
  const namedId =
    request.kind === "connect-answering"
      ? textAt(body, "data", "relationships", "review", "data", "id")
      : decodeURIComponent(id);
  const idOf = (storeReviewId: string): string =>
    request.kind === "connect-withdrawal"
      ? responseIdOf({ storeReviewId })
      : connectIdOf(storeReviewId);
  const found = deps.storeState.findReview("appstore", (one) => idOf(one) === namedId);
  const isOwn = found && (key.appIds?.includes(found.app.externalAppId) ?? true);
  if (!isOwn || name === undefined) return connectError(404, "NOT_FOUND");
  if (request.kind === "connect-answer") return jsonResponse(200, { data: toData(deps, found) });
  if (request.kind === "connect-review")
    return jsonResponse(200, { data: { type: "customerReviews", id: namedId } });
  if (key.isReadOnly) return connectError(403, "FORBIDDEN_ERROR");
  if (request.kind === "connect-withdrawal") return withdraw(deps, found);
  return publish(deps, { found, text: textAt(body, "data", "attributes", "responseBody") ?? "" });
}

function withdraw({ storeState }: OfficialApiDeps, { app, review, reply }: Found): StoreResponse {
  if (reply === null) return connectError(404, "NOT_FOUND");
  storeState.addReply(app, { storeReviewId: review.storeReviewId, reply: null });
  return { status: 204, headers: {}, body: "" };
}

function publish(
  deps: OfficialApiDeps,
  { found, text }: { found: Found; text: string },
): StoreResponse {
  const { apiAuth, storeState } = deps;
  const { delayMs, refusedWords } = apiAuth.answers;
  const isRefused = refusedWords.some((word) => text.includes(word));
  if (isRefused || text.trim() === "" || text.length > lengthMax)
    return connectError(409, "ENTITY_ERROR.ATTRIBUTE.INVALID");
  const { app, review } = found;
  const at = storeState.clock.now();
  const reply = { text: text.trim(), at, publicAt: new Date(at.getTime() + delayMs) };
  storeState.addReply(app, { storeReviewId: review.storeReviewId, reply });
  return jsonResponse(201, { data: toData(deps, { app, review, reply }) });
}

/** null: the developer has not answered. */
function toData({ storeState }: OfficialApiDeps, { review, reply }: Found): unknown {
  if (!reply) return null;
  const publicAt = reply.publicAt ?? reply.at ?? review.date;
  return {
    type: "customerReviewResponses",
    id: responseIdOf(review),
    attributes: {
      responseBody: reply.text,
      lastModifiedDate: westCoastTime(reply.at ?? review.date),
      state: publicAt <= storeState.clock.now() ? "PUBLISHED" : "PENDING_PUBLISH",
    },
  };
}
