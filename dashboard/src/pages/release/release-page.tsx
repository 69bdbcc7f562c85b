// One release of one app: the reviews that name it, and all reviews of the days before and after it by topic. The days
// after end with the next release.
import { useMemo } from "react";
import { Link, useLocation, useParams, useSearchParams } from "wouter";
import type { FeedSummary } from "../../../../src/dashboard-api/contract/reviews.ts";
import type { RouteResponse } from "../../api/api-client.ts";
import { useApiQuery } from "../../api/workspace.ts";
import { ButtonLink } from "../../components/button.tsx";
import { Card, Page } from "../../components/card.tsx";
import { Alert, ErrorAlert, Skeleton } from "../../components/feedback.tsx";
import { Select } from "../../components/field.tsx";
import { Stars } from "../../components/stars.tsx";
import { daysBefore, todayUtc } from "../../format/clock.ts";
import { formatDay } from "../../format/dates.ts";
import { originName, storeName } from "../../format/names.ts";
import { formatCount, formatPercent, formatQuantity, formatStars } from "../../format/numbers.ts";
import { RatingHistoryCard } from "../overview/rating-cards.tsx";
import { reviewsPath, viewQuery } from "../reviews/filters.ts";
import { OutcomeChip } from "./outcome-chip.tsx";
import styles from "./release.module.css";
import { releasePath } from "./release-path.ts";
import { ReleaseTopics } from "./release-topics.tsx";

const comparedDays = 14;

export function ReleasePage() {
  const { app: appId = "" } = useParams<{ app: string }>();
  const [search] = useSearchParams();
  const query = useApiQuery("GET /workspaces/:workspace/apps/:app/releases", {
    path: { app: appId },
  });
  const [, navigate] = useLocation();
  if (query.isError) {
    return (
      <Page title="Release">
        <ErrorAlert error={query.error} />
      </Page>
    );
  }
  if (!query.data) {
    return (
      <Page title="Release">
        <Skeleton height={640} label="Loading the release" />
      </Page>
    );
  }
  const { app, releases } = query.data;
  const version = search.get("version") ?? releases[0]?.version ?? "";
  const index = releases.findIndex((one) => one.version === version);
  const release = releases[index];
  const options = releases.map((one) => ({
    value: one.version,
    label: `${one.version} · ${formatDay(one.day)}`,
  }));
  const tools = (
    <div className={styles.picker}>
      <Select
        label="Version"
        hideLabel
        value={version}
        options={options}
        onValueChange={(chosen) => navigate(releasePath({ appId, version: chosen }))}
      />
    </div>
  );
  const lead = (
    <>
      {app.name}, {storeName(app.store)} ·{" "}
      <Link href={`/overview?app=${appId}`}>back to its overview</Link>
    </>
  );
  return (
    <Page title={`Version ${version}`} lead={lead} tools={tools}>
      {release ? (
        <Release
          key={version}
          appId={appId}
          release={release}
          // A later day: two versions may have been seen first on the same one.
          next={releases.findLast(({ day }) => day > release.day)}
          previous={releases.slice(index + 1).find(({ day }) => day < release.day)}
        />
      ) : (
        <Alert>No review of this app names version {version}.</Alert>
      )}
    </Page>
  );
}

type ReleaseOf = RouteResponse<"GET /workspaces/:workspace/apps/:app/releases">["releases"][number];

type ReleaseProps = {
  appId: string;
  release: ReleaseOf;
  next: ReleaseOf | undefined;
  previous: ReleaseOf | undefined;
};

function Release({ appId, release, next, previous }: ReleaseProps) {
  const { version, day } = release;
  const ends = [daysBefore(day, 1 - comparedDays), todayUtc()];
  const to = [...ends, ...(next ? [daysBefore(next.day, 1)] : [])].toSorted()[0] ?? day;
  const range = { from: day, to };
  const overviewRoute = "GET /workspaces/:workspace/overview" as const;
  const after = useApiQuery(overviewRoute, { query: { app: appId, ...range } });
  const beforeRange = after.data?.before;
  const before = useApiQuery(
    overviewRoute,
    { query: { app: appId, ...beforeRange } },
    { isDisabled: beforeRange === undefined },
  );
  const around = {
    from: daysBefore(day, comparedDays),
    to: ends.toSorted()[0] ?? day,
  };
  const rating = useApiQuery(overviewRoute, { query: { app: appId, ...around } });
  const named = { app: appId, version };
  const summary = useApiQuery("GET /workspaces/:workspace/reviews/summary", { query: named });
  const marks = useMemo(
    () =>
      rating.data?.releases.map((one) => ({
        ...{ day: one.day, label: one.version },
        to: releasePath({ appId, version: one.version }),
      })) ?? [],
    [rating.data, appId],
  );
  const error = after.error ?? before.error ?? rating.error ?? summary.error;
  if (error) return <ErrorAlert error={error} />;
  const [ratedApp] = rating.data?.apps ?? [];
  if (!(after.data && before.data && ratedApp && summary.data)) {
    return <Skeleton height={640} label="Counting the reviews of the release" />;
  }
  return (
    <>
      <Neighbours {...{ appId, release, next, previous }} />
      <VerdictLine appId={appId} version={version} />
      <div className={styles.columns}>
        <NamedReviews filters={named} summary={summary.data} store={ratedApp.store} />
        <Card title="In their words" hint="The newest reviews that name this version">
          <Quotes filters={{ ...named, sentiment: "negative" }} />
          <Quotes filters={{ ...named, sentiment: "positive" }} />
        </Card>
      </div>
      <ReleaseTopics appId={appId} before={before.data} after={after.data} />
      <div className={styles.chart}>
        <RatingHistoryCard app={ratedApp} marks={marks} />
      </div>
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
        </ul>
      ) : null}
    </Card>
  );
}

const quotesMax = 2;

function Quotes({ filters }: { filters: Named & { sentiment: "negative" | "positive" } }) {
  const { data } = useApiQuery("GET /workspaces/:workspace/reviews", {
    query: { ...filters, limit: quotesMax },
  });
  if (!data) return <Skeleton height={84} />;
  if (data.reviews.length === 0) {
    return <p className={styles.none}>{formatQuantity(0, `${filters.sentiment} review`)}</p>;
  }
  return (
    <ul className={styles.quotes}>
      {data.reviews.map(({ id, rating, text, translatedText, language }) => (
        <li key={id}>
          <Link href={`/reviews/${filters.app}/${id}`}>
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
