// The Reviews page: all reviews with filters, text search, their counts and export.
import { useQueryClient } from "@tanstack/react-query";
import { useSearchParams } from "wouter";
import { useApiQuery, useWorkspace } from "../../api/workspace.ts";
import { Page } from "../../components/card.tsx";
import { Skeleton } from "../../components/feedback.tsx";
import { todayUtc } from "../../format/clock.ts";
import { formatDay } from "../../format/dates.ts";
import { SourceState } from "../../shell/source-state.tsx";
import { useWorkspaceAlerts } from "../../shell/workspace-alerts.ts";
import { CopyAsCurl } from "./copy-as-curl.tsx";
import { ExportMenu } from "./export-menu.tsx";
import { SummaryLine } from "./feed-summary.tsx";
import { FilterBar } from "./filter-bar.tsx";
import { nameFilters } from "./filter-names.ts";
import { type FeedFilters, readFilters, toQuery, viewQuery } from "./filters.ts";
import { ReviewList } from "./review-list.tsx";
import styles from "./reviews.module.css";

export function Reviews() {
  const { workspace, isViewer } = useWorkspace();
  const [search, setSearch] = useSearchParams();
  const filters = readFilters(search);
  const apps = useApiQuery("GET /workspaces/:workspace/app-names", {});
  const alerts = useWorkspaceAlerts();
  // The filter bar appears as a whole, so that nothing below it moves.
  const isReady = !(apps.isPending || alerts.isPending);
  const summary = useApiQuery(
    "GET /workspaces/:workspace/reviews/summary",
    { query: filters },
    { keepPrevious: true },
  );
  const refresh = useRefresh();
  const followed = apps.data?.apps ?? [];
  const viewId = search.get("view");
  // The view stays while its filters are changed, and ends with the last filter.
  const change = (next: FeedFilters, options?: { replace: boolean }) => {
    const query = toQuery(next);
    const isEmpty = Object.keys(query).length === 0;
    const view = viewId && !isEmpty ? { view: viewId } : {};
    setSearch(new URLSearchParams({ ...query, ...view }), options);
  };
  const tools = (
    <>
      {isViewer ? null : <CopyAsCurl filters={filters} />}
      <ExportMenu filters={filters} />
    </>
  );
  return (
    <Page title="Reviews" tools={tools}>
      {isReady ? (
        <div className={styles.view}>
          <SourceState shown={[filters]} />
          <FilterBar
            filters={filters}
            apps={followed}
            summary={summary.data ?? null}
            onChange={change}
          />
          <p className="print-only">
            {`${workspace.name} · ${nameFilters(filters, followed).join(", ") || "all reviews"} · ${formatDay(todayUtc())}`}
          </p>
          <SummaryLine
            filters={filters}
            summary={summary.data ?? null}
            hasFailed={summary.isError}
            viewId={viewId}
            onClear={() => change({})}
          />
          <ReviewList
            key={viewQuery(filters)}
            filters={filters}
            apps={followed}
            hasNoApps={apps.data?.apps.length === 0}
            onClear={() => change({})}
            onRefresh={refresh}
          />
        </div>
      ) : (
        <Skeleton height={600} label="Loading reviews" />
      )}
    </Page>
  );
}

/** Shows what arrived since the list was loaded, from its top. */
function useRefresh() {
  const { workspace } = useWorkspace();
  const client = useQueryClient();
  return () => {
    window.scrollTo(0, 0);
    for (const route of ["", "/summary"]) {
      const name = `GET /workspaces/:workspace/reviews${route}`;
      void client.resetQueries({ queryKey: [workspace.id, name] });
    }
  };
}
