// The "What changed" card at the top of the page: a row for each release of the last four weeks and for each rise of
// negative reviews, open ones first. Each number leads to the reviews that it counts.
import type { ReactNode } from "react";
import type {
  Incident,
  OverviewApp,
  Verdict,
} from "../../../../src/dashboard-api/contract/overview.ts";
import { ButtonLink } from "../../components/button.tsx";
import { Card } from "../../components/card.tsx";
import { Chip } from "../../components/chip.tsx";
import { Fold } from "../../components/fold.tsx";
import { Link } from "../../components/link.tsx";
import { Stars } from "../../components/stars.tsx";
import { daysBefore, daysBetween } from "../../format/clock.ts";
import { formatDay } from "../../format/dates.ts";
import { appLabel, topicName } from "../../format/names.ts";
import { formatCount, formatQuantity, formatStars } from "../../format/numbers.ts";
import { OutcomeChip } from "../release/outcome-chip.tsx";
import { releasePath } from "../release/release-path.ts";
import { type FeedFilters, reviewsPath, toQuery } from "../reviews/filters.ts";
import styles from "./what-changed.module.css";

type WhatChangedProps = {
  incidents: readonly Incident[];
  verdicts: readonly Verdict[];
  apps: readonly OverviewApp[];
  sinceVisit: ReactNode;
};

const shownAtFirst = 3;

export function WhatChangedCard({ incidents, verdicts, apps, sinceVisit }: WhatChangedProps) {
  return (
    <div className={styles.card}>
      <Card
        title="What changed"
        hint={
          <>
            Releases and unusual complaints of the last 28 days
            {sinceVisit}
          </>
        }
      >
        {incidents.length === 0 ? (
          <p className={styles.nothing}>
            No release, and no unusual complaints in the last 28 days.
          </p>
        ) : (
          <Fold rows={incidents} shownAtFirst={shownAtFirst}>
            {(shown) => (
              <ol className={styles.incidents}>
                {shown.map((incident, index) => (
                  <IncidentRow
                    key={`${incident.appId} ${incident.version} ${incident.topic} ${incident.range.from}`}
                    incident={incident}
                    isQuoted={index === 0}
                    verdict={verdicts.find(
                      ({ app, version }) =>
                        app.id === incident.appId && version === incident.version,
                    )}
                    app={
                      apps.length > 1
                        ? apps.find(({ appId }) => appId === incident.appId)
                        : undefined
                    }
                  />
                ))}
              </ol>
            )}
          </Fold>
        )}
      </Card>
    </div>
  );
}

const states = {
  open: { label: "Open", tone: "bad" },
  resolved: { label: "Over", tone: "good" },
  quiet: { label: "Quiet", tone: "plain" },
} as const;

type RowProps = {
  incident: Incident;
  /** The first row alone, so that the card stays short; the others lead to their reviews. */
  isQuoted: boolean;
  /** Only releases have one. */
  verdict: Verdict | undefined;
  app: OverviewApp | undefined;
};

/** @param props.app absent where the page shows one app alone */
function IncidentRow({ incident, isQuoted, verdict, app }: RowProps) {
  const { appId, version, state, range, topic, otherTopics, quote } = incident;
  const { label, tone } = states[state];
  return (
    <li className={styles.incident}>
      <div className={styles.words}>
        <h3>
          {verdict ? <OutcomeChip verdict={verdict} /> : <Chip tone={tone}>{label}</Chip>}
          {version === null ? null : <Link href={releasePath({ appId, version })}>{version}</Link>}
          <span>{describeSubject(incident)}</span>
          <span className={styles.when}>
            {otherTopics.length > 0 ? `and ${otherTopics.map(topicName).join(", ")}; ` : ""}
            {app ? `${appLabel(app)}, ` : ""}
            {version === null ? "" : "since "}
            {formatDay(range.from)}
          </span>
        </h3>
        {verdict ? <p>{verdict.words}</p> : null}
        <div className={styles.figures}>
          <p className={verdict ? styles.when : undefined}>
            <Figures incident={incident} />
          </p>
          {state === "quiet" ? null : (
            <div className={styles.actions}>
              <ButtonLink small to={alertPath({ app: appId, topic: topic ?? undefined })}>
                Alert me
              </ButtonLink>
              {verdict ? (
                <ButtonLink small to={`/verdicts/${appId}`}>
                  Past verdicts
                </ButtonLink>
              ) : null}
            </div>
          )}
        </div>
        {quote && isQuoted && state !== "quiet" ? (
          <Link href={`/reviews/${appId}/${quote.reviewId}`} className={styles.quote}>
            <Stars rating={quote.rating} size={13} />
            <span lang={quote.language === "und" ? undefined : quote.language} dir="auto">
              {quote.text}
            </span>
          </Link>
        ) : null}
      </div>
      <Sparkline incident={incident} />
    </li>
  );
}

