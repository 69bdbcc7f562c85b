// The versions of the apps, with the average rating of all reviews before and after each release.
import { Link } from "wouter";
import type { OverviewApp, VersionRow } from "../../../../src/dashboard-api/contract/overview.ts";
import { Card } from "../../components/card.tsx";
import { Alert } from "../../components/feedback.tsx";
import { Table, type TableColumn } from "../../components/table.tsx";
import { formatDay } from "../../format/dates.ts";
import { storeName } from "../../format/names.ts";
import { formatCount, formatPercent, formatStars } from "../../format/numbers.ts";
import { reviewsPath } from "../reviews/filters.ts";
import { Change } from "./change.tsx";
import styles from "./overview.module.css";

type VersionsCardProps = { versions: readonly VersionRow[]; apps: readonly OverviewApp[] };

export function VersionsCard({ versions, apps }: VersionsCardProps) {
  const columns: TableColumn<VersionRow>[] = [
    {
      header: "Version",
      cell: (row) => <Version row={row} app={apps.length > 1 ? findApp(apps, row) : undefined} />,
    },
    { header: "First seen", cell: (row) => formatDay(row.firstDay) },
    {
      header: "Before",
      cell: (row) => <PeriodAverage appId={row.appId} side={row.before} />,
      alignEnd: true,
    },
    {
      header: "After",
      cell: (row) => <PeriodAverage appId={row.appId} side={row.after} />,
      alignEnd: true,
    },
    { header: "Change", cell: (row) => <AverageDifference row={row} />, alignEnd: true },
    { header: "Negative", cell: (row) => <NegativeShares row={row} />, alignEnd: true },
  ];
  return (
    <div className={styles.full}>
      <Card
        title="Versions, before and after"
        hint="Average of all reviews in the 14 days before and after each release"
      >
        {versions.length === 0 ? (
          <Alert>No review names a version yet.</Alert>
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

/** With the app's name if there are several apps, and the store: both stores have the same product name. */
function Version({ row, app }: { row: VersionRow; app: OverviewApp | undefined }) {
  const { appId, version } = row;
  return (
    <span>
      <Link href={reviewsPath({ app: appId, version })}>
        {app ? `${app.name} ${version}` : version}
      </Link>
      {app ? <span className={styles.store}>{storeName(app.store)}</span> : null}
    </span>
  );
}

function PeriodAverage({ appId, side }: { appId: string; side: VersionRow["before"] }) {
  const { from, to, total, averageRating } = side;
  if (total === 0) return "–";
  return (
    <Link
      href={reviewsPath({ app: appId, from, to })}
      title={`${formatDay(from)} to ${formatDay(to)}`}
    >
      {formatStars(averageRating ?? 0)} ({formatCount(total)})
    </Link>
  );
}

function AverageDifference({ row: { before, after } }: { row: VersionRow }) {
  if (before.averageRating === null || after.averageRating === null) return "–";
  return <Change by={after.averageRating - before.averageRating} />;
}

function NegativeShares({ row: { before, after } }: { row: VersionRow }) {
  if (before.analyzed === 0 || after.analyzed === 0) return "–";
  const share = ({ sentiment, analyzed }: VersionRow["before"]) =>
    formatPercent(sentiment.negative, analyzed);
  return `${share(before)} → ${share(after)}`;
}
