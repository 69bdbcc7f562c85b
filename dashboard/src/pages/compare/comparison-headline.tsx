// The largest differences of a comparison in one sentence, with their numbers: only those that are more than chance.
import type { FeedSummary } from "../../../../src/dashboard-api/contract/reviews.ts";
import { differenceOf } from "../../../../src/domain/changes/share-difference.ts";
import { topicName } from "../../format/names.ts";
import { formatStars } from "../../format/numbers.ts";
import styles from "./compare.module.css";
import type { Side } from "./side.ts";
import { differsInStars } from "./star-difference.ts";

type Fact = { words: string; size: number };
type Counts = { left: number; right: number };

const factsMax = 3;

type HeadlineProps = { left: Side; right: Side; topics: readonly ({ topic: string } & Counts)[] };

export function ComparisonHeadline({ left, right, topics }: HeadlineProps) {
  if (!left.summary || !right.summary) return null;
  const facts = [
    ...negativeFact(left, right),
    ...topics.flatMap(({ topic, ...counts }) =>
      shareFact(`complaints about ${topicName(topic).toLowerCase()}`, counts, { left, right }),
    ),
  ]
    .toSorted((one, other) => other.size - one.size)
    .slice(0, factsMax);
  const words = [...starsFact(left, right), ...facts.map((fact) => fact.words)];
  return (
    <p className={styles.headline}>
      {describeEmpty(left.summary.total, right.summary.total) ??
        (words.length === 0
          ? "A and B do not differ by more than chance explains."
          : `B has ${listWords(words)}.`)}
    </p>
  );
}

function describeEmpty(left: number, right: number): string | null {
  if (left > 0 && right > 0) return null;
  if (left + right === 0)
    return "Neither A nor B has reviews. Remove a filter, or widen the dates.";
  return `${left === 0 ? "A" : "B"} has no reviews to compare with.`;
}

/** Stars are compared only where no side is a choice of them. */
function starsFact(left: Side, right: Side): string[] {
  if (left.filters.rating || right.filters.rating) return [];
  const [one, other] = [starsOf(left.summary), starsOf(right.summary)];
  const [before, now] = [left.summary?.averageRating ?? 0, right.summary?.averageRating ?? 0];
  if (!differsInStars(one, other)) return [];
  const size = Math.abs(now - before).toFixed(2);
  const direction = now < before ? "fewer" : "more";
  return [
    `${size} stars ${direction} than A (${formatStars(now)} instead of ${formatStars(before)})`,
  ];
}

function starsOf(summary: FeedSummary | undefined): number[] {
  const counts = summary?.facets.rating ?? [];
  return [1, 2, 3, 4, 5].map(
    (stars) => counts.find(({ value }) => value === String(stars))?.count ?? 0,
  );
}

function negativeFact(left: Side, right: Side): Fact[] {
  if (left.filters.sentiment || right.filters.sentiment) return [];
  const count = ({ summary }: Side) =>
    summary?.facets.sentiment.find(({ value }) => value === "negative")?.count ?? 0;
  return shareFact("negative reviews", { left: count(left), right: count(right) }, { left, right });
}

function shareFact(noun: string, counts: Counts, sides: { left: Side; right: Side }): Fact[] {
  const [first, second] = [
    { count: counts.left, total: sides.left.summary?.total ?? 0 },
    { count: counts.right, total: sides.right.summary?.total ?? 0 },
  ];
  const { points, isSignificant } = differenceOf(first, second);
  if (!isSignificant) return [];
  const percent = ({ count, total }: typeof first) => `${((count / total) * 100).toFixed(1)}%`;
  const direction = points > 0 ? "more" : "fewer";
  const size = Math.abs(points);
  return [
    {
      words: `${size.toFixed(1)} points ${direction} ${noun} (${percent(second)} instead of ${percent(first)})`,
      size,
    },
  ];
}

function listWords(words: readonly string[]): string {
  return words.length < 2 ? words.join("") : `${words.slice(0, -1).join(", ")} and ${words.at(-1)}`;
}
