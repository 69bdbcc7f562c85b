// What changed, in sentences at the top of the page: since the newest release of an app, or in the last week. Each
// sentence leads to the reviews that it is about.
import { Link } from "wouter";
import type { Digest, Quote, Spike } from "../../../../src/dashboard-api/contract/digest.ts";
import type { Overview, OverviewApp } from "../../../../src/dashboard-api/contract/overview.ts";
import { useApiQuery } from "../../api/workspace.ts";
import { Card } from "../../components/card.tsx";
import { ErrorAlert, Skeleton } from "../../components/feedback.tsx";
import { Stars } from "../../components/stars.tsx";
import { daysBetween, todayUtc } from "../../format/clock.ts";
import { appLabel } from "../../format/names.ts";
import { type FeedFilters, reviewsPath } from "../reviews/filters.ts";
import styles from "./what-changed.module.css";

/** With more apps, those with the most reviews. */
const appsMax = 3;
/** A release is what changed for so many days; afterwards the week is. */
const releaseDays = 28;

export function WhatChangedCard({ overview }: { overview: Overview }) {
  const { apps, releases, range } = overview;
  const shown = apps
    .filter(({ reviews }) => reviews.total > 0)
    .toSorted((one, other) => other.reviews.total - one.reviews.total)
    .slice(0, appsMax);
  if (shown.length === 0) return null;
  return (
    <div className={styles.card}>
      <Card title="What changed">
        <div className={styles.apps}>
          {shown.map((app) => {
            const release = releases.findLast(({ appId }) => appId === app.appId);
            const isNew = release && daysBetween(release.day, range.to) < releaseDays;
            return (
              <AppDigest
                key={app.appId}
                app={app}
                isAlone={apps.length === 1}
                query={{
                  ...(isNew ? { since: release.version } : {}),
                  ...(range.to < todayUtc() ? { to: range.to } : {}),
                }}
              />
            );
          })}
        </div>
      </Card>
    </div>
  );
}

type AppDigestProps = {
  app: OverviewApp;
  isAlone: boolean;
  query: { since?: string; to?: string };
};

function AppDigest({ app, isAlone, query }: AppDigestProps) {
  const digest = useApiQuery("GET /workspaces/:workspace/apps/:app/digest", {
    path: { app: app.appId },
    query,
  });
  return (
    <div className={isAlone ? styles.alone : styles.app}>
      {isAlone ? null : <h3>{appLabel(app)}</h3>}
      {digest.isError ? (
        <ErrorAlert error={digest.error} onRetry={() => void digest.refetch()} />
      ) : null}
      {digest.isPending ? <Skeleton height={104} label="Reading what changed" /> : null}
      {digest.data ? <Sentences digest={digest.data.digest} linesMax={isAlone ? 5 : 3} /> : null}
      {digest.data ? <Quotes digest={digest.data.digest} countMax={isAlone ? 2 : 1} /> : null}
    </div>
  );
}

function Sentences({ digest, linesMax }: { digest: Digest; linesMax: number }) {
  return (
    <ul className={styles.sentences}>
      {toLines(digest)
        .slice(0, linesMax)
        .map(({ text, filters, isWorse }) => (
          <li key={text} className={isWorse ? styles.worse : undefined}>
            <Link href={reviewsPath(filters)}>{text}</Link>
          </li>
        ))}
    </ul>
  );
}

type Line = { text: string; filters: FeedFilters; isWorse: boolean };

/** What rose first, and last how much there was at all. */
function toLines(digest: Digest): Line[] {
  const scope = { app: digest.app.id, ...digest.range };
  const { spikes, newPhrases, sentences } = digest;
  const rose = spikes.map((spike) => ({
    text: spike.sentence,
    filters: { ...scope, ...toFilters(spike) },
    isWorse: spike.subject !== "reviews" && spike.subject !== "language",
  }));
  const phrases = newPhrases.map(({ phrase, sentence }) => ({
    text: sentence,
    filters: { ...scope, q: phrase },
    isWorse: false,
  }));
  const covered = new Set([...rose, ...phrases].map(({ text }) => text));
  const rest = sentences
    .filter((sentence) => !covered.has(sentence))
    .map((text) => ({ text, filters: scope, isWorse: false }));
  // The digest's first sentence says how much there was.
  return [...rest.slice(0, 1), ...rose, ...phrases, ...rest.slice(1)];
}

function toFilters({ subject, value }: Spike): FeedFilters {
  if (subject === "topic") return { topic: value };
  if (subject === "language") return { language: value };
  if (subject === "version") return { version: value, sentiment: "negative" };
  return subject === "negative" ? { sentiment: "negative" } : {};
}

function Quotes({ digest, countMax }: { digest: Digest; countMax: number }) {
  if (digest.quotes.length === 0) return null;
  return (
    <ul className={styles.quotes} aria-label="What people write">
      {digest.quotes.slice(0, countMax).map((quote) => (
        <QuoteItem key={quote.reviewId} quote={quote} appId={digest.app.id} />
      ))}
    </ul>
  );
}

function QuoteItem({ quote, appId }: { quote: Quote; appId: string }) {
  const lang = quote.language === "und" ? undefined : quote.language;
  return (
    <li>
      <Link href={`/reviews/${appId}/${quote.reviewId}`}>
        <Stars rating={quote.rating} size={13} />
        <span lang={lang} dir="auto">
          {quote.text}
        </span>
      </Link>
    </li>
  );
}
