// Whether the service is healthy, what is stuck and since when: from the database, so that it also answers
// while no service runs.

import type { Database } from "../../database/database.ts";
import type { TableSize } from "../../database/platform/service-status.ts";
import type { ReadingPace } from "../../domain/feed/reading-round.ts";
import { storeTraits } from "../../domain/store/store-traits.ts";
import type { Clock } from "../../lib/clock.ts";
import { messageOf } from "../../lib/errors.ts";
import { dayMs, formatTimestamp, minuteMs, secondMs } from "../../lib/timestamp.ts";
import { readHeldDetails } from "../apps/held-details.ts";
import { readRounds } from "../apps/reading-rounds.ts";
import { nameIncident } from "../incidents/layout-incidents.ts";

/** `failed`: something stands still. `warning`: something fails that others do well without. */
type StatusLine = {
  check: string;
  state: "ok" | "warning" | "failed";
  since: Date | null;
  detail: string;
};

export type Status = { isHealthy: boolean; checks: StatusLine[]; tables: TableSize[] };

type StatusDeps = {
  clock: Clock;
  /** How fast the stores are read, and how often. */
  pace: ReadingPace;
  database: Pick<
    Database,
    | "readServiceMetrics"
    | "listFeedClasses"
    | "readStoreLoads"
    | "listFailingFeeds"
    | "listLayoutIncidents"
    | "listHeldDetails"
    | "listLearnedShapes"
    | "listStoreChecks"
    | "listFailingChannels"
    | "listJobBacklogs"
    | "listTableSizes"
    | "requireWritable"
  >;
};

/** Crawls wait for their store's throttle; this long after their turn in the round, crawling has stopped. */
const crawlLateMs = 30 * minuteMs;
const deliveryLateMs = 2 * minuteMs;
const jobLateMs = 60 * minuteMs;
const rowsMax = 10;
const pendingCountMax = 100_000;

export async function readStatus(deps: StatusDeps): Promise<Status> {
  const checks = [
    await checkDatabase(deps),
    ...(await checkCrawling(deps)),
    ...(await checkFeeds(deps)),
    ...(await checkLayouts(deps)),
    ...(await checkDetails(deps)),
    ...(await checkShapes(deps)),
    ...(await checkCanary(deps)),
    await checkDelivery(deps),
    ...(await checkChannels(deps)),
    ...(await checkJobs(deps)),
  ];
  const tables = await deps.database.listTableSizes(rowsMax);
  return { isHealthy: checks.every(({ state }) => state !== "failed"), checks, tables };
}

async function checkCrawling({ clock, database, pace }: StatusDeps): Promise<StatusLine[]> {
  const now = clock.now();
  const rounds = [...(await readRounds(database, pace)).values()];
  const waits = rounds.map(
    ({ roundMinutes }) => (roundMinutes ?? dayMs / minuteMs) - pace.intervalMinutes,
  );
  const lateMs = crawlLateMs + Math.max(0, ...waits) * minuteMs;
  const lateBefore = new Date(now.getTime() - lateMs);
  const classes = await database.listFeedClasses({ now, lateBefore });
  if (classes.length === 0) return [{ check: "crawling", ...fine, detail: "no feeds yet" }];
  return classes.map(({ store, kind, count, lateCount, dueSince, lastGoodAt }) => {
    const check = `${storeTraits[store].name} ${kind}`;
    const last = lastGoodAt ? `last read ${formatTimestamp(lastGoodAt)}` : "nothing read yet";
    if (lateCount === 0) return { check, ...fine, detail: `${count} feeds, none late; ${last}` };
    const detail = `${lateCount} of ${count} feeds are more than ${lateMs / minuteMs} minutes late; ${last}; does a process with the role collect run?`;
    return { check, state: "failed", since: dueSince, detail };
  });
}

/** It can be read, or nothing else would be printed. */
async function checkDatabase({ database }: StatusDeps): Promise<StatusLine> {
  const check = "database";
  try {
    await database.requireWritable();
    return { check, ...fine, detail: "can be read and written" };
  } catch (error) {
    return { check, state: "failed", since: null, detail: messageOf(error) };
  }
}

