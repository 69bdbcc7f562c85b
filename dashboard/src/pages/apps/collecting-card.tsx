// The collecting state of one app, with each of its feeds: a storefront or language that is read.

import type { FeedState, FollowedApp } from "../../../../src/dashboard-api/contract/apps.ts";
import { useWorkspace } from "../../api/workspace.ts";
import { ActionButton } from "../../components/action-button.tsx";
import { Card } from "../../components/card.tsx";
import { Chip } from "../../components/chip.tsx";
import { Alert } from "../../components/feedback.tsx";
import layout from "../../components/layout.module.css";
import { Table, type TableColumn } from "../../components/table.tsx";
import { DueTime, Time } from "../../components/time.tsx";
import { nameRegions, regionName } from "../../format/names.ts";
import { formatCount, formatMinutes, formatQuantity } from "../../format/numbers.ts";
import { isReadByLanguage } from "../../format/stores.ts";
import styles from "./apps.module.css";
import { BackfillProgress, CollectingChip, describeFailing } from "./collecting-status.tsx";

type CollectingCardProps = { app: FollowedApp; feeds: readonly FeedState[] };

export function CollectingCard({ app, feeds }: CollectingCardProps) {
  const { collecting } = app;
  return (
    <Card title="Collecting" tools={<CollectNow app={app} />}>
      <div className={layout.stack}>
        <Facts app={app} />
        {collecting.paceNote ? <Alert kind="warn">{collecting.paceNote}</Alert> : null}
        {collecting.state === "first" ? <BackfillProgress app={app} /> : null}
        {collecting.failing.length > 0 ? <FailingRegions app={app} feeds={feeds} /> : null}
        {feeds.length > 0 ? <FeedTable app={app} feeds={feeds} /> : null}
      </div>
    </Card>
  );
}

/** The table below has all of them. */
const failingShownMax = 5;

/** Grouped by reason: a store that refuses usually refuses several storefronts. */
function FailingRegions({ app, feeds }: CollectingCardProps) {
  const { isViewer } = useWorkspace();
  const { failing } = app.collecting;
  const reasons = [...new Set(failing.map(({ reason }) => reason))];
  return (
    <Alert kind="bad">
      <strong>{describeFailing(app)}</strong>
      <ul>
        {reasons.map((reason) => (
          <li key={reason}>
            {nameRegions(failing.filter((one) => one.reason === reason))}: {reason}
          </li>
        ))}
      </ul>
      <ul>
        {feeds
          .filter(isFailing)
          .slice(0, failingShownMax)
          .map((feed) => (
            <li key={`${feed.kind} ${feed.region}`} className={styles.failingFeed}>
              <span>
                {feedName(app, feed)}:{" "}
                {feed.failureCount > 0
                  ? `${formatQuantity(feed.failureCount, "failed attempt")}, `
                  : null}
                {feed.goodAt ? (
                  <>
                    last read <Time at={feed.goodAt} relative />
                  </>
                ) : (
                  "never read"
                )}
                , next attempt: <DueTime at={feed.nextDueAt} />
              </span>
              {isViewer ? null : (
                <ActionButton
                  small
                  route="POST /workspaces/:workspace/apps/:app/collect"
                  input={{ path: { app: app.id }, body: { region: feed.region } }}
                  affected={["GET /workspaces/:workspace/apps/:app"]}
                  successMessage={() => "Reading it now"}
                >
                  Retry<span className="visually-hidden"> {feedName(app, feed)}</span>
                </ActionButton>
              )}
            </li>
          ))}
      </ul>
      <p>
        Most failures pass by themselves within a day: the store refuses this server for some hours,
        or shows a page in another form. If it lasts longer, the operator of this service finds the
        details in its log.
      </p>
    </Alert>
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
        <dt>
          {collecting.state === "failing"
            ? "Last read, without those that fail"
            : "Last complete read"}
        </dt>
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
  if (useWorkspace().isViewer || app.collecting.state === "off") return null;
  return (
    <ActionButton
      route="POST /workspaces/:workspace/apps/:app/collect"
      input={{ path: { app: app.id }, body: { region: null } }}
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
    { header: "Read every", cell: describeInterval },
    { header: "Pages", cell: ({ pageCount }) => formatCount(pageCount), alignEnd: true },
    {
      header: "Reviews",
      cell: ({ kind, reviewCount }) => (kind === "reviews" ? formatCount(reviewCount) : "–"),
      alignEnd: true,
    },
    { header: "Result", cell: (feed) => describeFeed(feed) },
  ];
  const byName = feeds.toSorted((one, other) =>
    feedName(app, one).localeCompare(feedName(app, other)),
  );
  const hasMore = feeds.filter(isFailing).length > failingShownMax;
  return (
    // Once: if the user closes it, it stays closed when the page refetches.
    <details open={hasMore || undefined} key={String(hasMore)}>
      <summary>{formatQuantity(feeds.length, "feed")}</summary>
      <div className={styles.scroll}>
        <Table
          caption="Feeds with the result of their last read"
          rows={[...byName.filter(isFailing), ...byName.filter((feed) => !isFailing(feed))]}
          rowKey={({ kind, region }) => `${kind} ${region}`}
          columns={columns}
          stacked
        />
      </div>
    </details>
  );
}

function isFailing({ outcome, alarm }: FeedState): boolean {
  return outcome === "unknown" || alarm !== null;
}

// A failing feed keeps its checkpoint: that it was being read says less than that it can't be.
function FeedChip({ feed }: { feed: FeedState }) {
  const { outcome, progress, baselineAt } = feed;
  if (isFailing(feed)) return <Chip tone="bad">Failing</Chip>;
  if (progress) return <Chip tone="accent">Reading</Chip>;
  if (outcome === null) return <Chip>Waiting</Chip>;
  if (!baselineAt) return <Chip tone="accent">First reading</Chip>;
  return <Chip tone="good">{outcome === "empty" ? "OK, no reviews" : "OK"}</Chip>;
}

/** Ratings are read once a day. */
function describeInterval({ kind, intervalMinutes }: FeedState): string {
  if (kind === "ratings") return "1 day";
  return intervalMinutes === null ? "–" : formatMinutes(intervalMinutes);
}

const stopReasons: Readonly<Record<string, string>> = {
  "end of the list": "all read",
  "caught up with the last crawl": "up to date",
};

function describeFeed({ alarm, lastError, progress, stopReason }: FeedState): string {
  const soFar = progress
    ? `${formatQuantity(progress.pageCount, "page")} and ${formatQuantity(progress.reviewCount, "review")} so far`
    : null;
  return alarm ?? lastError ?? soFar ?? stopReasons[stopReason ?? ""] ?? stopReason ?? "";
}

function feedName({ store }: FollowedApp, { kind, region, source }: FeedState): string {
  const isLanguage = isReadByLanguage(store) && kind === "reviews";
  const parts = [
    kind === "reviews" ? "Reviews" : "Ratings",
    regionName({ kind: isLanguage ? "language" : "storefront", region }),
    ...(source === "official" ? ["own account"] : []),
  ];
  return parts.join(", ");
}
