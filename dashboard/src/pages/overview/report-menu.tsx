// The overview as a report: on paper or as a PDF by the browser's own printing, or its numbers as CSV.
import type { Overview } from "../../../../src/dashboard-api/contract/overview.ts";
import { Icon } from "../../components/icon.tsx";
import { Menu, menuItem } from "../../components/menu.tsx";
import { overviewCsv } from "./overview-csv.ts";

export function ReportMenu({ overview }: { overview: Overview }) {
  return (
    <Menu
      label="report"
      edge="end"
      framed
      button={
        <>
          <Icon name="download" size={16} />
          Report
        </>
      }
    >
      <button type="button" {...menuItem} onClick={() => window.print()}>
        Print, or save as PDF
      </button>
      <button type="button" {...menuItem} onClick={() => download(overview)}>
        CSV, for spreadsheets
      </button>
    </Menu>
  );
}

function download(overview: Overview): void {
  const url = URL.createObjectURL(new Blob([overviewCsv(overview)], { type: "text/csv" }));
  const link = document.createElement("a");
  link.href = url;
  link.download = `overview-${overview.range.from}-${overview.range.to}.csv`;
  link.click();
  URL.revokeObjectURL(url);
}
