// Takes the reviews that match along as a file; the service streams it, however long it is.

import { useAddress } from "../../api/workspace.ts";
import { Icon } from "../../components/icon.tsx";
import { Menu } from "../../components/menu.tsx";
import type { FeedFilters } from "./filters.ts";

export function ExportMenu({ filters }: { filters: FeedFilters }) {
  const addressOf = useAddress();
  const address = (format: "csv" | "jsonl") =>
    addressOf("GET /workspaces/:workspace/reviews/export", { query: { ...filters, format } });
  return (
    <Menu
      label="these reviews"
      edge="end"
      framed
      button={
        <>
          <Icon name="download" size={16} />
          Export
        </>
      }
    >
      <a href={address("csv")} download>
        CSV, for spreadsheets
      </a>
      <a href={address("jsonl")} download>
        JSONL, for programs
      </a>
    </Menu>
  );
}
