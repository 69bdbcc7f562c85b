// The outcome of a release, in one word.
import type { Verdict } from "../../../../src/dashboard-api/contract/overview.ts";
import { Chip } from "../../components/chip.tsx";

const outcomes = {
  worse: { label: "Worse", tone: "bad" },
  not_fixed: { label: "Not fixed", tone: "bad" },
  fixed: { label: "Fixed", tone: "good" },
  better: { label: "Better", tone: "good" },
  fine: { label: "Fine", tone: "good" },
  too_early: { label: "Too early to tell", tone: "plain" },
} as const;

export function OutcomeChip({ verdict: { outcome } }: { verdict: Verdict }) {
  const { label, tone } = outcomes[outcome];
  return <Chip tone={tone}>{label}</Chip>;
}
