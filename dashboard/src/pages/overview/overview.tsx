// The overview: store ratings, and the number, stars, sentiment and topics of the reviews in a date range.
// Every number links to its reviews.
import { type ReactNode, useEffect, useMemo, useState } from "react";
import { Link, useSearchParams } from "wouter";
import type { Release } from "../../../../src/dashboard-api/contract/overview.ts";
import type { RouteResponse } from "../../api/api-client.ts";
import { useApiQuery, useWorkspace } from "../../api/workspace.ts";
import type { ChartMark } from "../../charts/time-series-chart.tsx";
import { Button, ButtonLink } from "../../components/button.tsx";
import { Page } from "../../components/card.tsx";
import { EmptyState, ErrorAlert, Skeleton } from "../../components/feedback.tsx";
import { Select } from "../../components/field.tsx";
import { appLabel } from "../../format/names.ts";
import { SourceState } from "../../shell/source-state.tsx";
import { useWorkspaceAlerts } from "../../shell/workspace-alerts.ts";
import { releasePath } from "../release/release-path.ts";
import { VerdictCard } from "../release/verdict-card.tsx";
import { AppTable } from "./app-table.tsx";
import { CompareMenu } from "./compare-menu.tsx";
import { type DateRange, readDateRange, toDaysQuery, writeDateRange } from "./date-range.ts";
import { DateRangePicker } from "./date-range-picker.tsx";
import styles from "./overview.module.css";
import { RatingHistogramCard, RatingHistoryCard } from "./rating-cards.tsx";
import { RatingMultiples } from "./rating-multiples.tsx";
import { RegionsCard } from "./region-table.tsx";
import { ReportHead, ReportMenu } from "./report-menu.tsx";
import {
  AverageRatingPerWeekCard,
  ReviewsByStarsCard,
  ReviewsPerWeekCard,
  SentimentCard,
} from "./review-cards.tsx";
import { Tiles } from "./tiles.tsx";
import { TopicsCard } from "./topic-table.tsx";
import { VersionsCard } from "./version-table.tsx";
import { WhatChangedCard } from "./what-changed.tsx";

type OverviewAnswer = RouteResponse<"GET /workspaces/:workspace/overview">;

/** The app and dates that every link of the page passes on to the reviews. */
export type Scope = { app?: string; from: string; to: string };

export function Overview() {
  const [search, setSearch] = useSearchParams();
  const range = readDateRange(search);
  const app = search.get("app") ?? undefined;
  const apps = useApiQuery("GET /workspaces/:workspace/app-names", {});
  const query = { ...(app ? { app } : {}), ...toDaysQuery(range) };
  const overview = useApiQuery(
    "GET /workspaces/:workspace/overview",
    { query },
    { keepPrevious: true },
  );
  const chooseApp = (id: string) =>
    setSearch((before) => {
      const next = new URLSearchParams(before);
      if (id) next.set("app", id);
      else next.delete("app");
      return next;
    });
  const chooseRange = (chosen: DateRange) => setSearch((before) => writeDateRange(before, chosen));
  const options = (apps.data?.apps ?? []).map((one) => ({ value: one.id, label: appLabel(one) }));
  const tools = (
    <>
      {options.length > 1 ? (
        <div className={styles.appPicker}>
          <Select
            label="App"
            hideLabel
            value={app ?? ""}
            options={[{ value: "", label: "All apps" }, ...options]}
            onValueChange={chooseApp}
          />
        </div>
      ) : null}
      <DateRangePicker
        range={range}
        releases={overview.data ? toMarks(overview.data) : []}
        onChange={chooseRange}
      />
      {overview.data ? (
        <CompareMenu overview={overview.data} app={app} names={apps.data?.apps ?? []} />
      ) : null}
      {overview.data ? <ReportMenu overview={overview.data} /> : null}
    </>
  );
  const alerts = useWorkspaceAlerts();
  if (apps.data?.apps.length === 0) return <NoApps />;
  return (
    <Page title="Overview" tools={tools}>
      {overview.isError ? (
        <ErrorAlert error={overview.error} onRetry={() => void overview.refetch()} />
      ) : null}
      {overview.data && !alerts.isPending ? (
        <div className={styles.grid} aria-busy={overview.isPlaceholderData}>
          <ReportHead overview={overview.data} />
          <SourceState shownApp={app} withChannels />
          <Cards overview={overview.data} app={app} />
        </div>
      ) : overview.isPending || alerts.isPending ? (
        <OverviewSkeleton />
      ) : null}
    </Page>
  );
}

