// English translations of what the demo's reviewers say of the battery: those sentences are in the same order
// in every phrase book, so that no translator is needed.

import { languageOf, phraseBookOf } from "../../simulator/phrase-books.ts";
import type { AppKey } from "../../simulator/store-facts.ts";
import type { StoreState } from "../../simulator/store-state.ts";
import type { Container } from "../app/container.ts";
import type { App } from "../domain/listing.ts";
import { reviewIdOf } from "../domain/review.ts";

export async function saveTranslations(
  deps: Container,
  sample: { storeState: StoreState; app: App; key: AppKey },
): Promise<void> {
  const { storeState, app, key } = sample;
  const translated = storeState.reviewsNow(key, "all").flatMap((review) => {
    const { text: source, version, region, storeReviewId } = review;
    const text = translate(source, { region, version });
    if (text === null) return [];
    const reviewId = reviewIdOf({ ...key, storeReviewId });
    return { reviewId, source, translation: { text, from: languageOf(region) } };
  });
  await deps.database.setTranslations({ listingId: app.listingId, translated });
}

/** null for English, and for what is not in the phrase books. */
function translate(text: string, of: { region: string; version: string }): string | null {
  const [book, english] = [phraseBookOf(of.region), phraseBookOf("en")];
  if (book === english) return null;
  for (const kind of ["drained", "fixed"] as const) {
    const index = book[kind].findIndex(([, words]) => fill(words, of.version) === text);
    const words = english[kind][index]?.[1];
    if (words !== undefined) return fill(words, of.version);
  }
  return null;
}

function fill(words: string, version: string): string {
  return words.replaceAll("{version}", version);
}
