// Each version: what its own reviews say, and how the app was reviewed before and after it came out.
import { Link } from "wouter";
import type { OverviewApp, VersionRow } from "../../../../src/dashboard-api/contract/overview.ts";
import { Card } from "../../components/card.tsx";
import { Note } from "../../components/feedback.tsx";
import { Table, type TableColumn } from "../../components/table.tsx";
import { formatDay } from "../../format/dates.ts";
import { storeName } from "../../format/names.ts";
import { formatCount, formatPercent, formatStars } from "../../format/numbers.ts";
import { reviewsAddress } from "../reviews/filters.ts";
import { Change } from "./change.tsx";
import styles from "./overview.module.css";

type VersionTableProps = { versions: readonly VersionRow[]; apps: readonly OverviewApp[] };

export function VersionTable({ versions, apps }: VersionTableProps) {
  const columns: TableColumn<VersionRow>[] = [
    {
      head: "Version",
      cell: (row) => <Version row={row} app={apps.length > 1 ? findApp(apps, row) : undefined} />,
    },
    { head: "First seen", cell: (row) => formatDay(row.firstDay) },
    { head: "Before", cell: (row) => <Side appId={row.appId} side={row.before} />, end: true },
    { head: "After", cell: (row) => <Side appId={row.appId} side={row.after} />, end: true },
    { head: "Change", cell: (row) => <Difference row={row} />, end: true },
    { head: "Negative", cell: (row) => <NegativeShares row={row} />, end: true },
  ];
  return (
    <div className={styles.full}>
      <Card
        title="Versions, before and after"
        hint="Average of all reviews in the 14 days before and after each release"
      >
        {versions.length === 0 ? (
          <Note>No review names a version yet.</Note>
        ) : (
          <div className={styles.scroll}>
            <Table
              caption="Versions with the reviews before and after"
              rows={versions}
              rowKey={(row) => `${row.appId} ${row.version}`}
              columns={columns}
              stacked
            />
          </div>
        )}
      </Card>
    </div>
  );
}

function findApp(apps: readonly OverviewApp[], { appId }: VersionRow): OverviewApp | undefined {
  return apps.find((app) => app.appId === appId);
}

/** Named by its app where there are several: one product has the same name in both stores. */
function Version({ row, app }: { row: VersionRow; app: OverviewApp | undefined }) {
  const { appId, version } = row;
  return (
    <span>
      <Link href={reviewsAddress({ app: appId, version })}>
        {app ? `${app.name} ${version}` : version}
      </Link>
      {app ? <span className={styles.store}>{storeName(app.store)}</span> : null}
    </span>
  );
}

function Side({ appId, side }: { appId: string; side: VersionRow["before"] }) {
  const { from, to, total, averageRating } = side;
  if (total === 0) return "–";
  return (
    <Link
      href={reviewsAddress({ app: appId, from, to })}
      title={`${formatDay(from)} to ${formatDay(to)}`}
    >
      {formatStars(averageRating ?? 0)} ({formatCount(total)})
    </Link>
  );
}

function Difference({ row: { before, after } }: { row: VersionRow }) {
  if (before.averageRating === null || after.averageRating === null) return "–";
  return <Change by={after.averageRating - before.averageRating} />;
}

function NegativeShares({ row: { before, after } }: { row: VersionRow }) {
  if (before.analyzed === 0 || after.analyzed === 0) return "–";
  const share = ({ sentiment, analyzed }: VersionRow["before"]) =>
    formatPercent(sentiment.negative, analyzed);
  return `${share(before)} → ${share(after)}`;
}
