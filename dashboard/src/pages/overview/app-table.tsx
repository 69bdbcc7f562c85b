// The card that compares the apps of the workspace: their store ratings and their reviews.
import { useSearchParams } from "wouter";
import type { OverviewApp } from "../../../../src/dashboard-api/contract/overview.ts";
import { AppIcon } from "../../components/app-icon.tsx";
import { Card } from "../../components/card.tsx";
import { Fold } from "../../components/fold.tsx";
import { Link } from "../../components/link.tsx";
import { Table } from "../../components/table.tsx";
import { formatCount, formatStars } from "../../format/numbers.ts";
import { storeName } from "../../format/stores.ts";
import { reviewsPath } from "../reviews/filters.ts";
import { Change } from "./change.tsx";
import styles from "./overview.module.css";
import { RatingLine } from "./rating-line.tsx";
import type { Scope } from "./scope.ts";

type AppTableProps = {
  apps: readonly OverviewApp[];
  range: { from: string; to: string };
  scope: Scope;
  /** Paths by the ids of apps. */
  icons: ReadonlyMap<string, string | null>;
};

const shownAtFirst = 10;

export function AppTable({ apps, range, scope, icons }: AppTableProps) {
  const sorted = apps.toSorted((one, other) => other.reviews.total - one.reviews.total);
  return (
    <div className={styles.full}>
      <Card title="Apps" hint="The most reviews first; store ratings are all-time averages">
        <Fold rows={sorted} shownAtFirst={shownAtFirst}>
          {(shown) => (
            <Table
              caption="Apps with their store rating and their reviews in the date range"
              rows={shown}
              rowKey={(app) => app.appId}
              stacked
              columns={[
                {
                  header: "App",
                  cell: (app) => <AppCell app={app} icon={icons.get(app.appId) ?? null} />,
                },
                {
                  header: "Store rating",
                  cell: ({ appId, rating }) => (
                    <Link href={`/overview?app=${appId}`}>{formatStars(rating?.average ?? 0)}</Link>
                  ),
                  alignEnd: true,
                },
                {
                  header: "Change",
                  cell: ({ rating }) =>
                    rating?.change ? <Change by={rating.change.average} /> : "–",
                  alignEnd: true,
                },
                { header: "Trend", cell: (app) => <RatingLine app={app} range={range} /> },
                {
                  header: "Ratings",
                  cell: ({ rating }) => formatCount(rating?.total ?? 0),
                  alignEnd: true,
                },
                {
                  header: "Reviews",
                  cell: ({ appId, reviews }) => (
                    <Link href={reviewsPath({ ...scope, app: appId })}>
                      {formatCount(reviews.total)}
                    </Link>
                  ),
                  alignEnd: true,
                },
                {
                  header: "Average",
                  cell: ({ appId, reviews }) => (
                    <Link href={reviewsPath({ ...scope, app: appId })}>
                      {formatStars(reviews.averageRating ?? 0)}
                    </Link>
                  ),
                  alignEnd: true,
                },
              ]}
            />
          )}
        </Fold>
      </Card>
    </div>
  );
}

function AppCell({ app, icon }: { app: OverviewApp; icon: string | null }) {
  const [search] = useSearchParams();
  const next = new URLSearchParams(search);
  next.set("app", app.appId);
  return (
    <span className={styles.appCell}>
      <AppIcon name={app.name} url={icon} size={24} />
      <span className={styles.named}>
        <Link href={`/overview?${next}`} title={app.name}>
          {app.name}
        </Link>
        <span className={styles.store}>{storeName(app.store)}</span>
      </span>
    </span>
  );
}
