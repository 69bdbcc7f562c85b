// The canary: once a day, one process of all reads a page of a well-known app in each store whose public pages are read.
// A change of a store's layout is then noticed before it affects followed apps, and the app is one more to learn the new layout
// from. Its reviews are not: a day later its first page has others.

import type { Container } from "../../app/container.ts";
import type { Healer } from "../../crawling/healer.ts";
import type { StoreId } from "../../domain/store/store-id.ts";
import type { ResourceStack } from "../../lib/resource-stack.ts";
import { hourMs, minuteMs } from "../../lib/timestamp.ts";
import { startWorkerLoop } from "../../lib/worker-loop.ts";
import type { KnownApp } from "../../stores/shapes/known-values.ts";
import { nameOfCheck, planStoreChecks, type StoreCheck } from "./check-stores.ts";

// A service that has just started has more urgent work.
const firstDelayMs = 10 * minuteMs;
const intervalMs = hourMs;
const dueAfterMs = 23 * hourMs;
// A fault can be a short problem of the store.
const faultyDueAfterMs = hourMs / 2;

/** Runs until the resources are closed. */
export function openCanaryWorker(container: Container, resources: ResourceStack): void {
  if (!container.config.collectCanary) return;
  const knownApps = new Map<StoreId, KnownApp>();
  const loop = startWorkerLoop({
    name: "canary worker",
    log: container.log,
    firstDelayMs,
    async runRound(signal) {
      await checkDueStores({ ...container, knownApps }, signal);
      return intervalMs;
    },
  });
  resources.add(() => loop.close());
}

type CheckDeps = Pick<Container, "clock" | "database" | "log" | "stores"> & {
  healer?: Healer;
  /** The apps as this process has read them. */
  knownApps?: Map<StoreId, KnownApp>;
};

/** Runs the checks that are due. The signal ends it after the current one. */
export async function checkDueStores(deps: CheckDeps, signal: AbortSignal): Promise<void> {
  const { clock, database, log, stores } = deps;
  for (const check of planStoreChecks(stores)) {
    const { store, endpoint } = check;
    const now = clock.now();
    if (signal.aborted) return;
    const dueBefore = new Date(now.getTime() - dueAfterMs);
    const faultyDueBefore = new Date(now.getTime() - faultyDueAfterMs);
    const claim = { store, endpoint, now, dueBefore, faultyDueBefore };
    if (!(await database.claimStoreCheck(claim))) continue;
    const fault = await check.findFault();
    await database.saveStoreCheck({ store, endpoint, fault });
    if (fault !== null) {
      log.warn({ check: nameOfCheck(check), fault }, "a page of a well-known app looks wrong");
    }
    if (endpoint === "ratings") await learnFromCheck(deps, check);
  }
}

async function learnFromCheck(
  { healer, knownApps, stores }: CheckDeps,
  { store, externalAppId, region }: StoreCheck,
): Promise<void> {
  const listing = { id: "well-known app", store, externalAppId };
  const app = knownApps?.get(store) ?? null;
  await healer?.heal({ listing, region, kind: "ratings", app, isInOrder: false });
  const ratings = await stores[store].fetchRatings({ externalAppId, region });
  const facts = await stores[store].fetchApp({ externalAppId, region });
  if (ratings.outcome !== "ok" || facts.outcome !== "ok" || !ratings.value.histogram) return;
  knownApps?.set(store, { ...facts.value, ratings: ratings.value });
}
