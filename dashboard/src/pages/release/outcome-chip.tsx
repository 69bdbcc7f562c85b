// The outcome of a release, in one word.
import type { Verdict } from "../../../../src/dashboard-api/contract/overview.ts";
import { releaseDays } from "../../../../src/domain/changes/release-periods.ts";
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
const unclear = { label: "No clear change", tone: "plain" } as const;
/** The words have the reason: too few earlier reviews, or a feed that can't be read. */
const withheld = { label: "No verdict", tone: "plain" } as const;

export function OutcomeChip({ verdict }: { verdict: Verdict }) {
  const { label, tone } = chooseOutcome(verdict);
  return <Chip tone={tone}>{label}</Chip>;
}

function chooseOutcome({ outcome, firstDay, isWithheld }: Verdict) {
  if (outcome !== "too_early") return outcomes[outcome];
  if (isWithheld) return withheld;
  return daysBetween(firstDay, todayUtc()) >= releaseDays ? unclear : outcomes.too_early;
}
