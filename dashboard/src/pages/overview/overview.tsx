// The page that is opened every morning: how the apps are rated, how much is written, how it feels and what
// it is about. Every number leads to the reviews behind it.
import { useMemo } from "react";
import { useSearchParams } from "wouter";
import type { Overview as OverviewAnswer } from "../../../../src/dashboard-api/contract/overview.ts";
import { useAnswer } from "../../api/workspace.ts";
import { ButtonLink } from "../../components/button.tsx";
import { Page } from "../../components/card.tsx";
import { EmptyState, ErrorNote, Skeleton } from "../../components/feedback.tsx";
import { Select } from "../../components/field.tsx";
import { storeName } from "../../format/names.ts";
import { AppTable } from "./app-table.tsx";
import { type Range, readRange, writeRange } from "./date-range.ts";
import { RangePicker } from "./date-range-picker.tsx";
import styles from "./overview.module.css";
import { RatingHistogram, RatingHistory } from "./rating-cards.tsx";
import { ReviewStars, SentimentMix, WeekScores, WeekVolumes } from "./review-cards.tsx";
import { Tiles } from "./tiles.tsx";
import { TopicTable } from "./topic-table.tsx";
import { VersionTable } from "./version-table.tsx";

/** What every link of the page carries on to the reviews. */
export type Scope = { app?: string; from: string; to: string };

export function Overview() {
  const [search, setSearch] = useSearchParams();
  const range = readRange(search);
  const app = search.get("app") ?? undefined;
  const apps = useAnswer("GET /workspaces/:workspace/apps", {});
  const query = { ...(app ? { app } : {}), from: range.from, to: range.to };
  const overview = useAnswer(
    "GET /workspaces/:workspace/overview",
    { query },
    { keepsBefore: true },
  );
  const chooseApp = (id: string) =>
    setSearch((before) => {
      const next = new URLSearchParams(before);
      if (id) next.set("app", id);
      else next.delete("app");
      return next;
    });
  const chooseRange = (chosen: Range) => setSearch((before) => writeRange(before, chosen));
  const options = (apps.data?.apps ?? []).map(({ id, name, store }) => ({
    value: id,
    label: `${name} · ${storeName(store)}`,
  }));
  const tools = (
    <>
      {options.length > 1 ? (
        <div className={styles.appPicker}>
          <Select
            label="App"
            hideLabel
            value={app ?? ""}
            options={[{ value: "", label: "All apps" }, ...options]}
            onText={chooseApp}
          />
        </div>
      ) : null}
      <RangePicker range={range} onChange={chooseRange} />
    </>
  );
  if (apps.data?.apps.length === 0) return <NoApps />;
  return (
    <Page title="Overview" tools={tools}>
      {overview.isError ? (
        <ErrorNote error={overview.error} onRetry={() => void overview.refetch()} />
      ) : null}
      {overview.data ? (
        <div className={styles.grid} aria-busy={overview.isPlaceholderData}>
          <Cards overview={overview.data} app={app} />
        </div>
      ) : overview.isPending ? (
        <Places />
      ) : null}
    </Page>
  );
}

function Cards({ overview, app }: { overview: OverviewAnswer; app: string | undefined }) {
  const { range, reviews, apps, firstReviewDay } = overview;
  // "All time" starts long before the first review: a chart of empty weeks would hide the rest.
  const weeks = useMemo(
    () => overview.weeks.filter((week) => firstReviewDay !== null && week.to >= firstReviewDay),
    [overview.weeks, firstReviewDay],
  );
  const hasBefore = firstReviewDay !== null && overview.before.to >= firstReviewDay;
  const scope: Scope = { ...(app ? { app } : {}), ...range };
  const only = apps.length === 1 ? apps[0] : undefined;
  return (
    <>
      <Tiles overview={overview} scope={scope} />
      {only ? (
        <>
          <RatingHistory app={only} releases={overview.releases} range={range} />
          <RatingHistogram app={only} />
        </>
      ) : (
        <AppTable apps={apps} scope={scope} />
      )}
      <WeekVolumes weeks={weeks} scope={scope} />
      <ReviewStars reviews={reviews} scope={scope} />
      <WeekScores weeks={weeks} scope={scope} />
      <SentimentMix reviews={reviews} weeks={weeks} scope={scope} />
      <TopicTable
        topics={overview.topics}
        before={hasBefore ? overview.before : null}
        scope={scope}
      />
      <VersionTable versions={overview.versions} apps={apps} />
    </>
  );
}

function NoApps() {
  return (
    <Page title="Overview">
      <EmptyState
        title="Follow your first app"
        actions={
          <ButtonLink to="/sources?add=app" kind="primary">
            Add an app
          </ButtonLink>
        }
      >
        Starpost collects its reviews and ratings from the store, and this page shows how they
        change.
      </EmptyState>
    </Page>
  );
}

// As high as what comes, so that nothing jumps.
function Places() {
  return (
    <div className={styles.grid}>
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
