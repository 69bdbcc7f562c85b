// The overview for others: a link without an account, a report on paper or as a PDF by the browser's own printing, its
// numbers as CSV, or a card as an image.
import { useEffect, useState } from "react";
import type { Overview } from "../../../../src/dashboard-api/contract/overview.ts";
import { useWorkspace } from "../../api/workspace.ts";
import { Icon } from "../../components/icon.tsx";
import { Menu, menuItem } from "../../components/menu.tsx";
import { useToast } from "../../components/toast.tsx";
import { todayUtc } from "../../format/clock.ts";
import { formatDay } from "../../format/dates.ts";
import { appLabel } from "../../format/names.ts";
import { ShareDialog } from "../sharing/share-dialog.tsx";
import styles from "./overview.module.css";
import { overviewCsv } from "./overview-csv.ts";

type ShareMenuProps = {
  overview: Overview;
  /** The page for a link that shares it. */
  query: string;
};

export function ShareMenu({ overview, query }: ShareMenuProps) {
  const [isSharing, setSharing] = useState(false);
  const { isViewer } = useWorkspace();
  return (
    <>
      <Menu
        label="this page"
        edge="end"
        framed
        button={
          <>
            <Icon name="download" size={16} />
            Share
          </>
        }
      >
        {isViewer ? null : (
          <button type="button" {...menuItem} onClick={() => setSharing(true)}>
            Link for people without an account
          </button>
        )}
        <button type="button" {...menuItem} onClick={printReport}>
          Print, or save as PDF
        </button>
        <button type="button" {...menuItem} onClick={() => download(overview)}>
          CSV, for spreadsheets
        </button>
        <hr />
        <CardImages overview={overview} />
      </Menu>
      {isSharing ? (
        <ShareDialog page={{ kind: "overview", query }} onClose={() => setSharing(false)} />
      ) : null}
    </>
  );
}

/** The cards that the page has when the menu is opened. */
function CardImages({ overview }: { overview: Overview }) {
  const showToast = useToast();
  const cards = [...document.querySelectorAll<HTMLElement>("main section[aria-labelledby]")];
  const save = async (card: HTMLElement, title: string) => {
    try {
      const { drawCard } = await import("./card-image.ts");
      saveFile(
        await drawCard(card, describeScope(overview)),
        `${title.toLowerCase().replaceAll(/\W+/g, "-")}.png`,
      );
    } catch {
      showToast("Your browser could not draw the card. Print the page instead.");
    }
  };
  return cards.map((card) => {
    const title = card.querySelector("h2")?.textContent ?? "";
    return (
      <button key={title} type="button" {...menuItem} onClick={() => void save(card, title)}>
        PNG: {title}
      </button>
    );
  });
}

/** On paper, in place of the pickers: what the figures are about. */
export function ReportHead(props: { overview: Overview; workspaceName: string | null }) {
  const { overview, workspaceName } = props;
  useReportLayout();
  if (workspaceName === null) return null;
  return (
    <p className={styles.reportHead}>
      <strong>{nameApps(overview.apps)}</strong>
      <br />
      {workspaceName} · {describeDays(overview)} · printed on {formatDay(todayUtc())}
    </p>
  );
}

function nameApps(apps: Overview["apps"]): string {
  return apps.length > 3 ? `${apps.length} apps` : apps.map(appLabel).join(", ");
}

function describeDays({ range }: Overview): string {
  return `${formatDay(range.from)} to ${formatDay(range.to)}, in UTC days`;
}

function describeScope(overview: Overview): string {
  return `${nameApps(overview.apps)} · ${describeDays(overview)}`;
}

// The layout of the report is an attribute and not only a style of paper: charts are as wide as their element on the
// screen, so they are drawn for the paper before it is printed.
const root = document.documentElement;
const layOut = () => root.setAttribute("data-report", "");
const restore = () => root.removeAttribute("data-report");

/** Also for the browser's own command to print. */
function useReportLayout(): void {
  useEffect(() => {
    window.addEventListener("beforeprint", layOut);
    window.addEventListener("afterprint", restore);
    return () => {
      window.removeEventListener("beforeprint", layOut);
      window.removeEventListener("afterprint", restore);
    };
  }, []);
}

/** The first frame has the new width, the second the charts. */
export function printReport(): void {
  layOut();
  requestAnimationFrame(() => requestAnimationFrame(() => window.print()));
}

function download(overview: Overview): void {
  const csv = new Blob([overviewCsv(overview)], { type: "text/csv" });
  saveFile(csv, `overview-${overview.range.from}-${overview.range.to}.csv`);
}

function saveFile(content: Blob, name: string): void {
  const url = URL.createObjectURL(content);
  const link = document.createElement("a");
  link.href = url;
  link.download = name;
  link.click();
  URL.revokeObjectURL(url);
}
