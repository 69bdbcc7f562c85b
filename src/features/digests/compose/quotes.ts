// The reviews that say best what a digest is about: they mention what rose or is new, take sides, and are neither
// a cry nor an essay.
import type { DigestReview, Quote } from "../../../domain/changes/digest.ts";
import { shorten } from "../../../domain/review/quote.ts";
import { formatTimestamp } from "../../../lib/timestamp.ts";
import type { ReviewWords } from "./near-duplicates.ts";
import type { FoundPhrase } from "./new-phrases.ts";
import type { FoundSpike } from "./spikes.ts";

export const quotesMax = 3;
/** Shorter ones are cries. */
export const textUnitsMin = 25;
/** Reviews of this length fit into a quote. */
const wordsBest = 30;

/** Something that a quote can show, with its weight. */
type Theme = { name: string; weight: number; has(review: DigestReview): boolean };

export function chooseQuotes(input: {
  /** One review of each group of near-duplicates, with the size of the group. */
  reviews: readonly (ReviewWords & { copyCount: number })[];
  spikes: readonly FoundSpike[];
  newPhrases: readonly FoundPhrase[];
}): Quote[] {
  const themes = listThemes(input);
  const candidates = input.reviews.filter(
    ({ review }) => review.text.trim().length >= textUnitsMin,
  );
  const shown = new Set<string>();
  const quotes: Quote[] = [];
  while (quotes.length < quotesMax) {
    const left = candidates.filter(
      ({ review }) => !quotes.some(({ reviewId }) => reviewId === review.id),
    );
    const best = findBest(
      left,
      ({ review, words, copyCount }) =>
        valueOfThemes(themes, { review, shown }) +
        Math.abs(review.score) +
        Math.log2(copyCount) +
        closenessTo(wordsBest, words.length),
    );
    if (!best) break;
    const mentions = themes.filter((theme) => theme.has(best.review)).map(({ name }) => name);
    for (const name of mentions) shown.add(name);
    quotes.push(toQuote(best.review, mentions));
  }
  return quotes;
}

/** The first of those with the highest value. */
export function findBest<Item>(
  items: readonly Item[],
  judge: (item: Item) => number,
): Item | undefined {
  const values = items.map(judge);
  return items[values.indexOf(values.reduce((most, value) => Math.max(most, value), -Infinity))];
}

function listThemes(input: {
  reviews: readonly ReviewWords[];
  spikes: readonly FoundSpike[];
  newPhrases: readonly FoundPhrase[];
}): Theme[] {
  const spikes = input.spikes.flatMap((spike): Theme[] => {
    const weight = Math.log2((spike.count + 1) / (spike.expected + 1)) + 1;
    const { subject, value } = spike;
    if (subject === "topic")
      return [{ name: value, weight, has: ({ topics }) => topics.includes(value) }];
    if (subject === "negative")
      return [{ name: subject, weight, has: ({ sentiment }) => sentiment === "negative" }];
    if (subject === "version") {
      const isBad = (review: DigestReview): boolean => review.sentiment === "negative";
      const has = (review: DigestReview): boolean => review.version === value && isBad(review);
      return [{ name: `version ${value}`, weight, has }];
    }
    return [];
  });
  const phrases = input.newPhrases.map((phrase): Theme => {
    const ids = new Set(phrase.reviewIds);
    return { name: phrase.phrase, weight: 2, has: ({ id }) => ids.has(id) };
  });
  const themes = [...spikes, ...phrases];
  return themes.length > 0 ? themes : listCommonTopics(input.reviews);
}

/** In a quiet week: what most reviews are about. */
function listCommonTopics(reviews: readonly ReviewWords[]): Theme[] {
  const counts = new Map<string, number>();
  for (const topic of reviews.flatMap(({ review }) => review.topics)) {
    counts.set(topic, (counts.get(topic) ?? 0) + 1);
  }
  return [...counts].map(([name, count]) => ({
    name,
    weight: (2 * count) / reviews.length,
    has: ({ topics }) => topics.includes(name),
  }));
}

/** A theme that a quote shows already counts little: three quotes should say three things. */
const shownShare = 0.2;

function valueOfThemes(
  themes: readonly Theme[],
  { review, shown }: { review: DigestReview; shown: ReadonlySet<string> },
): number {
  let value = 0;
  for (const theme of themes) {
    if (theme.has(review)) value += theme.weight * (shown.has(theme.name) ? shownShare : 1);
  }
  return value;
}

/** 1 for the best length, less for shorter and longer ones. */
export function closenessTo(best: number, length: number): number {
  return 1 / (1 + Math.abs(Math.log2((length + 1) / best)));
}

function toQuote(review: DigestReview, mentions: string[]): Quote {
  return {
    reviewId: review.id,
    rating: review.rating,
    text: shorten(review.text),
    date: formatTimestamp(review.date),
    version: review.version,
    language: review.language,
    country: review.country,
    sentiment: review.sentiment,
    topics: [...review.topics],
    mentions,
  };
}
