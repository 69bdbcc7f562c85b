// Current failures and incomplete imports: for the dot in the navigation and the line above the figures that lack it.
import type { SuspicionKind } from "../../domain/feed/page-quarantine.ts";
import type { StoreId } from "../../domain/store/store-id.ts";
import type { FailingRegion } from "./apps.ts";
import type { Moment, Route } from "./route.ts";

type AlertedApp = { appId: string; name: string; store: StoreId };

export type FailingApp = AlertedApp & { regionCount: number; failing: FailingRegion[] };

/**
 * An app of whose reviews only a part is stored yet: storefronts, or languages of Google Play, that were read to their
 * end, of all.
 */
export type ImportingApp = AlertedApp & { doneCount: number; feedCount: number };

/** The store changed its pages: reviews of that kind of page are held back until it is clear that they are right. */
export type StoreIncident = {
  store: StoreId;
  kind: SuspicionKind;
  since: Moment;
  /** As the operator's commands take it. */
  name: string;
};

/** An app's name, genre or version that looks wrong: a second day has to show it. */
export type HeldAppDetails = AlertedApp & { since: Moment; changes: string };

export type FailingChannel = { channelId: string; name: string; since: Moment; reason: string };

export type AlertRoutes = {
  /** Empty lists when everything works, and what the user has to do. */
  "GET /workspaces/:workspace/alerts": Route<{
    apps: FailingApp[];
    importing: ImportingApp[];
    channels: FailingChannel[];
    /** Open layout incidents of the stores of the workspace's apps. */
    incidents: StoreIncident[];
    heldDetails: HeldAppDetails[];
    /** Reviews that are assigned to the user and not done. */
    assignedCount: number;
  }>;
};
