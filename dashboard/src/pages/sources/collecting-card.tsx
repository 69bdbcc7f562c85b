// The collecting state of one app in full: each storefront and language with its last pass in words.
import type { FeedState, FollowedApp } from "../../../../src/dashboard-api/contract/apps.ts";
import { describeError } from "../../api/http-request.ts";
import { useChange } from "../../api/workspace.ts";
import { Button } from "../../components/button.tsx";
import { Card } from "../../components/card.tsx";
import { Chip } from "../../components/chip.tsx";
import { Note } from "../../components/feedback.tsx";
import { Table, type TableColumn } from "../../components/table.tsx";
import { Time } from "../../components/time.tsx";
import { useToast } from "../../components/toast.tsx";
import { countryName, languageName } from "../../format/names.ts";
import { formatCount, formatNumberOf } from "../../format/numbers.ts";
import { BackfillProgress, CollectingChip } from "./collecting-status.tsx";
import styles from "./sources.module.css";

type CollectingCardProps = { app: FollowedApp; feeds: readonly FeedState[] };

export function CollectingCard({ app, feeds }: CollectingCardProps) {
  const { collecting } = app;
  const alarms = [...new Set(feeds.flatMap(({ alarm }) => alarm ?? []))];
  return (
    <Card title="Collecting" tools={<CollectNow app={app} />}>
      <div className={styles.form}>
        <Facts app={app} />
        {collecting.state === "first" ? <BackfillProgress collecting={collecting} /> : null}
        {alarms.map((alarm) => (
          <Note key={alarm} kind="warn">
            {alarm}
          </Note>
        ))}
        {collecting.lastError ? <Note kind="bad">{collecting.lastError}</Note> : null}
        {feeds.length > 0 ? <Feeds app={app} feeds={feeds} /> : null}
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
        <dt>Reviews kept</dt>
        <dd>{formatCount(collecting.reviewCount)}</dd>
      </div>
      <div>
        <dt>All feeds read since</dt>
        <dd>{collecting.goodAt ? <Time at={collecting.goodAt} relative /> : "not yet"}</dd>
      </div>
      <div>
        <dt>Next pass</dt>
        <dd>{collecting.nextDueAt ? <Time at={collecting.nextDueAt} relative /> : "none"}</dd>
      </div>
    </dl>
  );
}

function CollectNow({ app }: { app: FollowedApp }) {
  const say = useToast();
  const collect = useChange("POST /workspaces/:workspace/apps/:app/collect", [
    "GET /workspaces/:workspace/apps/:app",
  ]);
  if (app.collecting.state === "off") return null;
  const start = () =>
    collect.mutate(
      { path: { app: app.id } },
      {
        onSuccess: ({ feedCount }) => say(`${formatNumberOf(feedCount, "feed")} come next`),
        onError: (error) => say(describeError(error)),
      },
    );
  return (
    <Button busy={collect.isPending} onClick={start}>
      Collect now
    </Button>
  );
}

function Feeds({ app, feeds }: CollectingCardProps) {
  const columns: TableColumn<FeedState>[] = [
    { head: "Feed", cell: (feed) => feedName(app, feed) },
    { head: "State", cell: (feed) => <FeedChip feed={feed} /> },
    { head: "Last good", cell: ({ goodAt }) => (goodAt ? <Time at={goodAt} relative /> : "–") },
    { head: "Next", cell: ({ nextDueAt }) => <Time at={nextDueAt} relative /> },
    { head: "Pages", cell: ({ pageCount }) => formatCount(pageCount), end: true },
    {
      head: "Reviews",
      cell: ({ kind, reviewCount }) => (kind === "reviews" ? formatCount(reviewCount) : "–"),
      end: true,
    },
    { head: "In words", cell: (feed) => feedWords(feed) },
  ];
  return (
    <details>
      <summary>{formatNumberOf(feeds.length, "feed")}</summary>
      <div className={styles.scroll}>
        <Table
          caption="Feeds and their last pass"
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
  if (!baselineAt) return <Chip tone="accent">First pass</Chip>;
  return <Chip tone="good">{outcome === "empty" ? "Good, empty" : "Good"}</Chip>;
}

function feedWords({ lastError, progress, stopReason }: FeedState): string {
  if (progress) {
    return `${formatNumberOf(progress.pageCount, "page")} and ${formatNumberOf(progress.reviewCount, "review")} so far`;
  }
  return lastError ?? stopReason ?? "";
}

function feedName({ store }: FollowedApp, { kind, region, source }: FeedState): string {
  const isLanguage = store === "googleplay" && kind === "reviews";
  const name = isLanguage ? languageName(region) : countryName(region);
  const place = region === "all" ? "all" : name;
  return `${kind === "reviews" ? "Reviews" : "Ratings"}, ${place}${source === "official" ? ", own account" : ""}`;
}
