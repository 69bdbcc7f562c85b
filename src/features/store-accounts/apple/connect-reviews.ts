// Parses a page of App Store Connect's reviews with the developer's responses beside them.
import { type Reply, reviewLimits, type SourceReview } from "../../../domain/review/review.ts";
import { regionOfTerritory } from "../../../domain/store/territories.ts";
import { countAt, listAt, numberAt, parseJson, textAt, valueAt } from "../../../lib/json.ts";
import { canParseUrl } from "../../../lib/urls.ts";
import { dateOf } from "../../../stores/apple/rss-entry.ts";
import { collectReviews, toReply, toSourceReview } from "../../../stores/source-reviews.ts";

export type ConnectPage = {
  reviews: SourceReview[];
  rejectedCount: number;
  /** null on the last page. */
  cursor: string | null;
  /** How many there are over all pages, or null. */
  total: number | null;
};

/** null: no page of reviews. */
export function parseConnectPage(text: string): ConnectPage | null {
  const json = parseJson(text);
  const data = listAt(json, "data");
  if (data === null) return null;
  const replies = parseReplies(listAt(json, "included") ?? []);
  return {
    ...collectReviews(data, (item) => parseReview(item, replies)),
    cursor: cursorOf(textAt(json, "links", "next")),
    total: countAt(json, "meta", "paging", "total"),
  };
}

function parseReview(item: unknown, replies: ReadonlyMap<string, Reply>): SourceReview | null {
  if (textAt(item, "type") !== "customerReviews") return null;
  const attribute = (name: string): unknown => valueAt(item, "attributes", name);
  const responseId = textAt(item, "relationships", "response", "data", "id");
  const territory = textAt(item, "attributes", "territory");
  // A list has no versions: see connect-versions.ts.
  const raw = {
    id: textAt(item, "id"),
    author: attribute("reviewerNickname"),
    rating: numberAt(item, "attributes", "rating"),
    title: attribute("title"),
    text: attribute("body"),
    country: territory === null ? null : regionOfTerritory(territory),
    date: dateOf(textAt(item, "attributes", "createdDate")),
    reply: replies.get(responseId ?? "") ?? null,
  };
  return toSourceReview(raw, isReviewId);
}

function isReviewId(text: string): boolean {
  return text.length <= reviewLimits.storeReviewIdMax && /^(?=.*\d)[\w-]+$/.test(text);
}

/** Published replies only. */
function parseReplies(included: readonly unknown[]): ReadonlyMap<string, Reply> {
  const replies = new Map<string, Reply>();
  for (const item of included) {
    const id = textAt(item, "id");
    const at = dateOf(textAt(item, "attributes", "lastModifiedDate"));
    const reply = toReply(valueAt(item, "attributes", "responseBody"), at);
    const isPublic = (textAt(item, "attributes", "state") ?? "PUBLISHED") === "PUBLISHED";
    if (textAt(item, "type") !== "customerReviewResponses" || id === null) continue;
    if (reply && isPublic) replies.set(id, reply);
  }
  return replies;
}

const cursorLengthMax = 1_000;

/** The link itself is never followed: the token would be sent wherever it leads. */
export function cursorOf(next: string | null): string | null {
  const base = "https://connect.invalid";
  if (next === null || !canParseUrl(next, base)) return null;
  const cursor = new URL(next, base).searchParams.get("cursor");
  return cursor !== null && cursor !== "" && cursor.length <= cursorLengthMax ? cursor : null;
}
