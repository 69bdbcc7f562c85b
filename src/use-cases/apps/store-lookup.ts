// Checks with a store that it has an app before the app is followed. A store that does not answer has not
// said no.

import type { AppFacts } from "../../domain/feed/app-facts.ts";
import { monotonicMs } from "../../lib/clock.ts";
import { secondMs } from "../../lib/timestamp.ts";

/** The part of a store client that is needed to add an app. */
export type StoreAppLookup = {
  validateAppId(text: string): { ok: true } | { ok: false; reason: string };
  fetchApp(request: { externalAppId: string; region: string }): Promise<FetchAppResult>;
  findAccountFault?(account: unknown): Promise<string | null>;
};

/** The part of a store client that finds an app's id by what people know of it. */
export type StoreAppSearch = {
  parseLink(text: string): { externalAppId: string; region: string | null } | null;
  findApps(
    query: { term: string; region: string } | { bundleId: string; region: string },
  ): Promise<
    | { outcome: "ok"; value: { externalAppId: string; name: string }[] }
    | { outcome: "empty" }
    | { outcome: "unknown"; reason: string }
  >;
};

type FetchAppResult =
  | { outcome: "ok"; value: AppDetails }
  | { outcome: "empty"; note?: string }
  | { outcome: "unknown"; reason: string };

export type AppDetails = { name: string; iconUrl: string; facts?: AppFacts };

export type StoreLookupResult =
  | { kind: "found"; details: AppDetails }
  /** Confirmed by every storefront that was queried. `note`: what the id belongs to instead. */
  | { kind: "absent"; countries: string[]; note?: string | undefined }
  | { kind: "unknown"; reason: string };

// At one request per second, users wait at most this many seconds.
const requestsMax = 10;

/** As long as users wait for one answer. */
const askingMsMax = 5 * secondMs;

/**
 * Queries storefront after storefront until one has the app. One that does not answer is passed over, but a store that is away is
 * not asked for each of them.
 */
export async function lookUpApp(
  store: StoreAppLookup,
  query: { externalAppId: string; countries: readonly string[] },
): Promise<StoreLookupResult> {
  const endsAtMs = monotonicMs() + askingMsMax;
  const absentIn: string[] = [];
  let note: string | undefined;
  let unknown: string | null = null;
  for (const region of query.countries.slice(0, requestsMax)) {
    if (unknown !== null && monotonicMs() >= endsAtMs) break;
    const result = await store.fetchApp({ externalAppId: query.externalAppId, region });
    if (result.outcome === "ok") return { kind: "found", details: result.value };
    if (result.outcome === "unknown") unknown ??= result.reason;
    else {
      absentIn.push(region);
      note ??= result.note;
    }
  }
  if (unknown !== null) return { kind: "unknown", reason: unknown };
  return { kind: "absent", countries: absentIn, note };
}
