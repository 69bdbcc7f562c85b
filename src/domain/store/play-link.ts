// Reads two forms of Google's own: the link of a review in a Play Console export, which is the only place there with its
// id, and a title before a text.

import { canParseUrl } from "../../lib/urls.ts";
import { cleanText } from "../clean-text.ts";

/** Null for a link without an id. Exports of 2018 and before have it in the fragment. */
export function parseReviewLink(link: string): string | null {
  if (!canParseUrl(link)) return null;
  const { hash, searchParams } = new URL(link);
  const id = searchParams.get("reviewId") ?? new URLSearchParams(hash.slice(1)).get("reviewid");
  return cleanText(id ?? "") || null;
}

/** The texts of Google's API for an account: old reviews have their title before a tab. */
export function splitTabbedTitle(written: string): { title: string | null; text: string } {
  const tab = written.indexOf("\t");
  return tab < 0
    ? { title: null, text: written }
    : { title: written.slice(0, tab) || null, text: written.slice(tab + 1) };
}
