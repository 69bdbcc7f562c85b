// Apps on the Sources page: the followed apps, the state of collecting, and how an app is found and added.

import type { HttpPreset } from "../../domain/channel/http-request.ts";
import type { AppFacts } from "../../domain/feed/app-facts.ts";
import type { App } from "../../domain/feed/listing.ts";
import type { Unconfirmed } from "../../domain/feed/page-quarantine.ts";
import type { StoreId } from "../../domain/store/store-id.ts";
import type { addApp, changeApp } from "../../operations/app.ts";
import type { collectApp } from "../../operations/app-actions.ts";
import type { Coverage } from "../../use-cases/apps/coverage.ts";
import type * as requests from "./requests.ts";
import type { Carries, Changes, InputOf, Json, Moment, Nothing, Route, Shown } from "./route.ts";

export type { AppFacts as StoreFacts } from "../../domain/feed/app-facts.ts";
export type { HttpPreset };

/** One storefront or language of an app, reviews or ratings. */
export type FeedState = Json<
  Omit<Coverage, "sweepDueAt" | "sweptAt" | "truncated" | "watermark">
> & {
  /** The store has more reviews than it serves. */
  isTruncated: boolean;
};

/** Reviews that were read and are not stored, because the store's pages look odd. */
export type HeldFeed = Json<{
  region: string;
  since: Date;
  /** In words: what looks odd, or what the reviews wait for. */
  reason: string;
  unconfirmed: Unconfirmed;
}>;

/** A storefront or language that can't be read, with its reviews, its ratings or both. */
export type FailingRegion = {
  kind: "storefront" | "language";
  /** `us` or `en`; `all` through a store credential. */
  region: string;
  /** In words. */
  reason: string;
};

/** A summary of all feeds of an app. */
export type CollectingState = {
  /**
   * `off`: never collected, imports only. `first`: the backfill is running.
   * `failing`: the last crawl of some feed failed. `good`: none failed.
   */
  state: "off" | "first" | "failing" | "good";
  feedCount: number;
  /** Feeds whose backfill ended, for its progress bar. */
  baselineCount: number;
  /** Storefronts and languages that are read. */
  regionCount: number;
  /** Those of them whose last crawl failed, or that lose reviews unless the user acts. */
  failing: FailingRegion[];
  /** The oldest of the feeds' last successful crawls; null while one has none. */
  goodAt: Moment | null;
  /** The soonest. */
  nextDueAt: Moment | null;
  /** That the apps of its store can't all be read within the interval, in words; null when they can. */
  paceNote: string | null;
  /** Stored reviews of this app. */
  reviewCount: number;
};

/** An app in a list to choose from. */
export const namedAppFields = [
  "id",
  "name",
  "store",
  "externalAppId",
  "countries",
  "languages",
] as const;

export type NamedApp = Shown<App, typeof namedAppFields> & {
  /** Its page in the store. */
  storeUrl: string;
  /** On this origin; null: show initials. */
  iconPath: string | null;
};

export type FollowedApp = NamedApp & {
  version: number;
  addedAt: Moment;
  /** Reviews are read through this store credential. */
  credentialId: string | null;
  /** Facts from the store; null until it was asked. */
  facts: AppFacts | null;
  collecting: CollectingState;
};

export type FoundApp = {
  store: StoreId;
  externalAppId: string;
  /** Its page in the store. */
  storeUrl: string;
  name: string;
  /** null where the store does not say it. */
  developer: string | null;
  /** Average in stars, in the storefront that was searched. */
  rating: number | null;
  iconPath: string | null;
  /** The storefront it was found in: send it back as `foundIn`. */
  foundIn: string | null;
  /** The workspace's app, when it is followed already. */
  appId: string | null;
};

/** The options of form fields: fixed for a version of the service. */
type Choices = {
  storefronts: string[];
  languages: string[];
  defaultCountries: string[];
  defaultLanguages: string[];
  /** Topics that the built-in analysis can find. */
  topics: string[];
  /** Whether the operator has set a translation provider. */
  canTranslate: boolean;
  /** Whether the operator has set a mail server. */
  canMail: boolean;
  /** Services that an HTTP channel can be made for. */
  presets: HttpPreset[];
};

export type NewApp = InputOf<typeof addApp>;

export type AppRoutes = {
  "GET /choices": Route<Choices>;
  /** In the order they were added. */
  "GET /workspaces/:workspace/apps": Route<{ apps: FollowedApp[] }>;
  /** The same apps in the same order, for lists to choose from. */
  "GET /workspaces/:workspace/app-names": Route<{ apps: NamedApp[] }>;
  "GET /workspaces/:workspace/apps/:app": Route<{
    app: FollowedApp;
    feeds: FeedState[];
    held: HeldFeed[];
  }>;
  /** `note` says which store could not be searched, or null. Takes up to some seconds: it queries a store. */
  "POST /workspaces/:workspace/apps/find": Route<
    { apps: FoundApp[]; note: string | null },
    typeof requests.findAppsBody
  >;
  "POST /workspaces/:workspace/apps": Carries<
    { app: FollowedApp; warning: string | null },
    typeof addApp
  >;
  /** Omitted fields stay. New storefronts and languages are read from the beginning. */
  "PATCH /workspaces/:workspace/apps/:app": Changes<
    { app: FollowedApp; warning: string | null },
    typeof changeApp
  >;
  /** Makes every feed due now, or those of one storefront or language; poll the app for the result. */
  "POST /workspaces/:workspace/apps/:app/collect": Carries<
    { feedCount: number },
    typeof collectApp
  >;
  /** Owner. Its reviews go with it unless another workspace follows the same app. */
  "DELETE /workspaces/:workspace/apps/:app": Route<Nothing>;
  /** An image of at most 256 kB; `iconPath` leads there. */
  "GET /workspaces/:workspace/icons": Route<Blob, never, typeof requests.iconQuery>;
};
