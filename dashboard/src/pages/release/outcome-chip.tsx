// The outcome of a release, in one word.
import type { Verdict } from "../../../../src/dashboard-api/contract/overview.ts";
import { releaseDays } from "../../../../src/domain/release-periods.ts";
import { Chip } from "../../components/chip.tsx";
import { daysBetween, todayUtc } from "../../format/clock.ts";

const outcomes = {
  worse: { label: "Worse", tone: "bad" },
  not_fixed: { label: "Not fixed", tone: "bad" },
  fixed: { label: "Fixed", tone: "good" },
  better: { label: "Better", tone: "good" },
  fine: { label: "Fine", tone: "good" },
  too_early: { label: "Too early to tell", tone: "plain" },
} as const;
const undecided = { label: "No clear change", tone: "plain" } as const;

export function OutcomeChip({ verdict: { outcome, firstDay } }: { verdict: Verdict }) {
  const isOver = outcome === "too_early" && daysBetween(firstDay, todayUtc()) >= releaseDays;
  const { label, tone } = isOver ? undecided : outcomes[outcome];
  return <Chip tone={tone}>{label}</Chip>;
}
