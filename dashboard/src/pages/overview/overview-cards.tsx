// The cards of the overview: what changed, ratings, reviews and topics. Every number links to its reviews.
import { type ReactNode, useEffect, useMemo, useState } from "react";
import type { OverviewAnswer, Release } from "../../../../src/dashboard-api/contract/overview.ts";
import { findUncoveredUntil } from "../../../../src/domain/changes/release-periods.ts";
import type { ChartMark } from "../../charts/release-marks.ts";
import { Button } from "../../components/button.tsx";
import { releasePath } from "../release/release-path.ts";
import { AppTable } from "./app-table.tsx";
import { OverTimeCard } from "./over-time-card.tsx";
import styles from "./overview.module.css";
import { RatingHistogramCard, RatingHistoryCard } from "./rating-cards.tsx";
import { RegionsCard } from "./region-table.tsx";
import { FeelingCard } from "./review-cards.tsx";
import type { Scope } from "./scope.ts";
import { Tiles } from "./tiles.tsx";
import { TopicsCard } from "./topic-table.tsx";
import { VersionsCard } from "./version-table.tsx";
import { WhatChangedCard } from "./what-changed.tsx";

type CardsProps = {
  overview: OverviewAnswer;
  app: string | undefined;
  /** Paths by the ids of apps. */
  icons: ReadonlyMap<string, string | null>;
  /** A line on what is new for this user; absent on shared pages. */
  sinceVisit?: ReactNode;
  /** Without the cards that are below it. */
  isFirstScreen?: boolean;
};

export function OverviewCards(props: CardsProps) {
  const { overview, app, icons, sinceVisit, isFirstScreen = false } = props;
  const { range, reviews, apps, firstReviewDay } = overview;
  // "All time" starts long before the first review; the charts start with it.
  const weeks = useMemo(
    () => overview.weeks.filter((week) => firstReviewDay !== null && week.to >= firstReviewDay),
    [overview.weeks, firstReviewDay],
  );
  const { releases, versions, verdicts } = overview;
  const marks = useMemo(
    () => toMarks({ releases, apps, versions, verdicts }),
    [releases, apps, versions, verdicts],
  );
  const hasBefore = firstReviewDay !== null && findUncoveredUntil(overview) === null;
  const scope: Scope = { ...(app ? { app } : {}), ...range };
  const singleApp = apps.length === 1 ? apps[0] : undefined;
  return (
    <>
      <Tiles overview={overview} weeks={weeks} scope={scope} />
      <WhatChangedCard
        incidents={overview.incidents}
        verdicts={overview.verdicts}
        apps={apps}
        sinceVisit={sinceVisit}
      />
      {isFirstScreen ? null : (
        <>
          <div className={styles.wide}>
            <TopicsCard
              topics={overview.topics}
              before={hasBefore ? overview.before : null}
              scope={scope}
            />
          </div>
          <FoldedOnPhone>
            <FeelingCard reviews={reviews} scope={scope} />
            <div className={`${styles.wide} ${styles.overTime}`}>
              <OverTimeCard weeks={weeks} marks={marks} scope={scope} />
            </div>
            <div className={styles.offReport}>
              <RegionsCard regions={overview.regions} scope={scope} />
              {singleApp ? (
                <>
                  <RatingHistoryCard app={singleApp} marks={marks} />
                  <RatingHistogramCard app={singleApp} />
                </>
              ) : (
                <AppTable apps={apps} range={range} scope={scope} icons={icons} />
              )}
              <VersionsCard versions={overview.versions} verdicts={overview.verdicts} apps={apps} />
            </div>
          </FoldedOnPhone>
        </>
      )}
    </>
  );
}

const narrow = window.matchMedia("(max-width: 640px)");

/** On a phone the charts and tables are a press away: what changed, the numbers and the topics fit three screens. */
function FoldedOnPhone({ children }: { children: ReactNode }) {
  const [isNarrow, setNarrow] = useState(narrow.matches);
  const [isOpen, setOpen] = useState(false);
  useEffect(() => {
    const update = () => setNarrow(narrow.matches);
    narrow.addEventListener("change", update);
    return () => narrow.removeEventListener("change", update);
  }, []);
  if (!isNarrow || isOpen) return children;
  return <Button onClick={() => setOpen(true)}>Show charts and tables</Button>;
}

/** Stores release the same version of a product: it is marked once, where it was seen first. */
export function toMarks(
  overview: Pick<OverviewAnswer, "releases" | "apps" | "versions" | "verdicts">,
): ChartMark[] {
  const { releases, apps } = overview;
  const nameOf = ({ appId }: Release) => apps.find((app) => app.appId === appId)?.name ?? "";
  const hasSeveral = new Set(apps.map(({ name }) => name)).size > 1;
  const firsts = releases.filter(
    (release, index) =>
      releases.findIndex(
        (one) => one.version === release.version && nameOf(one) === nameOf(release),
      ) === index,
  );
  return firsts.map((release) => ({
    day: release.day,
    // The first word distinguishes products, and leaves room for others. Between Unicode's isolates, a name from right
    // to left doesn't turn the version.
    label: hasSeveral
      ? `\u2068${nameOf(release).split(/[\s:]/, 1)[0]}\u2069 ${release.version}`
      : release.version,
    to: releasePath(release),
    weight: Math.max(
      ...releases
        .filter((one) => one.version === release.version && nameOf(one) === nameOf(release))
        .map((one) => weightOf(one, overview)),
    ),
  }));
}

/** More than the reviews of any version. */
const worseWeight = 1e9;

/** The releases that a verdict calls worse first, then by the reviews since each. */
function weightOf(
  { appId, version }: Release,
  { versions, verdicts }: Pick<OverviewAnswer, "versions" | "verdicts">,
): number {
  const after = versions.find((one) => one.appId === appId && one.version === version)?.after;
  const isWorse = verdicts.some(
    (one) => one.app.id === appId && one.version === version && one.result === "worse",
  );
  return (isWorse ? worseWeight : 0) + (after?.total ?? 0);
}
