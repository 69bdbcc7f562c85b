// The log line of a crawl, as an operator reads it:
// could not read App Store reviews (us): HTTP 403; next try 2026-11-21 14:05 UTC
// A store that is away makes every feed fail for one cause: that is one warning, not one for each.

import type { Listing } from "../domain/listing.ts";
import { storeTraits } from "../domain/store-traits.ts";
import { keepRecent } from "../lib/bounded-map.ts";
import type { Clock } from "../lib/clock.ts";
import type { Log } from "../lib/log.ts";
import { minuteMs } from "../lib/timestamp.ts";
import { type CrawlReport, makesWay, serviceStopped } from "./crawl-reviews.ts";

export function logCrawl(
  { clock, log }: { clock: Clock; log: Log },
  listing: Listing,
  report: CrawlReport,
): void {
  if ([serviceStopped, makesWay].includes(report.stopReason)) return;
  const { kind, region, outcome, error, stopReason, nextDueAt } = report;
  const facts = { store: listing.store, app: listing.externalAppId, ...report };
  const what = `${storeTraits[listing.store].name} ${kind} (${region})`;
  if (outcome !== "unknown") {
    log.info(facts, `read ${what}: ${report.new} new, ${report.edited} edited`);
    return;
  }
  const reason = error ?? stopReason;
  const next = nextDueAt ? `; next try ${formatMinute(nextDueAt)}` : "";
  const message = `could not read ${what}: ${reason}${next}`;
  const repeated = countRepeated(log, { cause: `${listing.store} ${reason}`, now: clock.now() });
  if (repeated === "again") log.debug(facts, message);
  else if (repeated === 0) log.warn(facts, message);
  else log.warn({ ...facts, repeatedCount: repeated }, `${message}; ${repeated} more since`);
}

type Cause = { warnedAt: Date; repeatedCount: number };

const repeatMs = 10 * minuteMs;
/** The oldest cause is forgotten; at worst it is warned about again. */
const causeCountMax = 100;
const causesByLog = new WeakMap<Log, Map<string, Cause>>();

/** How often the cause was passed over since its last warning; "again": pass over it. */
function countRepeated(log: Log, { cause, now }: { cause: string; now: Date }): number | "again" {
  const causes = causesByLog.get(log) ?? new Map<string, Cause>();
  causesByLog.set(log, causes);
  const known = causes.get(cause);
  if (known && now.getTime() - known.warnedAt.getTime() < repeatMs) {
    known.repeatedCount += 1;
    return "again";
  }
  const value = { warnedAt: now, repeatedCount: 0 };
  keepRecent(causes, { key: cause, value, countMax: causeCountMax });
  return known?.repeatedCount ?? 0;
}

function formatMinute(moment: Date): string {
  return `${moment.toISOString().slice(0, 16).replace("T", " ")} UTC`;
}
