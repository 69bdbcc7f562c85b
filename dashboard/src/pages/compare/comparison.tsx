// The counts of two sets of reviews side by side, with the differences that are more than chance.
import {
  differenceOf,
  type ShareDifference,
} from "../../../../src/domain/changes/share-difference.ts";
import { Card } from "../../components/card.tsx";
import { Link } from "../../components/link.tsx";
import { Table } from "../../components/table.tsx";
import { capitalised } from "../../format/capitalised.ts";
import { topicName } from "../../format/names.ts";
import { formatChange, formatCount, formatStars } from "../../format/numbers.ts";
import { type FeedFilters, reviewsPath } from "../reviews/filters.ts";
import styles from "./compare.module.css";
import { ComparisonHeadline } from "./comparison-headline.tsx";
import { OverTime } from "./over-time.tsx";
import type { Side } from "./side.ts";

type Row = { key: string; label: string; left: number; right: number; filter: FeedFilters };

const sentiments = ["positive", "neutral", "mixed", "negative"] as const;

export function Comparison({ left, right }: { left: Side; right: Side }) {
  const topics = topicsOf({ left, right });
  // Tables of zeros say nothing that the sentence above them doesn't.
  const isEmpty = left.summary?.total === 0 && right.summary?.total === 0;
  return (
    <>
      <Card>
        <ComparisonHeadline
          left={left}
          right={right}
          topics={topics.map((topic) => ({ topic, ...complaintsOf(topic, { left, right }) }))}
        />
      </Card>
      <div className={styles.sides}>
        <Total side={left} className={styles.first} />
        <Total side={right} className={styles.second} />
      </div>
      {isEmpty ? null : <OverTime left={left} right={right} />}
      {isEmpty ? null : <AllShares left={left} right={right} topics={topics} />}
    </>
  );
}

function AllShares({ left, right, topics }: BothSides & { topics: readonly string[] }) {
  return (
    <>
      <Shares
        title="Stars"
        facet="rating"
        sides={{ left, right }}
        rows={[5, 4, 3, 2, 1].map((stars) => ({
          ...countsOf("rating", String(stars), { left, right }),
          label: `${stars} ★`,
          filter: { rating: [stars] },
        }))}
      />
      <Shares
        title="Sentiment"
        facet="sentiment"
        sides={{ left, right }}
        rows={sentiments.map((sentiment) => ({
          ...countsOf("sentiment", sentiment, { left, right }),
          label: capitalised(sentiment),
          filter: { sentiment },
        }))}
      />
      <Shares
        title="Complaints by topic"
        hint="Negative reviews that mention the topic, of all reviews of the side"
        facet="topic"
        sides={{ left, right }}
        rows={topics.map((topic) => ({
          ...complaintsOf(topic, { left, right }),
          label: topicName(topic),
          filter: { topic, sentiment: "negative" },
        }))}
      />
    </>
  );
}

function Total({ side, className }: { side: Side; className: string | undefined }) {
  const { name, filters, summary } = side;
  if (!summary) return null;
  const { total, averageRating, newestOnly } = summary;
  return (
    <Card>
      <h2 className={`${styles.name} ${className}`}>{name}</h2>
      <Link href={reviewsPath(filters)} className={styles.total}>
        <strong>{formatCount(total)}</strong> reviews ·{" "}
        <strong>{formatStars(averageRating ?? 0)}</strong> stars
      </Link>
      {newestOnly === null ? null : (
        <p className={styles.hint}>{`Of the newest ${formatCount(newestOnly)} reviews`}</p>
      )}
    </Card>
  );
}

type BothSides = { left: Side; right: Side };
type Facet = "rating" | "sentiment" | "topic";

function countsOf(facet: Facet, value: string, { left, right }: BothSides) {
  const count = ({ summary }: Side) =>
    summary?.facets[facet].find((one) => one.value === value)?.count ?? 0;
  return { key: value, left: count(left), right: count(right) };
}

function complaintsOf(topic: string, { left, right }: BothSides) {
  const count = ({ complaints }: Side) =>
    complaints?.facets.topic.find(({ value }) => value === topic)?.count ?? 0;
  return { key: topic, left: count(left), right: count(right) };
}

const topicsMax = 12;

/** Those that differ most in their share come first. */
function topicsOf(both: BothSides): string[] {
  const names = [both.left, both.right].flatMap(
    ({ complaints }) =>
      complaints?.facets.topic.flatMap(({ value }) => (value === "praise" ? [] : value)) ?? [],
  );
  const shareOf = (count: number, { summary }: Side) => count / Math.max(1, summary?.total ?? 0);
  const difference = (topic: string) => {
    const counts = complaintsOf(topic, both);
    return Math.abs(shareOf(counts.left, both.left) - shareOf(counts.right, both.right));
  };
  return [...new Set(names)]
    .toSorted((one, other) => difference(other) - difference(one))
    .slice(0, topicsMax);
}

type SharesProps = {
  title: string;
  hint?: string;
  facet: Facet;
  sides: BothSides;
  rows: readonly Row[];
};

function Shares({ title, hint, facet, sides: { left, right }, rows }: SharesProps) {
  // A facet counts without its own filter: shares of it would exceed the whole.
  if (left.filters[facet] !== undefined || right.filters[facet] !== undefined) return null;
  const shareOf = (count: number, side: Side) => count / Math.max(1, side.summary?.total ?? 0);
  const highest = Math.max(
    ...rows.flatMap((row) => [shareOf(row.left, left), shareOf(row.right, right)]),
    // No bar is long where all shares are small.
    0.1,
  );
  const bar = (count: number, side: Side, filter: FeedFilters) => (
    <Link
      href={reviewsPath({ ...side.filters, ...filter })}
      className={`${styles.share} ${side === left ? styles.first : styles.second}`}
    >
      <span className={styles.letter}>{side === left ? "A" : "B"}</span>
      <span className={styles.track} aria-hidden="true">
        <span style={{ width: `${(shareOf(count, side) / highest) * 100}%` }} />
      </span>
      <span>{`${formatShare(count, side.summary?.total ?? 0)} · ${formatCount(count)}`}</span>
    </Link>
  );
  return (
    <Card title={title} hint={hint}>
      <div className={styles.pairs}>
        <Table
          caption={`${title} of both sides`}
          stacked
          rows={rows}
          rowKey={({ key }) => key}
          columns={[
            { header: title, hideHeader: true, cell: ({ label }) => <strong>{label}</strong> },
            {
              header: "Share · reviews",
              hideHeader: true,
              cell: (row) => (
                <div className={styles.both}>
                  {bar(row.left, left, row.filter)}
                  {bar(row.right, right, row.filter)}
                </div>
              ),
            },
            {
              header: "Difference",
              cell: (row) => (
                <Difference
                  {...differenceOf(
                    { count: row.left, total: left.summary?.total ?? 0 },
                    { count: row.right, total: right.summary?.total ?? 0 },
                  )}
                />
              ),
              alignEnd: true,
            },
          ]}
        />
      </div>
    </Card>
  );
}

function Difference({ points, isSignificant }: ShareDifference) {
  const text = Math.abs(points) < 0.05 ? "–" : `${formatChange(points, 1)} points`;
  if (isSignificant) return text;
  return (
    <span className={styles.hint} title="Chance alone may make this difference">
      {text}
    </span>
  );
}

/** One decimal, as the difference beside it has: both can be checked. */
function formatShare(count: number, total: number): string {
  return `${((count / Math.max(1, total)) * 100).toFixed(1)}%`;
}
