// Two sets of reviews side by side: versions, countries, periods, or any other filters.
import { useSearchParams } from "wouter";
import { useApiQuery } from "../../api/workspace.ts";
import { Page } from "../../components/card.tsx";
import { ErrorAlert, Skeleton } from "../../components/feedback.tsx";
import { daysBefore, todayUtc } from "../../format/clock.ts";
import { SourceState } from "../../shell/source-state.tsx";
import { FilterBar } from "../reviews/filter-bar.tsx";
import { type FeedFilters, readFilters, viewQuery } from "../reviews/filters.ts";
import { ShareButton } from "../sharing/share-dialog.tsx";
import styles from "./compare.module.css";
import { Comparison } from "./comparison.tsx";
import { nameSide, type Side } from "./side.ts";

const sides = ["a", "b"] as const;
type SideKey = (typeof sides)[number];

export function Compare() {
  const [search, setSearch] = useSearchParams();
  const filtersOf = (side: SideKey) => {
    if (!search.has("a") && !search.has("b")) return defaultsOf(side);
    return readFilters(new URLSearchParams(search.get(side) ?? ""));
  };
  const names = useApiQuery("GET /workspaces/:workspace/app-names", {}).data;
  const apps = names?.apps ?? [];
  const isAnswered = names !== undefined;
  const first = {
    ...useSide(filtersOf("a"), isAnswered),
    name: nameSide("a", filtersOf("a"), apps),
  };
  const second = {
    ...useSide(filtersOf("b"), isAnswered),
    name: nameSide("b", filtersOf("b"), apps),
  };
  const change = (changed: SideKey, filters: FeedFilters, options?: { replace: boolean }) => {
    const queries = sides.map((side) => [
      side,
      viewQuery(side === changed ? filters : filtersOf(side)),
    ]);
    setSearch(new URLSearchParams(queries), options);
  };
  const error = first.error ?? second.error;
  const shared = new URLSearchParams(
    sides.map((side) => [side, viewQuery(filtersOf(side))]),
  ).toString();
  return (
    <Page
      title="Compare"
      lead="Two sets of reviews side by side: versions, countries, periods"
      tools={<ShareButton page={{ kind: "comparison", query: shared }} />}
    >
      <SourceState shown={[first.filters, second.filters]} />
      <div className={styles.sides} data-print="hidden">
        {[first, second].map(({ filters, summary }, index) => (
          <section
            key={sides[index]}
            className={styles.side}
            aria-label={index === 0 ? "Side A" : "Side B"}
          >
            <p className={`${styles.letter} ${index === 0 ? styles.first : styles.second}`}>
              {index === 0 ? "A" : "B"}
            </p>
            <FilterBar
              filters={filters}
              apps={apps}
              summary={summary ?? null}
              onChange={(next, options) => change(sides[index] ?? "a", next, options)}
            />
          </section>
        ))}
      </div>
      {error ? <ErrorAlert error={error} /> : null}
      {first.summary && second.summary && first.days && second.days ? (
        <Comparison left={first} right={second} />
      ) : error ? null : (
        <Skeleton height={480} label="Counting both sides" />
      )}
    </Page>
  );
}

/** The last 30 days, and the 30 days before: two equal sides would say nothing. */
function defaultsOf(side: SideKey): FeedFilters {
  if (side === "b") return { range: "30d" };
  const today = todayUtc();
  return { from: daysBefore(today, 59), to: daysBefore(today, 30) };
}

/** @param isAnswered whether the service answers: it is asked for the names of the apps before the page's script has come */
function useSide(filters: FeedFilters, isAnswered: boolean): Omit<Side, "name"> {
  const { data, error } = useApiQuery(
    "GET /workspaces/:workspace/reviews/summary",
    { query: filters },
    { keepPrevious: true },
  );
  // A topic's share is that of complaints: praise of a fix would count as one.
  const complaints = useApiQuery(
    "GET /workspaces/:workspace/reviews/summary",
    { query: { ...filters, sentiment: filters.sentiment ?? "negative" } },
    { keepPrevious: true },
  );
  const days = useApiQuery(
    "GET /workspaces/:workspace/reviews/days",
    { query: filters },
    // Together with the figures, but not in an outage, in which they are enough to ask for.
    { keepPrevious: true, isDisabled: !isAnswered },
  );
  return {
    filters,
    summary: data,
    complaints: complaints.data,
    days: days.data?.days,
    error: error ?? complaints.error ?? days.error,
  };
}
