// What doesn't work right now: for the dot in the navigation and the line above the figures that lack it.
import type { StoreId } from "../../domain/store-id.ts";
import type { FailingRegion } from "./apps.ts";
import type { Moment, Route } from "./route.ts";

export type FailingApp = {
  appId: string;
  name: string;
  store: StoreId;
  regionCount: number;
  failing: FailingRegion[];
};

export type FailingChannel = { channelId: string; name: string; since: Moment; reason: string };

export type AlertRoutes = {
  /** Empty lists when everything works. */
  "GET /workspaces/:workspace/alerts": Route<{
    response: { apps: FailingApp[]; channels: FailingChannel[] };
  }>;
};
