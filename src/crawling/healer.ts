// The seam for healing: the feature that learns shapes of the stores' pages hands in its healer.
import type { Database } from "../database/database.ts";
import type { FeedKind } from "../domain/feed/feed.ts";
import type { HealMode } from "../domain/feed/learned-shape.ts";
import type { Listing } from "../domain/feed/listing.ts";
import type { StoreId } from "../domain/store/store-id.ts";
import type { Clock } from "../lib/clock.ts";
import type { Log } from "../lib/log.ts";
import type { ActiveShapes } from "../stores/shapes/active-shapes.ts";
import type { KnownApp } from "../stores/shapes/known-values.ts";

export type HealDeps = Pick<
  Database,
  | "listLearnedShapes"
  | "saveLearnedShape"
  | "loadReviews"
  | "findListingDetails"
  | "listSnapshotsAsOf"
  | "readOddSince"
  | "forgetOddFeeds"
> & { clock: Clock; log: Log; mode: HealMode; shapes: ActiveShapes };

export type ReadFeed = {
  listing: Pick<Listing, "id" | "store" | "externalAppId">;
  region: string;
  kind: FeedKind;
  /** The known values of an app that is not followed. */
  app?: KnownApp | null;
};

export type Healer = {
  /** Reads the shapes that all processes use. */
  refresh(): Promise<void>;
  /** After a crawl. One of reviews in order says nothing, unless a learned shape is being tried. */
  heal(feed: ReadFeed & { isInOrder: boolean; readBy?: string | undefined }): Promise<void>;
  /** The one shape that pages of reviews have had for a day, by its name; null without one. */
  findSoleShape(store: StoreId): string | null;
};

export type OpenHealer = (deps: HealDeps) => Healer;

/** At most one. Without it pages are read by the shapes of the release. */
export const healers: (() => Promise<OpenHealer>)[] = [];
