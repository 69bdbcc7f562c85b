// The link of a review in a Play Console export: the only place of the export that has the review's id.
import { cleanText } from "./clean-text.ts";

/** Null for a link without an id. Exports of 2018 and before have it in the fragment. */
export function parseReviewLink(link: string): string | null {
  if (!URL.canParse(link)) return null;
  const { hash, searchParams } = new URL(link);
  const id = searchParams.get("reviewId") ?? new URLSearchParams(hash.slice(1)).get("reviewid");
  return cleanText(id ?? "") || null;
}
