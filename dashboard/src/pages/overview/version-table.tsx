// The versions of the apps, with the average rating of all reviews before and after each release.
import type {
  ComparedRelease,
  OverviewApp,
  Verdict,
} from "../../../../src/dashboard-api/contract/overview.ts";
import { Card } from "../../components/card.tsx";
import { Alert } from "../../components/feedback.tsx";
import { Fold } from "../../components/fold.tsx";
import { Link } from "../../components/link.tsx";
import { Table, type TableColumn } from "../../components/table.tsx";
import { daysBetween, todayUtc } from "../../format/clock.ts";
import { formatDay } from "../../format/dates.ts";
import { formatCount, formatPercent, formatStars } from "../../format/numbers.ts";
import { storeName } from "../../format/stores.ts";
import { differsInStars } from "../compare/star-difference.ts";
import { releasePath } from "../release/release-path.ts";
import { reviewsPath } from "../reviews/filters.ts";
import { Change } from "./change.tsx";
import styles from "./overview.module.css";

type VersionsCardProps = {
  versions: readonly ComparedRelease[];
  verdicts: readonly Verdict[];
  apps: readonly OverviewApp[];
};

const shownAtFirst = 3;
/** Fewer reviews say nothing about a version. */
const reviewsMin = 5;

/** Those that made something worse first, then by their reviews. */
function orderVersions({ versions, verdicts }: VersionsCardProps): ComparedRelease[] {
  const isBad = ({ appId, version }: ComparedRelease): boolean =>
    verdicts.some(
      (one) => one.app.id === appId && one.version === version && one.result === "worse",
    );
  return versions
    .filter(({ after }) => after.total >= reviewsMin)
    .sort(
      (one, other) =>
        Number(isBad(other)) - Number(isBad(one)) || other.after.total - one.after.total,
    );
}

export function VersionsCard(props: VersionsCardProps) {
  const { apps } = props;
  const versions = orderVersions(props);
  const columns: TableColumn<ComparedRelease>[] = [
    {
      header: "Version",
      cell: (row) => <Version row={row} app={apps.length > 1 ? findApp(apps, row) : undefined} />,
    },
    { header: "First seen", cell: (row) => <FirstSeen row={row} /> },
    {
      header: "Before → after",
      cell: (row) => (
        <>
          <PeriodAverage appId={row.appId} side={row.before} /> →{" "}
          <PeriodAverage appId={row.appId} side={row.after} />
        </>
      ),
      alignEnd: true,
    },
    { header: "Change", cell: (row) => <AverageDifference row={row} />, alignEnd: true },
    { header: "Negative", cell: (row) => <NegativeShares row={row} />, alignEnd: true },
  ];
  return (
    <div className={styles.full}>
      <Card
        title="Versions, before and after"
        hint="Average of all reviews, and their number: up to 12 weeks before, and up to 4 weeks after or until the next release. Versions with fewer than five reviews are left out"
      >
        {versions.length === 0 ? (
          <Alert>No version with five reviews or more was first seen in these days.</Alert>
        ) : (
          <Fold rows={versions} shownAtFirst={shownAtFirst}>
            {(shown) => (
              <div className={styles.scroll}>
                <Table
                  caption="Versions with the reviews before and after"
                  rows={shown}
                  rowKey={(row) => `${row.appId} ${row.version}`}
                  columns={columns}
                  stacked
                />
              </div>
            )}
          </Fold>
        )}
      </Card>
    </div>
  );
}

function findApp(
  apps: readonly OverviewApp[],
  { appId }: ComparedRelease,
): OverviewApp | undefined {
  return apps.find((app) => app.appId === appId);
}

/** With the app's name if there are several apps, and the store: stores have the same product name. */
function Version({ row, app }: { row: ComparedRelease; app: OverviewApp | undefined }) {
  const { appId, version } = row;
  return (
    <span className={styles.named}>
      <Link href={releasePath({ appId, version })} title={app?.name}>
        {app ? `${version} ${app.name}` : version}
      </Link>
      {app ? <span className={styles.store}>{storeName(app.store)}</span> : null}
    </span>
  );
}

/** Until the days after the release are over, the comparison is of unequal periods. */
function FirstSeen({ row: { firstDay, after } }: { row: ComparedRelease }) {
  const [dayCount, days] = [
    daysBetween(firstDay, todayUtc()) + 1,
    daysBetween(firstDay, after.to) + 1,
  ];
  return (
    <span>
      {formatDay(firstDay)}{" "}
      {dayCount < days ? (
        <span className={styles.store}>{`day ${dayCount} of ${days}`}</span>
      ) : null}
    </span>
  );
}

function PeriodAverage({ appId, side }: { appId: string; side: ComparedRelease["before"] }) {
  if (side === null || side.total === 0) return "–";
  const { from, to, total, averageRating } = side;
  return (
    <Link
      href={reviewsPath({ app: appId, from, to })}
      title={`${formatDay(from)} to ${formatDay(to)}`}
    >
      {formatStars(averageRating ?? 0)} ({formatCount(total)})
    </Link>
  );
}

function AverageDifference({ row: { before, after } }: { row: ComparedRelease }) {
  if (before === null || before.averageRating === null || after.averageRating === null) return "–";
  const change = after.averageRating - before.averageRating;
  // Reviews swing by themselves: no colour then, which would say that the release did it.
  return <Change by={change} isNoise={!differsInStars(before.stars, after.stars)} />;
}

function NegativeShares({ row: { before, after } }: { row: ComparedRelease }) {
  if (before === null || before.analyzed === 0 || after.analyzed === 0) return "–";
  const share = ({ sentiment, analyzed }: ComparedRelease["after"]) =>
    formatPercent(sentiment.negative, analyzed);
  return `${share(before)} → ${share(after)}`;
}
