// Generated reviews, the same for the same seed: as rows of an import file and as content of a store.
import { once } from "node:events";
import fs from "node:fs";
import { phraseBookOf } from "../../simulator/phrase-books.ts";
import { createRandom, type Random } from "../../simulator/random.ts";
import { type GeneratedReview, generateReview } from "../../simulator/review-generator.ts";

/** Languages with a phrase book. */
export const languages = "en de fr es pt it ja ru ko id".split(" ");

/** Writes JSON lines: ten languages, the newest first, over five years. */
export async function writeRows(file: string, count: number): Promise<void> {
  const random = createRandom(7);
  const out = fs.createWriteStream(file);
  const newestMs = Date.parse("2026-11-20T00:00:00Z");
  for (let number = 0; number < count; number += 1) {
    const date = new Date(newestMs - Math.floor((number / count) * fiveYearsMs));
    const review = generateOne(random, random.pick(languages));
    const row = { id: `bench-${number}`, version: "4.2.1", date: date.toISOString(), ...review };
    if (!out.write(`${JSON.stringify(row)}\n`)) await once(out, "drain");
  }
  out.end();
  await once(out, "finish");
}

export const fiveYearsMs = 5 * 365 * 86_400_000;

export function generateOne(random: Random, language: string): GeneratedReview {
  return generateReview(random, {
    book: phraseBookOf(language),
    version: "4.2.1",
    profile: "ordinary",
  });
}
