// Fine-tunes sentiment on the stored reviews with stars, one language after the other: reads the reviews,
// trains behind the acceptance gate, and saves the result. Training runs in small chunks, so that other
// work of the process goes on.

import { analysisVersion } from "../analysis/analyze.ts";
import {
  type FineTuningResult,
  runFineTuning,
  type StarredReview,
} from "../analysis/fine-tuning-training.ts";
import { textUnitsMax } from "../analysis/normalized-text.ts";
import type { Database } from "../database/database.ts";
import type { FineTuningState } from "../domain/fine-tuning.ts";
import type { Clock } from "../lib/clock.ts";
import { dayMs } from "../lib/timestamp.ts";
import type { Analyzer } from "./analyzer.ts";
import { languageName } from "./translators/language-codes.ts";

export type FineTuneDeps = {
  clock: Clock;
  database: Pick<
    Database,
    | "isFineTuningAllowed"
    | "listFineTunings"
    | "saveFineTuningRun"
    | "listTrainingListings"
    | "listTrainingReviews"
    | "notify"
  >;
  analyzer: Analyzer;
};

export type LanguageFineTuning = Pick<FineTuningResult, "shipped" | "candidate" | "outcome"> & {
  language: string;
  change: FineTuningResult["change"]["kind"];
};

// Enough to train on, and bounds time and memory however many reviews are stored.
const reviewsPerLanguageMax = 6_000;
const reviewsMax = 60_000;
const readMax = 200_000;
const listingsMax = 2_000;
/** A third of what a language is trained with: no listing decides alone. */
const reviewsPerListingMax = reviewsPerLanguageMax / 3;
/** A language with fewer reviews is not trained. */
const reviewCountMin = 200;
/** And with fewer than these, the missing number is not reported. */
const reportedCountMin = 20;

/**
 * Returns what was saved; a forced run also the languages that have too few reviews, with how many are missing.
 * @param options.isForced also languages that were trained recently; never those that are switched off
 */
export async function fineTuneLanguages(
  deps: FineTuneDeps,
  options: { isForced: boolean; shouldContinue?: () => boolean },
): Promise<LanguageFineTuning[]> {
  const { clock, database, analyzer } = deps;
  const saved: LanguageFineTuning[] = [];
  if (!(await database.isFineTuningAllowed())) return saved;
  await analyzer.refresh();
  const states = new Map(
    (await database.listFineTunings(analysisVersion)).map((state) => [state.language, state]),
  );
  for (const [language, reviews] of await readReviews(database)) {
    if (options.shouldContinue?.() === false) break;
    const state = states.get(language) ?? null;
    const reviewCount = reviews.length;
    if (state?.isEnabled === false) continue;
    if (reviewCount < reviewCountMin) {
      if (reviewCount < reportedCountMin) continue;
      const tooFew = describeTooFew(language, reviewCount);
      if (options.isForced) saved.push(tooFew);
      await saveTooFew(deps, { run: tooFew, reviewCount, state });
      continue;
    }
    if (!options.isForced && !isDue({ state, reviewCount, now: clock.now() })) continue;
    const current = analyzer.fineTuningOf(language);
    const result = await runInTurns(runFineTuning({ language, reviews, current }));
    const isSaved = await database.saveFineTuningRun({
      run: { ...result, language, reviewCount, analysisVersion },
      basedOn: state?.number ?? 0,
      now: clock.now(),
    });
    const { shipped, candidate, outcome, change } = result;
    if (isSaved) saved.push({ language, shipped, candidate, outcome, change: change.kind });
  }
  if (saved.some(({ change }) => change !== "keep")) {
    await analyzer.refresh();
    await database.notify("analysis");
  }
  return saved;
}

function describeTooFew(language: string, reviewCount: number): LanguageFineTuning {
  const missing = reviewCountMin - reviewCount;
  const outcome = `too few reviews to train: ${reviewCount} of ${reviewCountMin}, ${missing} are missing`;
  return { language, shipped: null, candidate: null, outcome, change: "keep" };
}

/** So that people see what is missing. Weights of a time with more reviews stay as they are. */
async function saveTooFew(
  { clock, database }: Pick<FineTuneDeps, "clock" | "database">,
  few: { run: LanguageFineTuning; reviewCount: number; state: FineTuningState | null },
): Promise<void> {
  if ((few.state?.number ?? 0) > 0) return;
  const { language, outcome } = few.run;
  const counts = { reviewCount: few.reviewCount, rowCount: few.reviewCount, heldOutCount: 0 };
  const figures = { shipped: null, inUse: null, outcome };
  const change = { kind: "keep" as const };
  const run = { language, ...counts, ...figures, change, analysisVersion };
  await database.saveFineTuningRun({ run, basedOn: 0, now: clock.now() });
}

/** One sentence for the log, with the accuracy of the shipped and of the new weights in percent. */
export function describeFineTuning(run: LanguageFineTuning): string {
  const { language, shipped, candidate, outcome } = run;
  const percent = (share: number): string => (share * 100).toFixed(1);
  const figures =
    shipped && candidate
      ? ` (accuracy ${percent(shipped.accuracy)} → ${percent(candidate.accuracy)} %)`
      : "";
  return `fine-tuning of ${languageName(language)} sentiment finished: ${outcome}${figures}`;
}

/** The newest reviews of each language, the commonest language first, with the same limit for every listing. */
async function readReviews(
  database: Pick<Database, "listTrainingListings" | "listTrainingReviews">,
): Promise<Map<string, StarredReview[]>> {
  const byLanguage = new Map<string, StarredReview[]>();
  const listingIds = await database.listTrainingListings(listingsMax);
  const limit = Math.min(Math.ceil(readMax / (listingIds.length || 1)), reviewsPerListingMax);
  let count = 0;
  for (const listingId of listingIds) {
    const found = await database.listTrainingReviews({ listingId, unitsMax: textUnitsMax, limit });
    for (const { language, ...review } of found) {
      const ofLanguage = byLanguage.get(language) ?? [];
      if (ofLanguage.length >= reviewsPerLanguageMax || count >= reviewsMax) continue;
      ofLanguage.push(review);
      count += 1;
      byLanguage.set(language, ofLanguage);
    }
  }
  return new Map([...byLanguage].sort(([, a], [, b]) => b.length - a.length));
}

// A language is trained again when it has a fifth more reviews, or after a week.
const growthMin = 1.2;
const retryMs = 7 * dayMs;

function isDue(input: { state: FineTuningState | null; reviewCount: number; now: Date }): boolean {
  const { state, reviewCount, now } = input;
  if (!state?.triedAt || state.analysisVersion !== analysisVersion) return true;
  if (state.reviewCount < reviewCountMin) return true;
  if (reviewCount >= state.reviewCount * growthMin) return true;
  return now.getTime() - state.triedAt.getTime() >= retryMs;
}

/** Runs a generator to its end; other tasks of the event loop run at each `yield`. */
async function runInTurns<T>(work: Iterator<undefined, T>): Promise<T> {
  for (;;) {
    const turn = work.next();
    if (turn.done) return turn.value;
    await new Promise((resolve) => setImmediate(resolve));
  }
}
