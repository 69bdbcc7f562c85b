// Since when the reviews of an app are whole. Before that day some of its feeds have nothing, because the store shows no
// older reviews or the app began later, and a comparison with those days would call the difference growth.
import type { Database } from "../../database/database.ts";
import type { ScopedApp } from "../../database/reviews/followed-apps.ts";
import type { Feed } from "../../domain/feed/feed.ts";
import { everywhere } from "../../domain/store/credential.ts";
import type { Day } from "../../lib/timestamp.ts";

export type CoverageDatabase = Pick<Database, "listFeedsOfListings" | "listFirstReviewDays">;

/** Rollups have the whole listing under this name. */
const wholeListing = "";
/** A feed whose first two weeks have so many reviews had earlier ones, too, or began on that day. */
const suddenMin = 10;

export type CoveredDays = {
  /** The day of the oldest review. */
  firstDay: Day;
  /** From this day on every feed has its reviews. */
  since: Day;
};

/** By the ids of apps; those without reviews are left out. */
export async function readCoveredDays(
  database: CoverageDatabase,
  { workspaceId, apps }: { workspaceId: string; apps: readonly ScopedApp[] },
): Promise<Map<string, CoveredDays>> {
  if (apps.length === 0) return new Map();
  const feeds = await database.listFeedsOfListings(apps.map(({ listingId }) => listingId));
  const regionsOf = ({ listingId, regions }: ScopedApp): string[] => {
    const read = feeds.filter((feed) => feed.kind === "reviews" && feed.listingId === listingId);
    const named = read.map(({ region }) => region).filter((region) => region !== everywhere);
    return regions ?? [wholeListing, ...named];
  };
  const scopes = apps.map((app) => ({ ...app, regions: regionsOf(app) }));
  const days = await database.listFirstReviewDays({ workspaceId, apps: scopes });
  return new Map(
    apps.flatMap((app) => {
      const own = days.filter(({ appId }) => appId === app.id);
      const [first] = own.map(({ day }) => day).sort();
      if (first === undefined) return [];
      const sudden = own
        .filter(({ region }) => region !== wholeListing)
        .filter((one) => one.earlyCount >= suddenMin || isUnread(feeds, app, one.region));
      const since = sudden
        .map(({ day }) => day)
        .reduce((last, day) => (day > last ? day : last), first);
      return [[app.id, { firstDay: first, since }] as const];
    }),
  );
}

function isUnread(feeds: readonly Feed[], { listingId }: ScopedApp, region: string): boolean {
  return feeds.some(
    (feed) =>
      feed.kind === "reviews" &&
      feed.listingId === listingId &&
      feed.region === region &&
      feed.baselineAt === null,
  );
}
