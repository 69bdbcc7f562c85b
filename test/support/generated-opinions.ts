// Starred reviews in an invented vocabulary that is in none of the shipped weights, in Georgian letters so
// that the script alone identifies the language. The same seed gives the same reviews.
import type { StarredReview } from "../../src/analysis/fine-tuning-training.ts";

export const opinionLanguage = "ka";

const letters = [..."აბგდევზთიკლმნოპრსტუფქღყშჩცძწჭხჯჰ"];

/** @param options.isNoise makes stars independent of the words */
export function generateOpinions(options: {
  count: number;
  seed?: number;
  isNoise?: boolean;
}): StarredReview[] {
  const random = openRandom(options.seed ?? 1);
  return Array.from({ length: options.count }, (_, index) => {
    const isPositive = index % 2 === 0;
    const rating = (options.isNoise ? random() < 0.5 : isPositive) ? 5 : 1;
    const words = Array.from({ length: 8 }, () => generateWord(random, isPositive));
    return { title: null, text: words.join(" "), rating };
  });
}

const wordsPerPolarity = 30;
const neutralWords = 300;

// Every other word is neutral: positive and negative reviews use it.
function generateWord(random: () => number, isPositive: boolean): string {
  if (random() < 0.5) return spell(1_000 + Math.floor(random() * neutralWords));
  return spell((isPositive ? 100 : 200) + Math.floor(random() * wordsPerPolarity));
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
