// The Reviews page: all reviews with filters, text search and export.
import { useSearchParams } from "wouter";
import { useApiQuery } from "../../api/workspace.ts";
import { Page } from "../../components/card.tsx";
import { ActiveFilters } from "./active-filters.tsx";
import { CopyAsCurl } from "./copy-as-curl.tsx";
import { ExportMenu } from "./export-menu.tsx";
import { FilterBar } from "./filter-bar.tsx";
import { type FeedFilters, readFilters, toQuery } from "./filters.ts";
import { ReviewList } from "./review-list.tsx";

export function Reviews() {
  const [search, setSearch] = useSearchParams();
  const filters = readFilters(search);
  const apps = useApiQuery("GET /workspaces/:workspace/apps", {});
  const followed = apps.data?.apps ?? [];
  const change = (next: FeedFilters) => setSearch(new URLSearchParams(toQuery(next)));
  const tools = (
    <>
      <CopyAsCurl filters={filters} />
      <ExportMenu filters={filters} />
    </>
  );
  return (
    <Page title="Reviews" tools={tools}>
      <FilterBar filters={filters} apps={followed} onChange={change} />
      <ActiveFilters filters={filters} apps={followed} onChange={change} />
      <ReviewList
        key={search.toString()}
        filters={filters}
        apps={followed}
        isReady={!apps.isPending}
        hasNoApps={apps.data?.apps.length === 0}
        onClear={() => change({})}
      />
    </Page>
  );
}
