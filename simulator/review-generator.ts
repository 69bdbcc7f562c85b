// Makes one invented review: rating, title and text that fit each other and the version they speak of.
import type { PhraseBook, Template } from "./phrases/phrase-book.ts";
import type { Random } from "./random.ts";

export type SentimentProfile = "ordinary" | "outraged";

export type GeneratedReview = { author: string; rating: number; title: string; text: string };

export function generateReview(
  random: Random,
  about: { book: PhraseBook; version: string; profile: SentimentProfile },
): GeneratedReview {
  const { book, profile: mood } = about;
  const rating = random.weighted(ratingOdds[mood]);
  const [title, text] = random.pick(templatesFor(book, { rating, mood }));
  const resources = rating >= 4 ? book.more.good : book.more.bad;
  const closer = random.chance(0.4) ? ` ${random.pick(resources)}` : "";
  return {
    author: nickname(random, book),
    rating,
    title: fillSlots(random, { text: title, about }),
    text: fillSlots(random, { text: text + closer, about }),
  };
}

/** What the same person writes after an edit: another rating, and words that fit it. */
export function generateRevision(
  random: Random,
  about: { book: PhraseBook; version: string; author: string; rating: number },
): GeneratedReview {
  const rating = about.rating <= 2 ? random.whole(4, 5) : random.whole(1, 3);
  const [title, text] = random.pick(templatesFor(about.book, { rating, mood: "ordinary" }));
  return {
    author: about.author,
    rating,
    title: fillSlots(random, { text: title, about }),
    text: fillSlots(random, { text, about }),
  };
}

const ratingOdds: Readonly<Record<SentimentProfile, { item: number; weight: number }[]>> = {
  ordinary: [
    { item: 5, weight: 52 },
    { item: 4, weight: 18 },
    { item: 3, weight: 10 },
    { item: 2, weight: 7 },
    { item: 1, weight: 13 },
  ],
  outraged: [
    { item: 5, weight: 8 },
    { item: 4, weight: 4 },
    { item: 3, weight: 6 },
    { item: 2, weight: 14 },
    { item: 1, weight: 68 },
  ],
};

function templatesFor(
  book: PhraseBook,
  { rating, mood: profile }: { rating: number; mood: SentimentProfile },
): readonly Template[] {
  if (rating === 5) return book.praise;
  if (rating === 4) return [...book.praise, ...book.mixed];
  if (rating === 3) return book.mixed;
  if (profile === "outraged") return [...book.outrage, ...book.outrage, ...book.complaints];
  return book.complaints;
}

function nickname(random: Random, book: PhraseBook): string {
  const name = random.pick(book.nicknames);
  return random.chance(0.6) ? `${name}${random.whole(2, 99)}` : name;
}

function fillSlots(
  random: Random,
  { text, about }: { text: string; about: { book: PhraseBook; version: string } },
): string {
  return text.replace(/\{(\w+)\}/g, (_, slot: string) =>
    slot === "version"
      ? about.version
      : random.pick(about.book.slots[slot as keyof PhraseBook["slots"]]),
  );
}
