// Generates one review from a phrase book: rating, title and text fit each other and the app version.
import type { PhraseBook, Template } from "./phrase-books.ts";
import type { Random } from "./random.ts";
import type { Mention } from "./release-history.ts";

export type SentimentProfile = "ordinary" | "outraged" | "drained" | "relieved";

export type GeneratedReview = { author: string; rating: number; title: string; text: string };

export function generateReview(
  random: Random,
  input: { book: PhraseBook; version: string; profile: SentimentProfile },
): GeneratedReview {
  const { book, profile } = input;
  const rating = random.weighted(ratingOdds[profile]);
  const [title, text] = random.pick(templatesFor(book, { rating, profile }));
  const closers = rating >= 4 ? book.more.good : book.more.bad;
  // Sentences about the battery are separate, so that their translation is known.
  const isStory = profile === "drained" || profile === "relieved";
  const closer = !isStory && random.chance(0.4) ? ` ${random.pick(closers)}` : "";
  return {
    author: nickname(random, book),
    rating,
    title: fillSlots(random, { text: title, input }),
    text: fillSlots(random, { text: text + closer, input }),
  };
}

/**
 * Words about the battery, those that were used at the most distant moment. No two reviews in a row say the same, whether a
 * list has one store or both.
 *
 * @param mentions gets the new words
 */
export function mentionBattery(
  mentions: Mention[],
  input: Omit<Mention, "index"> & { book: PhraseBook; version: string },
): { title: string; text: string } {
  const { book, version, kind, store, at } = input;
  const awayOf = (one: Mention): number => one.at.getTime() - at.getTime();
  const known = mentions
    .filter((one) => one.kind === kind)
    .toSorted((one, other) => Math.abs(awayOf(one)) - Math.abs(awayOf(other)));
  const neighbours = [known, known.filter((one) => one.store === store)].flatMap((list) => [
    list.find((one) => awayOf(one) <= 0)?.index,
    list.find((one) => awayOf(one) > 0)?.index,
  ]);
  const rankOf = (index: number): number => {
    const rank = known.findIndex((one) => one.index === index);
    return rank === -1 ? known.length : rank;
  };
  const [index = 0] = [...book[kind].keys()]
    .filter((one) => !neighbours.includes(one))
    .toSorted((one, other) => rankOf(other) - rankOf(one));
  mentions.push({ kind, store, index, at });
  const [title = "", text = ""] =
    book[kind][index]?.map((words) => words.replaceAll("{version}", version)) ?? [];
  return { title, text };
}

/** The edited review of the same author: another rating, and text that fits it. */
export function generateRevision(
  random: Random,
  input: { book: PhraseBook; version: string; author: string; rating: number },
): GeneratedReview {
  const rating = input.rating <= 2 ? random.whole(4, 5) : random.whole(1, 3);
  const [title, text] = random.pick(templatesFor(input.book, { rating, profile: "ordinary" }));
  return {
    author: input.author,
    rating,
    title: fillSlots(random, { text: title, input }),
    text: fillSlots(random, { text, input }),
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
  drained: [
    { item: 3, weight: 15 },
    { item: 2, weight: 35 },
    { item: 1, weight: 50 },
  ],
  relieved: [
    { item: 5, weight: 60 },
    { item: 4, weight: 40 },
  ],
};

function templatesFor(
  book: PhraseBook,
  { rating, profile }: { rating: number; profile: SentimentProfile },
): readonly Template[] {
  if (profile === "drained") return book.drained;
  if (profile === "relieved") return book.fixed;
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
  { text, input }: { text: string; input: { book: PhraseBook; version: string } },
): string {
  return text.replace(/\{(\w+)\}/g, (_, slot: string) =>
    slot === "version"
      ? input.version
      : random.pick(input.book.slots[slot as keyof PhraseBook["slots"]]),
  );
}
