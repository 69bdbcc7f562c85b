// The expected rollups of a listing, counted from its reviews.
import { type Review, regionOf } from "../../src/domain/review/review.ts";
import { dayOf, mondayOf } from "../../src/lib/timestamp.ts";
import type { readRollups } from "./read-rollups.ts";

export function recountRollups(
  reviews: readonly Review[],
): Awaited<ReturnType<typeof readRollups>> {
  const days = new Map<string, number[]>();
  const weeks = new Map<string, number[]>();
  const topics = new Map<string, number[]>();
  const topicWeeks = new Map<string, number[]>();
  const topicRows: string[] = [];
  const facets = new Map<string, number[]>();
  const labels = ["positive", "neutral", "negative", "mixed"];
  for (const review of reviews) {
    const { id, date, rating, analysis } = review;
    const day = dayOf(date);
    const label = analysis?.sentiment ? labels.indexOf(analysis.sentiment.label) : -1;
    for (const region of ["", `${regionOf(review)} `]) {
      for (const facet of [`language ${analysis?.language ?? ""}`, `version ${review.version}`]) {
        if (facet.endsWith(" ")) continue;
        const key = `${region}${day} ${facet}`;
        const [total = 0, negative = 0] = facets.get(key) ?? [];
        facets.set(key, [total + 1, negative + (labels[label] === "negative" ? 1 : 0)]);
      }
      for (const [map, key] of [
        [days, region + day],
        [weeks, region + mondayOf(day)],
      ] as const) {
        const counts = map.get(key) ?? Array.from({ length: 10 }, () => 0);
        map.set(key, counts);
        for (const index of [0, rating, ...(label < 0 ? [] : [6 + label])]) {
          counts[index] = (counts[index] ?? 0) + 1;
        }
      }
      for (const [at, topic] of (analysis?.topics ?? []).entries()) {
        const score = analysis?.topicScores?.[at] ?? 0;
        addTo(topics, { key: `${region}${day} ${topic}`, label, score, rating });
        addTo(topicWeeks, { key: `${region}${mondayOf(day)} ${topic}`, label, score, rating });
      }
    }
    for (const topic of analysis?.topics ?? []) {
      const label = analysis?.sentiment?.label ?? "";
      topicRows.push(`${id} ${topic} ${rating} ${label} ${date.getTime() / 1_000}`);
    }
  }
  const sorted = <T>(map: Map<string, T>): [string, T][] =>
    [...map].sort(([a], [b]) => (a < b ? -1 : 1));
  return {
    days: sorted(days),
    weeks: sorted(weeks),
    topics: sorted(topics),
    topicWeeks: sorted(topicWeeks),
    topicRows: topicRows.sort(),
    facets: sorted(facets),
  };
}

/** In total, by sentiment, then the good and the bad opinions on the topic and the stars that these lost. */
function addTo(
  map: Map<string, number[]>,
  add: { key: string; label: number; score: number; rating: number },
): void {
  const counts = map.get(add.key) ?? [0, 0, 0, 0, 0, 0, 0, 0];
  map.set(add.key, counts);
  const raise = (index: number, by: number): void => {
    counts[index] = (counts[index] ?? 0) + by;
  };
  raise(0, 1);
  if (add.label >= 0) raise(1 + add.label, 1);
  if (add.score >= 0.2) raise(5, 1);
  if (add.score <= -0.2) raise(6, 1);
  if (add.score <= -0.2) raise(7, 5 - add.rating);
}
