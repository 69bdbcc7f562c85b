// Answers to reviews in Google's API: one for each review, which a second one replaces; markup is removed from it, and
// nothing withdraws it.
import { parseJson, textAt } from "../src/lib/json.ts";
import { jsonResponse, type OfficialApiDeps } from "./connect-api.ts";
import { apiReview, findPlayAccount, googleError, protobufTime } from "./play-api.ts";
import type { StoreRequest } from "./store-request.ts";
import type { StoreResponse } from "./store-response.ts";

const lengthMax = 350;

export function handlePlayAnswers(deps: OfficialApiDeps, request: StoreRequest): StoreResponse {
  const { apiAuth, storeState } = deps;
  const { externalAppId, kind, url } = request;
  const account = findPlayAccount(deps, request);
  if (!account) return googleError(401, "UNAUTHENTICATED");
  const isOwn = account.packageNames?.includes(externalAppId) ?? true;
  if (!isOwn) return googleError(403, "PERMISSION_DENIED");
  const id = decodeURIComponent(url.pathname.split("/").at(-1) ?? "").replace(/:reply$/, "");
  const found = storeState.findReview("googleplay", (storeReviewId) => storeReviewId === id);
  if (found?.app.externalAppId !== externalAppId) return googleError(404, "NOT_FOUND");
  if (kind === "play-review") {
    if (apiAuth.countRequest("play", externalAppId).left < 0)
      return googleError(429, "RESOURCE_EXHAUSTED");
    return jsonResponse(200, apiReview(found.review, url.searchParams.get("translationLanguage")));
  }
  if (account.isReadOnly) return googleError(403, "PERMISSION_DENIED");
  if (apiAuth.countRequest("play-answers", externalAppId).left < 0)
    return googleError(429, "RESOURCE_EXHAUSTED");
  const entered = textAt(parseJson(request.body), "replyText") ?? "";
  const isRefused = apiAuth.answers.refusedWords.some((word) => entered.includes(word));
  if (isRefused || entered.trim() === "" || entered.length > lengthMax)
    return googleError(400, "INVALID_ARGUMENT");
  const at = storeState.clock.now();
  const text = entered.replace(/<\/?[a-z][^<>]*>/gi, "").trim();
  storeState.addReply(found.app, { storeReviewId: id, reply: { text, at } });
  return jsonResponse(200, { result: { replyText: text, lastEdited: protobufTime(at) } });
}
