// The collecting state of one app, with each of its feeds: a storefront or language that is read.

import type { FeedState, FollowedApp } from "../../../../src/dashboard-api/contract/apps.ts";
import { ActionButton } from "../../components/action-button.tsx";
import { Card } from "../../components/card.tsx";
import { Chip } from "../../components/chip.tsx";
import { Alert } from "../../components/feedback.tsx";
import { Table, type TableColumn } from "../../components/table.tsx";
import { DueTime, Time } from "../../components/time.tsx";
import { countryName, languageName } from "../../format/names.ts";
import { formatCount, formatQuantity } from "../../format/numbers.ts";
import { BackfillProgress, CollectingChip } from "./collecting-status.tsx";
import styles from "./sources.module.css";

type CollectingCardProps = { app: FollowedApp; feeds: readonly FeedState[] };

export function CollectingCard({ app, feeds }: CollectingCardProps) {
  const { collecting } = app;
  const alarms = [...new Set(feeds.flatMap(({ alarm }) => alarm ?? []))];
  return (
    <Card title="Collecting" tools={<CollectNow app={app} />}>
      <div className={styles.stack}>
        <Facts app={app} />
        {collecting.state === "first" ? <BackfillProgress app={app} /> : null}
        {alarms.map((alarm) => (
          <Alert key={alarm} kind="warn">
            {alarm}
          </Alert>
        ))}
        {collecting.lastError ? <Alert kind="bad">{collecting.lastError}</Alert> : null}
        {feeds.length > 0 ? <FeedTable app={app} feeds={feeds} /> : null}
      </div>
    </Card>
  );
}

function Facts({ app: { collecting } }: { app: FollowedApp }) {
  return (
    <dl className={styles.states}>
      <div>
        <dt>State</dt>
        <dd>
          <CollectingChip state={collecting.state} />
        </dd>
      </div>
      <div>
        <dt>Reviews stored</dt>
        <dd>{formatCount(collecting.reviewCount)}</dd>
      </div>
      <div>
        <dt>Oldest feed</dt>
        <dd>{collecting.goodAt ? <Time at={collecting.goodAt} relative /> : "not yet"}</dd>
      </div>
      <div>
        <dt>Next read</dt>
        <dd>{collecting.nextDueAt ? <DueTime at={collecting.nextDueAt} /> : "none"}</dd>
      </div>
    </dl>
  );
}

function CollectNow({ app }: { app: FollowedApp }) {
  if (app.collecting.state === "off") return null;
  return (
    <ActionButton
      route="POST /workspaces/:workspace/apps/:app/collect"
      input={{ path: { app: app.id } }}
      affected={["GET /workspaces/:workspace/apps/:app"]}
      successMessage={({ feedCount }) => `Collecting ${formatQuantity(feedCount, "feed")}`}
    >
      Collect now
    </ActionButton>
  );
}

function FeedTable({ app, feeds }: CollectingCardProps) {
  const columns: TableColumn<FeedState>[] = [
    { header: "Feed", cell: (feed) => feedName(app, feed) },
    { header: "State", cell: (feed) => <FeedChip feed={feed} /> },
    { header: "Updated", cell: ({ goodAt }) => (goodAt ? <Time at={goodAt} relative /> : "–") },
    { header: "Next", cell: ({ nextDueAt }) => <DueTime at={nextDueAt} /> },
    { header: "Pages", cell: ({ pageCount }) => formatCount(pageCount), alignEnd: true },
    {
      header: "Reviews",
      cell: ({ kind, reviewCount }) => (kind === "reviews" ? formatCount(reviewCount) : "–"),
      alignEnd: true,
    },
    { header: "Result", cell: (feed) => describeFeed(feed) },
  ];
  return (
    <details>
      <summary>{formatQuantity(feeds.length, "feed")}</summary>
      <div className={styles.scroll}>
        <Table
          caption="Feeds with the result of their last read"
          rows={feeds}
          rowKey={({ kind, region }) => `${kind} ${region}`}
          columns={columns}
          stacked
        />
      </div>
    </details>
  );
}

function FeedChip({ feed: { outcome, progress, baselineAt } }: { feed: FeedState }) {
  if (progress) return <Chip tone="accent">Reading</Chip>;
  if (outcome === "unknown") return <Chip tone="bad">Failing</Chip>;
  if (outcome === null) return <Chip>Waiting</Chip>;
  if (!baselineAt) return <Chip tone="accent">Importing</Chip>;
  return <Chip tone="good">{outcome === "empty" ? "OK, no reviews" : "OK"}</Chip>;
}

function describeFeed({ lastError, progress, stopReason }: FeedState): string {
  if (progress) {
    return `${formatQuantity(progress.pageCount, "page")} and ${formatQuantity(progress.reviewCount, "review")} so far`;
  }
  return lastError ?? stopReason ?? "";
}

function feedName({ store }: FollowedApp, { kind, region, source }: FeedState): string {
  const isLanguage = store === "googleplay" && kind === "reviews";
  const regionName = isLanguage ? languageName(region) : countryName(region);
  const parts = [
    kind === "reviews" ? "Reviews" : "Ratings",
    region === "all" ? "all" : regionName,
    ...(source === "official" ? ["own account"] : []),
  ];
  return parts.join(", ");
}
