// All apps of the workspace side by side: what the store says of each and what its reviews say.
import { Link, useSearchParams } from "wouter";
import type { OverviewApp } from "../../../../src/dashboard-api/contract/overview.ts";
import { useAnswer } from "../../api/workspace.ts";
import { AppIcon } from "../../components/app-icon.tsx";
import { Card } from "../../components/card.tsx";
import { Table } from "../../components/table.tsx";
import { storeName } from "../../format/names.ts";
import { formatCount, formatStars } from "../../format/numbers.ts";
import { reviewsAddress } from "../reviews/filters.ts";
import { Change } from "./change.tsx";
import styles from "./overview.module.css";
import type { Scope } from "./overview.tsx";

export function AppTable({ apps, scope }: { apps: readonly OverviewApp[]; scope: Scope }) {
  return (
    <div className={styles.full}>
      <Card title="Apps">
        <Table
          caption="Apps with their rating and their reviews of the chosen days"
          rows={apps}
          rowKey={(app) => app.appId}
          stacked
          columns={[
            { head: "App", cell: (app) => <AppCell app={app} /> },
            {
              head: "Store rating",
              cell: ({ appId, rating }) => (
                <Link href={reviewsAddress({ app: appId })}>
                  {formatStars(rating?.average ?? 0)}
                </Link>
              ),
              end: true,
            },
            {
              head: "Change",
              cell: ({ rating }) => (rating?.change ? <Change by={rating.change.average} /> : "–"),
              end: true,
            },
            { head: "Ratings", cell: ({ rating }) => formatCount(rating?.total ?? 0), end: true },
            {
              head: "Reviews",
              cell: ({ appId, reviews }) => (
                <Link href={reviewsAddress({ ...scope, app: appId })}>
                  {formatCount(reviews.total)}
                </Link>
              ),
              end: true,
            },
            {
              head: "Average of reviews",
              cell: ({ appId, reviews }) => (
                <Link href={reviewsAddress({ ...scope, app: appId })}>
                  {formatStars(reviews.averageRating ?? 0)}
                </Link>
              ),
              end: true,
            },
          ]}
        />
      </Card>
    </div>
  );
}

function AppCell({ app }: { app: OverviewApp }) {
  const [search] = useSearchParams();
  const apps = useAnswer("GET /workspaces/:workspace/apps", {});
  const icon = apps.data?.apps.find(({ id }) => id === app.appId)?.iconPath ?? null;
  const next = new URLSearchParams(search);
  next.set("app", app.appId);
  return (
    <span className={styles.appCell}>
      <AppIcon name={app.name} url={icon} />
      <span>
        <Link href={`/overview?${next}`}>{app.name}</Link>
        <span className={styles.store}>{storeName(app.store)}</span>
      </span>
    </span>
  );
}
