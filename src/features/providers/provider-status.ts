// The providers as operators see them: their state and their queues.
import type { Database } from "../../database/database.ts";
import type {
  ProviderConfig,
  ProviderState,
  ProviderStatus,
} from "../../domain/review/provider.ts";
import type { Clock } from "../../lib/clock.ts";
import { dayOf } from "../../lib/timestamp.ts";

export async function listProviders(
  deps: {
    clock: Clock;
    database: Pick<
      Database,
      "findProviderState" | "countProviderJobs" | "countDrafts" | "findProviderDay"
    >;
  },
  providers: readonly ProviderConfig[],
): Promise<ProviderStatus[]> {
  const { clock, database } = deps;
  const now = clock.now();
  const counts = await database.countProviderJobs();
  const statuses: ProviderStatus[] = [];
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
