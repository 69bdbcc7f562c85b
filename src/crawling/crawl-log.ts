// The log line of a crawl, as an operator reads it:
// could not read App Store reviews (us): HTTP 403; next try 2026-11-21 14:05 UTC
import type { Listing } from "../domain/listing.ts";
import type { Log } from "../lib/log.ts";
import { type CrawlReport, serviceStopped } from "./crawl-report.ts";

const storeNames = { appstore: "App Store", googleplay: "Google Play" } as const;

export function logCrawl(log: Log, listing: Listing, report: CrawlReport): void {
  if (report.stopReason === serviceStopped) return;
  const { kind, region, outcome, error, stopReason, nextDueAt } = report;
  const facts = { store: listing.store, app: listing.externalAppId, ...report };
  const what = `${storeNames[listing.store]} ${kind} (${region})`;
  if (outcome !== "unknown") {
    log.info(facts, `read ${what}: ${report.new} new, ${report.edited} edited`);
    return;
  }
  const next = nextDueAt ? `; next try ${formatMinute(nextDueAt)}` : "";
  log.warn(facts, `could not read ${what}: ${error ?? stopReason}${next}`);
}

function formatMinute(moment: Date): string {
  return `${moment.toISOString().slice(0, 16).replace("T", " ")} UTC`;
}
