// Adds to each worse release how the reviews since the next one judge it. They are counted as they are now, by the filters
// of the list of reviews, so that each number has its list.

import type { Database } from "../../database/database.ts";
import type { FollowedApp } from "../../database/reviews/followed-apps.ts";
import { releaseDays } from "../../domain/changes/release-periods.ts";
import type { Aftermath, Verdict } from "../../domain/changes/verdict.ts";
import { addDays } from "../../lib/timestamp.ts";
import type { BaselineCounts } from "../../use-cases/apps/releases.ts";
import { countBaseline } from "./baselines.ts";
import { findOutcome, judgeAftermath, type QuestionCounts } from "./judge/aftermath.ts";
import { markOf } from "./judge/questions.ts";
import { describeAftermath, listCauses } from "./judge/verdict-words.ts";
import { markListed, parseRows, type Range, type Release, readMax } from "./release-reviews.ts";
import * as statements from "./sql.ts";

export type JudgedRelease = {
  release: Release & { app: FollowedApp };
  verdict: Verdict;
  before: BaselineCounts | null;
};

/** One more statement, and none where no release is worse. */
export async function addAftermaths(
  database: Pick<Database, "with">,
  { workspaceId, judged }: { workspaceId: string; judged: readonly JudgedRelease[] },
): Promise<Verdict[]> {
  const hasAftermath = ({ release, verdict }: JudgedRelease): boolean =>
    verdict.result === "worse" && release.laterVersions.length > 0;
  const ranges = judged
    .filter(hasAftermath)
    .flatMap(({ release }) => listRanges(release).map((range) => ({ ...range, app: release.app })));
  const rows =
    ranges.length === 0
      ? []
      : parseRows(
          await database
            .with(statements)
            .listVerdictReviews({ workspaceId, ranges, limit: readMax }),
        );
  return judged.map((one) => {
    const aftermath = hasAftermath(one) ? findAftermath(one, { rows, judged }) : null;
    const { verdict } = one;
    const words = aftermath
      ? `${verdict.words} ${describeAftermath(aftermath, verdict)}`
      : verdict.words;
    return { ...verdict, words, aftermath, outcome: findOutcome(verdict, aftermath) };
  });
}

/** The days of the release, and those since the next one; the newest reviews of each. */
function listRanges({ firstDay, nextDay }: Release): [own: Range, since: Range] {
  const rangeFrom = (day: string): Range => ({
    from: new Date(day),
    to: new Date(addDays(day, releaseDays)),
    order: "newest",
  });
  return [rangeFrom(firstDay), rangeFrom(nextDay ?? firstDay)];
}

function findAftermath(
  { release, verdict, before }: JudgedRelease,
  {
    rows,
    judged,
  }: { rows: readonly statements.VerdictReviewRow[]; judged: readonly JudgedRelease[] },
): Aftermath {
  const { app, version, laterVersions } = release;
  const questions = listCauses(verdict).map(({ question }) => question);
  const read = ({ from, to }: Range) =>
    rows.filter(({ listingId, date }) => listingId === app.listingId && date >= from && date < to);
  const [own, since] = listRanges(release);
  const followers = laterVersions.flatMap((later) => {
    const found = judged.find(
      (one) => one.release.app.id === app.id && one.verdict.version === later,
    );
    return found ? [{ version: later, isWorse: found.verdict.result === "worse" }] : [];
  });
  return judgeAftermath({
    version,
    questions,
    followers,
    reviews: read(since).map((row) => ({
      version: row.version,
      marks: markListed({ ...row, label: row.sentiment }),
      isPraise: row.sentiment === "positive" && row.topics.includes(questions[0] ?? ""),
    })),
    own: countRows(read(own).filter((one) => one.version === version)),
    before: before && {
      total: before.total,
      countOf: (question) => countBaseline(before, question),
    },
  });
}

function countRows(rows: readonly statements.VerdictReviewRow[]): QuestionCounts {
  const marks = rows.map((row) => markListed({ ...row, label: row.sentiment }));
  return {
    total: rows.length,
    countOf: (question) => marks.filter((mark) => (mark & markOf(question)) !== 0).length,
  };
}
