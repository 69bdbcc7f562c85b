// The outcome of a release, in one word.
import type { Verdict } from "../../../../src/dashboard-api/contract/overview.ts";
import { outcomeNames, shownOutcome } from "../../../../src/domain/changes/shown-outcome.ts";
import { Chip } from "../../components/chip.tsx";
import { todayUtc } from "../../format/clock.ts";

const tones = {
  worse: "bad",
  not_fixed: "bad",
  fixed: "good",
  better: "good",
  fine: "good",
  too_early: "plain",
  unclear: "plain",
  withheld: "plain",
} as const;

export function OutcomeChip({ verdict }: { verdict: Verdict }) {
  const outcome = shownOutcome(verdict, todayUtc());
  return <Chip tone={tones[outcome]}>{outcomeNames[outcome]}</Chip>;
}