function describeSubject({ state, topic }: Incident): string {
  if (state === "quiet") return "No unusual topics";
  return topic === null ? "Negative reviews" : topicName(topic);
}

/** The reviews that an incident counts, in some days. */
function filtersOf({ appId, topic }: Incident, days: { from: string; to: string }): FeedFilters {
  const { from, to } = days;
  return { app: appId, from, to, sentiment: "negative", topic: topic ?? undefined };
}

/** New reviews like these, to a channel. */
function alertPath(filters: FeedFilters): string {
  const search = new URLSearchParams(toQuery({ ...filters, rating: [1, 2, 3] }));
  return `/sources/channels/new?${search}`;
}

/** “14 of 60 negative in 7 days; before, 3 of 84 in 12 weeks · 3.06 ★ from 4.02 · back to usual (none since)”. */
function Figures({ incident }: { incident: Incident }) {
  const { appId, range, total, negativeCount, before, after } = incident;
  const { averageRating, averageRatingBefore } = incident;
  return (
    <>
      <Link href={reviewsPath(filtersOf(incident, range))}>
        {formatCount(negativeCount)} negative
      </Link>{" "}
      of {formatCount(total)} in {describeDays(range)}
      {before ? (
        <>
          ; before,{" "}
          <Link href={reviewsPath(filtersOf(incident, before))}>
            {formatCount(before.negativeCount)} of {formatCount(before.total)}
          </Link>{" "}
          in {describeDays(before)}
        </>
      ) : null}
      {averageRating === null ? null : (
        <>
          {" · "}
          <Link href={reviewsPath({ app: appId, ...range })}>{formatStars(averageRating)} ★</Link>
          {averageRatingBefore === null ? "" : ` from ${formatStars(averageRatingBefore)}`}
        </>
      )}
      {after === null ? null : (
        <>
          {` · ${incident.state === "open" ? "goes on" : "back to usual"} (`}
          <Link href={reviewsPath(filtersOf(incident, after))}>
            {after.negativeCount === 0 ? "none" : formatCount(after.negativeCount)} since
          </Link>
          )
        </>
      )}
    </>
  );
}

function describeDays({ from, to }: { from: string; to: string }): string {
  const days = daysBetween(from, to) + 1;
  return days % 7 === 0 && days > 7
    ? formatQuantity(days / 7, "week")
    : formatQuantity(days, "day");
}

const barWidth = 5;
const barGap = 1;
const height = 44;

/** A bar for each day; those of the incident have the colour of bad news. */
function Sparkline({ incident: { days, range, state } }: { incident: Incident }) {
  const highest = Math.max(1, ...days.counts);
  const width = days.counts.length * (barWidth + barGap);
  const last = daysBefore(days.from, 1 - days.counts.length);
  const label = `Negative reviews by day, ${formatDay(days.from)} to ${formatDay(last)}`;
  return (
    <svg
      className={styles.sparkline}
      viewBox={`0 0 ${width} ${height}`}
      preserveAspectRatio="xMaxYMax meet"
      role="img"
      aria-label={label}
    >
      <title>{label}</title>
      {days.counts.map((count, index) => {
        const day = daysBefore(days.from, -index);
        const isInside = day >= range.from && day <= range.to && state !== "quiet";
        const barHeight = Math.max(1, (count / highest) * height);
        return (
          <rect
            key={day}
            className={isInside ? styles.inside : undefined}
            x={index * (barWidth + barGap)}
            y={height - barHeight}
            width={barWidth}
            height={barHeight}
          />
        );
      })}
    </svg>
  );
}
