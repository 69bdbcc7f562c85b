// The collecting state of an app: a chip, the times of the last and the next read, and the progress of the
// first import.

import type { CollectingState, FollowedApp } from "../../../../src/dashboard-api/contract/apps.ts";
import { Chip, type ChipTone } from "../../components/chip.tsx";
import layout from "../../components/layout.module.css";
import { ProgressBar } from "../../components/progress-bar.tsx";
import { DueTime, Time } from "../../components/time.tsx";
import { nameRegions, regionUnit } from "../../format/names.ts";
import { formatCount } from "../../format/numbers.ts";
import { readingUnit } from "../../format/stores.ts";

const states: Record<CollectingState["state"], { label: string; tone: ChipTone }> = {
  off: { label: "Imports only", tone: "plain" },
  first: { label: "First reading", tone: "accent" },
  failing: { label: "Failing", tone: "bad" },
  good: { label: "Up to date", tone: "good" },
};

export function CollectingChip({ state }: { state: CollectingState["state"] }) {
  const { label, tone } = states[state];
  return <Chip tone={tone}>{label}</Chip>;
}

export function CollectingTimes({ collecting }: { collecting: CollectingState }) {
  const { goodAt, nextDueAt, state } = collecting;
  if (state === "off") return null;
  return (
    <>
      {goodAt ? (
        <span>
          updated <Time at={goodAt} relative />
        </span>
      ) : null}
      {nextDueAt ? (
        <span>
          next: <DueTime at={nextDueAt} />
        </span>
      ) : null}
    </>
  );
}

export function BackfillProgress({ app: { store, collecting } }: { app: FollowedApp }) {
  const { baselineCount, feedCount } = collecting;
  return (
    <div className={layout.facts} style={{ display: "block" }}>
      <ProgressBar
        label={`Reading existing reviews: ${baselineCount} of ${feedCount} ${readingUnit(store)}. Webhooks start when it is done.`}
        done={baselineCount}
        total={feedCount}
      />
    </div>
  );
}

/** `3 of 10 storefronts failing: Germany, France, Japan`. */
export function describeFailing({ store, collecting }: Pick<FollowedApp, "store" | "collecting">) {
  const { failing, regionCount } = collecting;
  const counts = `${formatCount(failing.length)} of ${formatCount(regionCount)}`;
  return `${counts} ${regionUnit(store)} failing: ${nameRegions(failing)}`;
}
