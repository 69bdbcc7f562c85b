// Apps on the Sources page: what is followed, how collecting goes, and how an app is found and added.
import type { FeedKind, FeedOutcome } from "../../domain/feed.ts";
import type { StoreId } from "../../domain/store-id.ts";
import type { Moment, Nothing, Route } from "./route.ts";

/** One storefront or language of an app, reviews or ratings. */
export type FeedState = {
  kind: FeedKind;
  /** Storefront (`us`) or language (`en`); `all` through an own account. */
  region: string;
  /** `public`: the store's pages; `official`: its API, through the workspace's own account. */
  source: "public" | "official";
  /** null: not asked yet. `unknown`: the last answer told nothing for sure. */
  outcome: FeedOutcome | null;
  checkedAt: Moment | null;
  goodAt: Moment | null;
  nextDueAt: Moment;
  /** When the first full pass ended; null: the backfill is still going on, nothing is announced. */
  baselineAt: Moment | null;
  failureCount: number;
  /** In words; null after a good pass. */
  lastError: string | null;
  pageCount: number;
  reviewCount: number;
  /** The store holds more than it hands out. */
  isTruncated: boolean;
  /** Why the last pass ended where it did, in words. */
  stopReason: string | null;
  /** How far the pass at work has come; null when there is none. */
  progress: { startedAt: Moment; savedAt: Moment; pageCount: number; reviewCount: number } | null;
  /** What is lost if nothing is done, in words. */
  alarm: string | null;
};

/** All feeds of an app in one look. */
export type CollectingState = {
  /**
   * `off`: never collected, imports only. `first`: the first full pass is not through.
   * `failing`: some feed has no good last pass. `good`: all have.
   */
  state: "off" | "first" | "failing" | "good";
  feedCount: number;
  /** Feeds whose first full pass ended, for the backfill's progress bar. */
  baselineCount: number;
  failingCount: number;
  /** The oldest of the feeds' last good passes; null while one has none. */
  goodAt: Moment | null;
  /** The soonest. */
  nextDueAt: Moment | null;
  /** The last error of any feed in words, with its region. */
  lastError: string | null;
  /** Reviews that are kept of this app. */
  reviewCount: number;
};

export type FollowedApp = {
  id: string;
  name: string;
  store: StoreId;
  externalAppId: string;
  /** Its page in the store. */
  storeUrl: string;
  /** On this origin; null: show initials. */
  iconPath: string | null;
  countries: string[];
  languages: string[];
  addedAt: Moment;
  /** Reviews are read through this account. */
  credentialId: string | null;
  collecting: CollectingState;
};

export type FoundApp = {
  store: StoreId;
  externalAppId: string;
  name: string;
  iconPath: string | null;
  /** The storefront it was found in: hand it back as `foundIn`. */
  foundIn: string | null;
  /** The workspace's app, when it is followed already. */
  appId: string | null;
};

/** A link to a store page, an id, or words: what it is, is found out. */
export type FindApps = {
  text: string;
  /** null: both stores are searched; an id needs none. */
  store: StoreId | null;
  /** Storefront to search in; `us` unless given. */
  country: string | null;
};

export type NewApp = {
  store: StoreId;
  externalAppId: string;
  /** null: the store's name. */
  name: string | null;
  foundIn: string | null;
  /** Storefronts, `["all"]` for every one; null: the store's defaults. */
  countries: string[] | null;
  /** Google Play only. */
  languages: string[] | null;
  /** false: imports only. */
  isCollected: boolean;
  credentialId: string | null;
};

/** What can be chosen from: fixed for a version of the service. */
export type Choices = {
  storefronts: string[];
  languages: string[];
  defaultCountries: string[];
  defaultLanguages: string[];
  /** Topics that the built-in analysis can find. */
  topics: string[];
};

export type AppRoutes = {
  "GET /choices": Route<{ response: Choices }>;
  /** In the order they were added. */
  "GET /workspaces/:workspace/apps": Route<{ response: { apps: FollowedApp[] } }>;
  "GET /workspaces/:workspace/apps/:app": Route<{
    response: { app: FollowedApp; feeds: FeedState[] };
  }>;
  /** `note` says what could not be searched, or null. Up to some seconds: a store is asked. */
  "POST /workspaces/:workspace/apps/find": Route<{
    body: FindApps;
    response: { apps: FoundApp[]; note: string | null };
  }>;
  "POST /workspaces/:workspace/apps": Route<{
    body: NewApp;
    response: { app: FollowedApp; warning: string | null };
  }>;
  /** What is left out stays. New storefronts and languages are read from the beginning. */
  "PATCH /workspaces/:workspace/apps/:app": Route<{
    body: {
      name?: string | null | undefined;
      countries?: string[] | undefined;
      languages?: string[] | undefined;
    };
    response: { app: FollowedApp; warning: string | null };
  }>;
  /** Every feed comes due now; watch the app for what comes of it. */
  "POST /workspaces/:workspace/apps/:app/collect": Route<{ response: { feedCount: number } }>;
  /** Queues every review that is neither English nor translated. 409 when nobody translates. */
  "POST /workspaces/:workspace/apps/:app/translate": Route<{ response: { queued: number } }>;
  /** Owner. Its reviews go with it unless another workspace follows the same app. */
  "DELETE /workspaces/:workspace/apps/:app": Route<{ response: Nothing }>;
  /** An image of at most 256 kB; `iconPath` leads to one of the two. */
  "GET /workspaces/:workspace/icons": Route<{
    query: { url: string; seal: string };
    response: Blob;
  }>;
  "GET /workspaces/:workspace/apps/:app/icon": Route<{ response: Blob }>;
};
