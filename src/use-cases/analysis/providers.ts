// The providers as operators see them: their state and their queues; and the translation of an app's
// reviews that are stored already.
import type { Database } from "../../database/database.ts";
import { AppError } from "../../domain/error.ts";
import {
  needsTranslation,
  type ProviderKind,
  type ProviderState,
  toProviderJob,
} from "../../domain/provider.ts";
import type { Review } from "../../domain/review.ts";
import type { Clock } from "../../lib/clock.ts";
import { readBatches } from "../../lib/read-batches.ts";
import { dayOf } from "../../lib/timestamp.ts";
import { requireApp } from "../apps/apps.ts";

/** The settings of one kind of provider. */
export type ProviderConfig = {
  kind: ProviderKind;
  /** As the setting names it, e.g. `deepl`, `none` or `local`. */
  setting: string;
  isEnabled: boolean;
  dayMax: number;
  unit: "characters" | "reviews";
};

export type ProviderStatus = Awaited<ReturnType<typeof listProviders>>[number];

export async function listProviders(
  deps: {
    clock: Clock;
    database: Pick<
      Database,
      "findProviderState" | "countProviderJobs" | "countDrafts" | "findProviderDay"
    >;
  },
  providers: readonly ProviderConfig[],
) {
  const { clock, database } = deps;
  const now = clock.now();
  const counts = await database.countProviderJobs();
  const statuses = [];
  for (const { kind, setting, isEnabled, dayMax, unit } of providers) {
    const known = await database.findProviderState(kind);
    // The state of a provider that was configured before does not matter now.
    const state = known?.provider.split(" ")[0] === setting ? known : null;
    const count = counts.find((one) => one.kind === kind);
    const today = await database.findProviderDay({ kind, day: dayOf(now) });
    statuses.push({
      kind,
      provider: setting,
      status: isEnabled ? describe(state, now) : "off",
      restsUntil: state?.cooldownUntil ?? null,
      goodAt: state?.goodAt ?? null,
      failedAt: state?.failedAt ?? null,
      lastError: state?.lastError ?? null,
      waitingReviews: count?.jobCount ?? 0,
      // How many of those failed before.
      triedReviews: count?.triedCount ?? 0,
      // For a translation.
      waitingDeliveries: kind === "translate" ? await database.countDrafts(now) : 0,
      requestsToday: today.requestCount,
      usedToday: today.cost,
      dayMax,
      unit,
    });
  }
  return statuses;
}

function describe(state: ProviderState | null, now: Date): string {
  if (!state) return "not used yet";
  if (state.lastError === null) return "working";
  const isPaused = state.cooldownUntil !== null && state.cooldownUntil > now;
  const without = state.kind === "analyse" ? "; the built-in analysis is used meanwhile" : "";
  return `${isPaused ? "paused after a failure" : "retrying"}: ${state.lastError}${without}`;
}

const batchMax = 500;

/**
 * Queues every review of an app that is neither English nor translated; the service translates them.
 *
 * @throws AppError `invalid_input`, `not_found`, or `conflict` without a translator
 */
export async function translateApp(
  deps: { clock: Clock; database: Database },
  input: { appId: string; workspaceId: string | null; providers: readonly ProviderConfig[] },
): Promise<{ queued: number }> {
  const { database } = deps;
  const { appId: id, workspaceId } = input;
  const { listingId } = await requireApp(database, { id, workspaceId });
  const translates = input.providers.some((one) => one.kind === "translate" && one.isEnabled);
  if (!translates) {
    throw new AppError("conflict", "no translator is set up: set TRANSLATE_PROVIDER first");
  }
  const batches = readBatches(batchMax, (last: Review | null) =>
    database.listReviewsById({ listingId, afterId: last?.id ?? null, limit: batchMax }),
  );
  let queued = 0;
  for await (const reviews of batches) {
    queued += await queueReviews(deps, { listingId, reviews: reviews.filter(needsTranslation) });
  }
  if (queued > 0) await database.notify("jobs");
  return { queued };
}

function queueReviews(
  { clock, database }: { clock: Clock; database: Database },
  { listingId, reviews }: { listingId: string; reviews: readonly Review[] },
): Promise<number> {
  return database.transaction(async (tx) => {
    // A listing that was deleted has no reviews left, and a job needs its review.
    if (!(await tx.lockListing(listingId))) return 0;
    const jobs = reviews.map((review) =>
      toProviderJob("translate", { listingId, review, isUrgent: false }),
    );
    return tx.insertProviderJobs({ jobs, now: clock.now() });
  });
}
