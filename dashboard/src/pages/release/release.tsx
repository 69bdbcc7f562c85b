// One release, on its page and in a report in a file: its verdict, the reviews that name it, the topics before and after
// it, and the rating around it. The days after end with the next release.
import { useMemo } from "react";
import type { FeedSummary } from "../../../../src/dashboard-api/contract/reviews.ts";
import { ratingPeriod } from "../../../../src/domain/changes/release-periods.ts";
import type { RouteResponse } from "../../api/api-client.ts";
import { useApiQuery } from "../../api/workspace.ts";
import { ButtonLink } from "../../components/button.tsx";
import { Card } from "../../components/card.tsx";
import { ErrorAlert, Skeleton } from "../../components/feedback.tsx";
import { Link, useIsShared } from "../../components/link.tsx";
import { Stars } from "../../components/stars.tsx";
import { todayUtc } from "../../format/clock.ts";
import { formatDay } from "../../format/dates.ts";
import { originName } from "../../format/names.ts";
import { formatCount, formatPercent, formatQuantity, formatStars } from "../../format/numbers.ts";
import { RatingHistoryCard } from "../overview/rating-cards.tsx";
import { type FeedFilters, reviewsPath, viewQuery } from "../reviews/filters.ts";
import { OutcomeChip } from "./outcome-chip.tsx";
import styles from "./release.module.css";
import { releasePath } from "./release-path.ts";
import { ReleaseTopics } from "./release-topics.tsx";

type ReleaseOf = RouteResponse<"GET /workspaces/:workspace/apps/:app/releases">["releases"][number];
type NeighbourOf = Pick<ReleaseOf, "version" | "day">;

type ReleaseProps = {
  appId: string;
  release: ReleaseOf;
  next: NeighbourOf | undefined;
  previous: NeighbourOf | undefined;
};

export function Release({ appId, release, next, previous }: ReleaseProps) {
  const { version } = release;
  const isShared = useIsShared();
  const overviewRoute = "GET /workspaces/:workspace/overview" as const;
  const after = useApiQuery(overviewRoute, { query: { app: appId, ...release.after } });
  const before = useApiQuery(
    overviewRoute,
    { query: { app: appId, ...release.before } },
    { isDisabled: release.before === null },
  );
  const around = ratingPeriod(release, todayUtc());
  const rating = useApiQuery(overviewRoute, { query: { app: appId, ...around } });
  const named = { app: appId, version };
  const summary = useApiQuery("GET /workspaces/:workspace/reviews/summary", { query: named });
  const marks = useMemo(
    () =>
      rating.data?.releases.map((one) => ({
        ...{ day: one.day, label: one.version },
        to: releasePath({ appId, version: one.version }),
        weight: Number(one.version === version),
      })) ?? [],
    [rating.data, appId, version],
  );
  const error = after.error ?? before.error ?? rating.error ?? summary.error;
  if (error) return <ErrorAlert error={error} />;
  const [ratedApp] = rating.data?.apps ?? [];
  const isCounted = before.data !== undefined || release.before === null;
  if (!(after.data && isCounted && ratedApp && summary.data)) {
    return <Skeleton height={640} label="Counting the reviews of the release" />;
  }
  return (
    <>
      <Neighbours {...{ appId, release, next, previous }} />
      {isShared ? null : <VerdictLine appId={appId} version={version} />}
      <div className={styles.columns}>
        <NamedReviews filters={named} summary={summary.data} store={ratedApp.store} />
        <Card title="In their words" hint="The newest reviews that name this version">
          <Quotes filters={{ ...named, sentiment: "negative" }} />
          <Quotes filters={{ ...named, sentiment: "positive" }} />
        </Card>
      </div>
      <ReleaseTopics appId={appId} before={before.data ?? null} after={after.data} />
      {isShared && ratedApp.ratingDays.length < 2 ? null : (
        <div className={styles.chart}>
          <RatingHistoryCard app={ratedApp} marks={marks} />
        </div>
      )}
    </>
  );
}

