// The dependencies of the dashboard's API: the database, the store clients, and functions of other modules.
import type { Database } from "../database/database.ts";
import type { HttpRequest } from "../domain/channel/http-request.ts";
import type { ReadingPace } from "../domain/feed/reading-round.ts";
import type { Plan } from "../domain/people/workspace.ts";
import type { Chat, ProviderConfig, ProviderStatus } from "../domain/review/provider.ts";
import type { StoreId } from "../domain/store/store-id.ts";
import type { OpenRateLimit } from "../http/rate-limit.ts";
import type { Http } from "../lib/http.ts";
import type { OperationDeps } from "../operations/operation.ts";
import type { PreviewDeps } from "../read/channels/channel-preview.ts";
import type { Reader } from "../read/reader.ts";
import type { AppDetails, StoreAppLookup, StoreAppSearch } from "../use-cases/apps/store-lookup.ts";

export type DashboardSettings = {
  /** Where people reach the service, without a slash at the end; null when not set. */
  publicUrl: string | null;
  /** Whether answers to reviews are sent; they are without it. */
  replies?: "on" | "off";
  /** Further names by which people reach it. */
  publicNames: readonly string[];
  /** The address that the service listens on: an address or a name. */
  host: string;
  /** How often one session may call the API. */
  sessionRequestsPerMinute: number;
  hasPasswordSignIn: boolean;
  /** How long sessions last that came through the provider. */
  providerSessionMs: number;
  defaultPlan: Plan;
  version: string;
  /** Networks of proxies whose X-Forwarded-For counts. */
  trustedProxies: readonly string[];
  /** How fast the stores are read, and how often. */
  pace: ReadingPace;
  /** Base URLs of the stores: icons may come from their hosts, besides the stores' own. */
  storeBaseUrls: readonly string[];
};

type FoundStoreApp = AppDetails & { externalAppId: string; developer?: string; rating?: number };

/** Apps that a store found, as far as pages show them. */
export type StoreLookupResult =
  | { outcome: "ok"; value: readonly FoundStoreApp[] }
  | { outcome: "empty" }
  | { outcome: "unknown"; reason: string };

export type SearchableStore = StoreAppLookup &
  Pick<StoreAppSearch, "parseLink"> & {
    findApps(query: { term: string; region: string }): Promise<StoreLookupResult>;
  };

/** A route gets the database for its workspace, or else its `control()`. `signingKey` also signs cursors and icon URLs. */
export type DashboardDeps = Omit<
  OperationDeps,
  "loadStores" | "settings" | "createSigningSecret"
> & {
  /** How much each store is read. */
  readStoreLoads: Database["readStoreLoads"];
  stores: Readonly<Record<StoreId, SearchableStore>>;
  /** The stores that a route of a workspace gets: its requests wait in a line of their own and end with the client. */
  storesFor: (caller: {
    workspaceId: string;
    signal: AbortSignal;
  }) => Readonly<Record<StoreId, SearchableStore>>;
  /** For icons: small responses, few at once. */
  http: Http;
  /** A language model, for what people ask of it; without one, or null, they are not offered it. */
  chat?: Chat | null;
  openRateLimit: OpenRateLimit;
  findEvidence: Reader["findEvidence"];
  /** The request of an HTTP channel for an invented event; `id` is what the service returned for its review. */
  previewRequest: (
    request: HttpRequest,
    sample: { event: "review.created" | "review.updated"; id: string | null; workspaceId: string },
  ) => { method: string; path: string; body: { ok: true; value: unknown } | { ok: false } } | null;
  evaluateRatingDrop: PreviewDeps["evaluateRatingDrop"];
  /** Topics that the built-in analysis can find. */
  topicNames: readonly string[];
  providers: readonly ProviderConfig[];
  readProviders: () => Promise<ProviderStatus[]>;
  /** Known in full by the feature that opened it; null where people sign in with passwords alone. */
  signInProvider: object | null;
  settings: DashboardSettings;
};