function Cards({ overview, app }: { overview: OverviewAnswer; app: string | undefined }) {
  const { range, reviews, apps, firstReviewDay } = overview;
  // "All time" starts long before the first review; the charts start with it.
  const weeks = useMemo(
    () => overview.weeks.filter((week) => firstReviewDay !== null && week.to >= firstReviewDay),
    [overview.weeks, firstReviewDay],
  );
  const { releases } = overview;
  const marks = useMemo(() => toMarks({ releases, apps }), [releases, apps]);
  const hasBefore = firstReviewDay !== null && overview.before.to >= firstReviewDay;
  const scope: Scope = { ...(app ? { app } : {}), ...range };
  const singleApp = apps.length === 1 ? apps[0] : undefined;
  return (
    <>
      <WhatChangedCard incidents={overview.incidents} apps={apps} />
      <VerdictCard verdicts={overview.verdicts} withApps={apps.length > 1} />
      <Tiles overview={overview} scope={scope} />
      <TopicsCard
        topics={overview.topics}
        before={hasBefore ? overview.before : null}
        scope={scope}
      />
      <FoldedOnPhone>
        <div className={styles.offReport}>
          {singleApp ? (
            <>
              <RatingHistoryCard app={singleApp} marks={marks} />
              <RatingHistogramCard app={singleApp} />
            </>
          ) : (
            <>
              <RatingMultiples apps={apps} range={range} />
              <AppTable apps={apps} scope={scope} />
            </>
          )}
        </div>
        <div className={styles.wideColumn}>
          <ReviewsPerWeekCard weeks={weeks} marks={marks} scope={scope} />
          <div className={styles.offReport}>
            <AverageRatingPerWeekCard weeks={weeks} marks={marks} scope={scope} />
          </div>
        </div>
        <div className={styles.column}>
          <div className={styles.offReport}>
            <ReviewsByStarsCard reviews={reviews} scope={scope} />
          </div>
          <SentimentCard reviews={reviews} weeks={weeks} marks={marks} scope={scope} />
        </div>
        <div className={styles.offReport}>
          <RegionsCard regions={overview.regions} scope={scope} />
          <VersionsCard versions={overview.versions} apps={apps} />
        </div>
      </FoldedOnPhone>
    </>
  );
}

const narrow = window.matchMedia("(max-width: 640px)");

/** On a phone the charts and tables are a press away: what changed, the numbers and the topics fit three screens. */
function FoldedOnPhone({ children }: { children: ReactNode }) {
  const [isNarrow, setNarrow] = useState(narrow.matches);
  const [isOpen, setOpen] = useState(false);
  useEffect(() => {
    const update = () => setNarrow(narrow.matches);
    narrow.addEventListener("change", update);
    return () => narrow.removeEventListener("change", update);
  }, []);
  if (!isNarrow || isOpen) return children;
  return <Button onClick={() => setOpen(true)}>Show charts and tables</Button>;
}

/** Both stores release the same version of a product: it is marked once, where it was seen first. */
function toMarks({ releases, apps }: Pick<OverviewAnswer, "releases" | "apps">): ChartMark[] {
  const nameOf = ({ appId }: Release) => apps.find((app) => app.appId === appId)?.name ?? "";
  const hasSeveral = new Set(apps.map(({ name }) => name)).size > 1;
  const firsts = releases.filter(
    (release, index) =>
      releases.findIndex(
        (one) => one.version === release.version && nameOf(one) === nameOf(release),
      ) === index,
  );
  return firsts.map((release) => ({
    day: release.day,
    // The first word distinguishes products, and leaves room for others.
    label: hasSeveral
      ? `${nameOf(release).split(/[\s:]/, 1)[0]} ${release.version}`
      : release.version,
    to: releasePath(release),
  }));
}

function NoApps() {
  const { isViewer } = useWorkspace();
  return (
    <Page title="Overview">
      <EmptyState
        title="Follow your first app"
        actions={
          isViewer ? null : (
            <ButtonLink to="/sources?add=app" kind="primary">
              Add an app
            </ButtonLink>
          )
        }
      >
        Starpost collects its reviews and ratings from the store, and this page shows how they
        change.
      </EmptyState>
      <ol className={styles.firstSteps}>
        <li>
          <strong>Follow an app.</strong> The first reviews are here within a minute, older ones a
          little later.
        </li>
        <li>
          <strong>Send new reviews where you work:</strong> to Slack, Teams, e-mail or your own
          endpoint. <Link href="/sources/channels/new">Add a channel</Link>
        </li>
        <li>
          <strong>Read them by a program.</strong> <Link href="/keys">Create an API key</Link>
        </li>
      </ol>
    </Page>
  );
}

// As high as the content, so that nothing moves when it arrives.
function OverviewSkeleton() {
  return (
    <div className={styles.grid}>
      <div className={styles.full}>
        <Skeleton height={236} />
      </div>
      <div className={styles.tiles}>
        {[1, 2, 3, 4].map((tile) => (
          <Skeleton
            key={tile}
            height={116}
            {...(tile === 1 ? { label: "Loading the overview" } : {})}
          />
        ))}
      </div>
      <div className={styles.wide}>
        <Skeleton height={340} />
      </div>
      <Skeleton height={340} />
      <div className={styles.wide}>
        <Skeleton height={340} />
      </div>
      <Skeleton height={340} />
    </div>
  );
}
