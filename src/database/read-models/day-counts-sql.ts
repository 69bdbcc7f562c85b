// Counts of reviews by day, added up in a statement.
import type { SentimentLabel } from "../../domain/analysis.ts";

export type DayCounts = {
  total: number;
  /** Reviews with 1 to 5 stars, in that order. */
  stars: number[];
} & Record<SentimentLabel, number>;

export const sumOf = (name: string): string => `sum(d.${name})::integer`;

/** The counts of days `d`, added up. */
export const daySums = `${sumOf("total")} as total,
       array[${[1, 2, 3, 4, 5].map((star) => sumOf(`stars_${star}`)).join(", ")}] as stars,
       ${["positive", "neutral", "negative", "mixed"].map((name) => `${sumOf(name)} as ${name}`).join(", ")}`;