const fine = { state: "ok", since: null } as const;

async function checkFeeds({ database }: StatusDeps): Promise<StatusLine[]> {
  const failing = await database.listFailingFeeds(rowsMax);
  return failing.map(({ store, reason, count, since }) => ({
    check: `${storeTraits[store].name} feeds`,
    state: "warning",
    since,
    detail: `${count} could not be read: ${reason || "no reason"}`,
  }));
}

/** Shapes that differ from those of the release. */
async function checkShapes({ database }: StatusDeps): Promise<StatusLine[]> {
  const learned = await database.listLearnedShapes();
  const open = learned.filter(({ state }) => state === "used" || state === "proposed");
  return open.map(({ name, state, reason, since }) => ({
    check: `shape ${name}`,
    state: "warning",
    since,
    detail: `a learned shape is ${state}: ${reason}; starpost shape list shows the fields that moved`,
  }));
}

async function checkLayouts({ database }: StatusDeps): Promise<StatusLine[]> {
  const incidents = await database.listLayoutIncidents();
  const open = incidents.filter(({ acceptedAt }) => acceptedAt === null);
  return open.map(({ since, reason, feedCount, listingCount, ...key }) => ({
    check: `${storeTraits[key.store].name} layout`,
    state: "failed",
    since,
    detail: `${reason}: ${feedCount} feeds of ${listingCount} apps are held back; look at the store, update Starpost, or run: starpost incident accept ${nameIncident(key)}`,
  }));
}

/** Most are right, and are saved by themselves. */
async function checkDetails({ database }: StatusDeps): Promise<StatusLine[]> {
  const held = await readHeldDetails(database, null);
  return held.map(({ store, externalAppId, since, changes }) => ({
    check: `${storeTraits[store].name} details`,
    state: "ok",
    since,
    detail: `${externalAppId} waits for the reading of a second day: ${changes}`,
  }));
}

async function checkCanary({ database }: StatusDeps): Promise<StatusLine[]> {
  const results = await database.listStoreChecks();
  return results.map(({ store, endpoint, checkedAt, fault }) => {
    const check = `${storeTraits[store].name} ${endpoint} of a well-known app`;
    if (fault === null) return { check, ...fine, detail: `read ${formatTimestamp(checkedAt)}` };
    const detail = `${fault}; look at the store, or update Starpost; starpost doctor --stores reads it again`;
    return { check, state: "warning", since: checkedAt, detail };
  });
}

async function checkDelivery({ clock, database }: StatusDeps): Promise<StatusLine> {
  const now = clock.now();
  const metrics = await database.readServiceMetrics({ now, pendingCountMax });
  const check = "delivery";
  const { pendingCount, deliveryLagSeconds } = metrics;
  const lagMs = deliveryLagSeconds * secondMs;
  const pending = `${pendingCount}${pendingCount === pendingCountMax ? " or more" : ""} pending`;
  if (lagMs < deliveryLateMs) return { check, ...fine, detail: `${pending}, none late` };
  const detail = `${pending}, and a channel has been due for ${Math.round(deliveryLagSeconds)} s; does a process with the role deliver run?`;
  return { check, state: "failed", since: new Date(now.getTime() - lagMs), detail };
}

async function checkChannels({ database }: StatusDeps): Promise<StatusLine[]> {
  const failing = await database.listFailingChannels(rowsMax);
  return failing.map(({ id, name, host, reason, since }) => ({
    check: "channel",
    state: "warning",
    since,
    detail: `${name} (${id}) at ${host}: ${reason ?? "failing"}`,
  }));
}

async function checkJobs({ clock, database }: StatusDeps): Promise<StatusLine[]> {
  const now = clock.now();
  const backlogs = await database.listJobBacklogs({ now });
  return backlogs.map(({ kind, count, dueCount, dueSince }) => {
    const isLate = dueSince !== null && now.getTime() - dueSince.getTime() >= jobLateMs;
    const check = `jobs: ${kind}`;
    const detail = `${count} jobs, ${dueCount} due`;
    return isLate
      ? { check, state: "warning", since: dueSince, detail }
      : { check, ...fine, detail };
  });
}
