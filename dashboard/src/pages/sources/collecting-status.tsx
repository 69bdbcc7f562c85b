// How collecting goes, in a chip, in times and as the progress of the first full pass.
import type { CollectingState } from "../../../../src/dashboard-api/contract/apps.ts";
import { Chip, type ChipTone } from "../../components/chip.tsx";
import { Progress } from "../../components/progress-bar.tsx";
import { Time } from "../../components/time.tsx";
import styles from "./sources.module.css";

const words: Record<CollectingState["state"], { label: string; tone: ChipTone }> = {
  off: { label: "Imports only", tone: "plain" },
  first: { label: "First pass", tone: "accent" },
  failing: { label: "Failing", tone: "bad" },
  good: { label: "Up to date", tone: "good" },
};

export function CollectingChip({ state }: { state: CollectingState["state"] }) {
  const { label, tone } = words[state];
  return <Chip tone={tone}>{label}</Chip>;
}

export function CollectingTimes({ collecting }: { collecting: CollectingState }) {
  const { goodAt, nextDueAt, state } = collecting;
  if (state === "off") return null;
  return (
    <>
      {goodAt ? (
        <span>
          last good <Time at={goodAt} relative />
        </span>
      ) : null}
      {nextDueAt ? (
        <span>
          next <Time at={nextDueAt} relative />
        </span>
      ) : null}
    </>
  );
}

export function BackfillProgress({ collecting }: { collecting: CollectingState }) {
  const { baselineCount, feedCount } = collecting;
  return (
    <div className={styles.facts} style={{ display: "block" }}>
      <Progress
        label={`First full pass: ${baselineCount} of ${feedCount} feeds read. Nothing is announced until then.`}
        done={baselineCount}
        total={feedCount}
      />
    </div>
  );
}
