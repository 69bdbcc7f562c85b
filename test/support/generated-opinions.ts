// Starred reviews in an invented vocabulary that no shipped weight knows, in Georgian letters so that
// their language is told by the script alone. The same seed gives the same reviews.
import type { StarredReview } from "../../src/analysis/fine-tuning-training.ts";

export const opinionLanguage = "ka";

const letters = [..."აბგდევზთიკლმნოპრსტუფქღყშჩცძწჭხჯჰ"];

/** @param given.isNoise the stars say nothing of the words */
export function generateOpinions(given: {
  count: number;
  seed?: number;
  isNoise?: boolean;
}): StarredReview[] {
  const random = openRandom(given.seed ?? 1);
  return Array.from({ length: given.count }, (_, index) => {
    const isPraise = index % 2 === 0;
    const rating = (given.isNoise ? random() < 0.5 : isPraise) ? 5 : 1;
    const words = Array.from({ length: 8 }, () => wordOf(random, isPraise));
    return { title: null, text: words.join(" "), rating };
  });
}

const wordsOfASide = 30;
const plainWords = 300;

// Every other word is one that both sides use.
function wordOf(random: () => number, isPraise: boolean): string {
  if (random() < 0.5) return spell(1_000 + Math.floor(random() * plainWords));
  return spell((isPraise ? 100 : 200) + Math.floor(random() * wordsOfASide));
}

function spell(number: number): string {
  const random = openRandom(number);
  return Array.from({ length: 6 }, () => letters[Math.floor(random() * letters.length)]).join("");
}

/** Mulberry32. */
function openRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
