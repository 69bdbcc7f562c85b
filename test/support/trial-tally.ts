// Counts the tries of changes of layout: by feeds and outcome, and beside those that the learner heals alone.
import { layoutChanges } from "./layout-changes.ts";
import { healsAlone } from "./learner-samples.ts";
import type { Trial, TrialResult } from "./trial-world.ts";

export type TriedTrial = Pick<TrialResult, "outcome" | "faults" | "held"> &
  Pick<Trial, "seed"> & { change: string; situation: string };

const outcomes = ["healed", "stopped", "wrong", "lost"] as const;

/** @param log one try as JSON a line */
export function tallyTrials(log: string): string {
  const tried = log.split("\n").flatMap((line) => (line === "" ? [] : [JSON.parse(line)]));
  const names = new Set(tried.map(({ change }: TriedTrial) => change));
  const healable = new Set(
    layoutChanges.filter((one) => names.has(one.name) && healsAlone(one)).map(({ name }) => name),
  );
  const situations = [...new Set(tried.map(({ situation }: TriedTrial) => situation))];
  const lines = [...situations, null].map((situation) => {
    const ofSituation = tried.filter((one) => situation === null || one.situation === situation);
    const counts = outcomes.map(
      (outcome) => `${outcome} ${ofSituation.filter((one) => one.outcome === outcome).length}`,
    );
    const able = ofSituation.filter(({ change }) => healable.has(change));
    const healedCount = able.filter(({ outcome }) => outcome === "healed").length;
    const share = `${healedCount} of ${able.length} that the learner heals alone`;
    return `${situation ?? "all"}: ${[...counts, share].join(", ")}`;
  });
  return [
    `${healable.size} of ${names.size} changes are healed by the learner alone`,
    ...lines,
    "",
  ].join("\n");
}