/** The same words as everywhere else. */
function VerdictLine({ appId, version }: { appId: string; version: string }) {
  const { data } = useApiQuery("GET /workspaces/:workspace/apps/:app/verdicts", {
    path: { app: appId },
    query: { version },
  });
  const [verdict] = data?.verdicts ?? [];
  if (!verdict) return <Skeleton height={64} label="Judging the release" />;
  return (
    <Card>
      <p className={styles.verdict}>
        <OutcomeChip verdict={verdict} /> <span>{verdict.words}</span>{" "}
        <Link href={`/verdicts/${appId}`}>Past verdicts</Link>
      </p>
    </Card>
  );
}

function Neighbours({ appId, release, next, previous }: ReleaseProps) {
  const sides = previous && {
    a: viewQuery({ app: appId, version: previous.version }),
    b: viewQuery({ app: appId, version: release.version }),
  };
  return (
    <div className={styles.neighbours}>
      <span>First seen in a review on {formatDay(release.day)}</span>
      {previous ? (
        <Link href={releasePath({ appId, version: previous.version })}>
          Previous: {previous.version}
        </Link>
      ) : null}
      {next ? (
        <Link href={releasePath({ appId, version: next.version })}>Next: {next.version}</Link>
      ) : null}
      {sides ? (
        <ButtonLink small to={`/compare?${new URLSearchParams(sides)}`}>
          vs {previous?.version}
        </ButtonLink>
      ) : null}
    </div>
  );
}

type Named = { app: string; version: string };

const countriesMax = 6;

function NamedReviews(props: { filters: Named; summary: FeedSummary; store: string }) {
  const { filters, summary, store } = props;
  const { total, averageRating, facets } = summary;
  const negative = facets.sentiment.find(({ value }) => value === "negative")?.count ?? 0;
  return (
    <Card title="Reviews of this version" hint="Those that name it, in the last state of each">
      <p className={styles.numbers}>
        <Link href={reviewsPath(filters)}>
          <strong>{formatCount(total)}</strong> {total === 1 ? "review" : "reviews"}
        </Link>
        <span>
          <strong>{formatStars(averageRating ?? 0)}</strong> stars
        </span>
        <Link href={reviewsPath({ ...filters, sentiment: "negative" })}>
          <strong>{formatPercent(negative, total)}</strong> negative
        </Link>
      </p>
      {facets.country.length > 0 ? (
        <ul className={styles.countries} aria-label="Countries">
          {facets.country.slice(0, countriesMax).map(({ value, count }) => (
            <li key={value}>
              <Link href={reviewsPath({ ...filters, country: value })}>
                {originName(store, value)}
              </Link>{" "}
              {formatCount(count)}
            </li>
          ))}
          <OtherCountries countries={facets.country.slice(countriesMax)} />
        </ul>
      ) : null}
    </Card>
  );
}

function OtherCountries({ countries }: { countries: readonly { count: number }[] }) {
  if (countries.length === 0) return null;
  const total = countries.reduce((sum, { count }) => sum + count, 0);
  return <li>{`${formatQuantity(countries.length, "other", "others")} ${formatCount(total)}`}</li>;
}

const quotesMax = 2;

type QuoteFilters = FeedFilters & { sentiment: "negative" | "positive" };

/** The newest reviews. */
export function Quotes({ filters }: { filters: QuoteFilters }) {
  const { data } = useApiQuery("GET /workspaces/:workspace/reviews", {
    query: { ...filters, limit: quotesMax },
  });
  if (!data) return <Skeleton height={84} />;
  if (data.reviews.length === 0) {
    return <p className={styles.none}>{formatQuantity(0, `${filters.sentiment} review`)}</p>;
  }
  return (
    <ul className={styles.quotes}>
      {data.reviews.map(({ id, appId, rating, text, translatedText, language }) => (
        <li key={id}>
          <Link href={`/reviews/${appId}/${id}`} className={styles.quote}>
            <Stars rating={rating} size={13} />
            <span lang={translatedText === null ? (language ?? undefined) : "en"} dir="auto">
              {translatedText ?? text}
            </span>
          </Link>
        </li>
      ))}
    </ul>
  );
}
