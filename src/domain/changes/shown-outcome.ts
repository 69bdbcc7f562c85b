// The outcome of a release as people read it: early and withheld verdicts have words of their own.
import { addDays, type Day } from "../../lib/timestamp.ts";
import { releaseDays } from "./release-periods.ts";
import type { Verdict } from "./verdict.ts";

type ShownOutcome = Verdict["outcome"] | "unclear" | "withheld";

export const outcomeNames: Readonly<Record<ShownOutcome, string>> = {
  worse: "Worse",
  not_fixed: "Not fixed",
  fixed: "Fixed",
  better: "Better",
  fine: "Fine",
  too_early: "Too early to tell",
  unclear: "No clear change",
  // Its words have the reason: too few earlier reviews, or a feed that can't be read.
  withheld: "No verdict",
};

export function shownOutcome(
  { outcome, firstDay, isWithheld }: Pick<Verdict, "outcome" | "firstDay" | "isWithheld">,
  today: Day,
): ShownOutcome {
  if (outcome !== "too_early") return outcome;
  if (isWithheld) return "withheld";
  return addDays(firstDay, releaseDays) <= today ? "unclear" : outcome;
}
