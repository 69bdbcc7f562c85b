// Downloads the reviews that match the filters as a file; the service streams it, whatever its size.
import { useRouteUrl } from "../../api/workspace.ts";
import { Icon } from "../../components/icon.tsx";
import { Menu, menuItem } from "../../components/menu.tsx";
import type { FeedFilters } from "./filters.ts";

export function ExportMenu({ filters }: { filters: FeedFilters }) {
  const routeUrl = useRouteUrl();
  const exportUrl = (format: "csv" | "jsonl") =>
    routeUrl("GET /workspaces/:workspace/reviews/export", { query: { ...filters, format } });
  return (
    <Menu
      label="reviews"
      edge="end"
      framed
      button={
        <>
          <Icon name="download" size={16} />
          Export
        </>
      }
    >
      <a href={exportUrl("csv")} download {...menuItem}>
        CSV, for spreadsheets
      </a>
      <a href={exportUrl("jsonl")} download {...menuItem}>
        JSONL, for programs
      </a>
    </Menu>
  );
}
