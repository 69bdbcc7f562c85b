// Asks a store whether it has an app before the app is followed. A store that can't be asked right now
// has not said no.

/** The part of a store that is needed to add an app. */
export type StoreAppLookup = {
  validateAppId(text: string): { ok: true } | { ok: false; reason: string };
  fetchApp(request: { externalAppId: string; region: string }): Promise<FetchAppResult>;
};

/** The part of a store that finds an app's id by what people know of it. */
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
  | { outcome: "empty" }
  | { outcome: "unknown"; reason: string; blocked: boolean };

export type AppDetails = { name: string; iconUrl: string };

export type StoreLookupResult =
  | { kind: "found"; facts: AppDetails }
  /** Confirmed by every storefront that was asked. */
  | { kind: "absent"; asked: string[] }
  | { kind: "unanswered"; reason: string };

// At one request per second, a person waits no longer than this many seconds.
const askedMax = 10;

/** Storefront after storefront until one has the app. */
export async function lookUpApp(
  store: StoreAppLookup,
  wanted: { externalAppId: string; countries: readonly string[] },
): Promise<StoreLookupResult> {
  const asked: string[] = [];
  let reason: string | null = null;
  for (const region of wanted.countries.slice(0, askedMax)) {
    const word = await store.fetchApp({ externalAppId: wanted.externalAppId, region });
    if (word.outcome === "ok") return { kind: "found", facts: word.value };
    if (word.outcome === "empty") asked.push(region);
    else reason = word.reason;
    if (word.outcome === "unknown" && word.blocked) break;
  }
  return reason === null ? { kind: "absent", asked } : { kind: "unanswered", reason };
}
