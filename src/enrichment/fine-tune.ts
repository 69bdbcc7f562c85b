// The way of an adaptation: from the starred reviews that are kept, through training with its gate, to
// the weights in use. One language after the other, in strides that let everything else go on.

import { analysisVersion } from "../analysis/analyze.ts";
import { runFineTuning } from "../analysis/fine-tuning-training.ts";
import { textUnitsMax } from "../analysis/normalized-text.ts";
import type { Database } from "../database/database.ts";
import type { FineTuningState } from "../domain/fine-tuning.ts";
import type { Clock } from "../lib/clock.ts";
import { dayMs } from "../lib/timestamp.ts";
import type { Analyzer } from "./analyzer.ts";

type FineTuneDeps = { clock: Clock; database: Database; analyzer: Analyzer };

export type LanguageFineTuning = { language: string; change: "take" | "drop" | "keep"; outcome: string };

// Enough to learn from, and what bounds time and memory however many reviews are kept.
const reviewsPerLanguageMax = 6_000;
const reviewsMax = 60_000;
const readMax = 200_000;
const listingsMax = 2_000;
const reviewsPerListingMax = 6_000;
/** With fewer a language is not even listed. */
const reviewsToTryMin = 200;

/** @param wanted.isForced try also what was tried not long ago; switched-off languages never are */
export async function fineTuneLanguages(
  deps: FineTuneDeps,
  wanted: { isForced: boolean; shouldContinue?: () => boolean },
): Promise<LanguageFineTuning[]> {
  const { clock, database, analyzer: analyzer } = deps;
  const done: LanguageFineTuning[] = [];
  if (!(await database.isFineTuningAllowed())) return done;
  await analyzer.refresh();
  const states = new Map(
    (await database.listFineTunings(analysisVersion)).map((state) => [state.language, state]),
  );
  for (const [language, reviews] of await readReviews(database)) {
    if (wanted.shouldContinue?.() === false) break;
    const state = states.get(language) ?? null;
    const tried = { state, reviewCount: reviews.length, now: clock.now() };
    if (reviews.length < reviewsToTryMin || state?.isEnabled === false) continue;
    if (!wanted.isForced && !isDue(tried)) continue;
    const current = analyzer.fineTuningOf(language);
    const result = await takeTurns(runFineTuning({ language, reviews, current }));
    const { change, outcome } = result;
    const isSaved = await database.saveFineTuningRun({
      tried: { ...result, language, reviewCount: reviews.length, analysisVersion },
      basedOn: state?.number ?? 0,
      now: clock.now(),
    });
    if (isSaved) done.push({ language, change: change.kind, outcome });
  }
  if (done.some(({ change }) => change !== "keep")) {
    await analyzer.refresh();
    await database.notify("analysis");
  }
  return done;
}

type Starred = { title: string | null; text: string; rating: number };

/** The newest reviews of each language, of all listings alike. */
async function readReviews(database: Database): Promise<Map<string, Starred[]>> {
  const byLanguage = new Map<string, Starred[]>();
  const listingIds = await database.listTrainingListings(listingsMax);
  const share = Math.ceil(readMax / (listingIds.length || 1));
  const limit = Math.min(share, reviewsPerListingMax);
  let count = 0;
  for (const listingId of listingIds) {
    const wanted = { listingId, unitsMax: textUnitsMax, limit };
    for (const { language, ...review } of await database.listTrainingReviews(wanted)) {
      const ofLanguage = byLanguage.get(language) ?? [];
      if (ofLanguage.length >= reviewsPerLanguageMax || count >= reviewsMax) continue;
      ofLanguage.push(review);
      count += 1;
      byLanguage.set(language, ofLanguage);
    }
  }
  return byLanguage;
}

// What was tried is tried again when there is a fifth more to learn from, or after a week.
const growthMin = 1.2;
const retryMs = 7 * dayMs;

function isDue(tried: { state: FineTuningState | null; reviewCount: number; now: Date }): boolean {
  const { state, reviewCount, now } = tried;
  if (!state?.triedAt || state.analysisVersion !== analysisVersion) return true;
  if (reviewCount >= state.reviewCount * growthMin) return true;
  return now.getTime() - state.triedAt.getTime() >= retryMs;
}

/** Runs work that pauses by itself; in each pause everything else has its turn. */
async function takeTurns<T>(work: Iterator<undefined, T>): Promise<T> {
  for (;;) {
    const turn = work.next();
    if (turn.done) return turn.value;
    await new Promise((resolve) => setImmediate(resolve));
  }
}
