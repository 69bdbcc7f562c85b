// The apps of a workspace as it sees them, with the version of all that is shown of each: one narrow query
// that comes before every answer of the read API.
import type { StoreId } from "../../domain/store-id.ts";
import { type Db, queryRows } from "../query.ts";

export type FollowedApp = {
  id: string;
  listingId: string;
  name: string;
  store: StoreId;
  externalAppId: string;
  /** URL; "" until the store named it. */
  iconUrl: string;
  countries: string[];
  /** Regions of the listing that the workspace sees; null is all of it. */
  regions: string[] | null;
  /** Another one after every change of the app, its reviews, ratings and analysis. */
  version: string;
  /** Whether the workspace has topics of its own: pages look for them only then. */
  hasOwnTopics: boolean;
};

/** In the order they were added; null ids are all of the workspace. */
export function listFollowedApps(
  db: Db,
  query: { workspaceId: string; ids: readonly string[] | null },
): Promise<FollowedApp[]> {
  const columns = `id, listing_id as "listingId", name, store, external_app_id as "externalAppId",
    icon_url as "iconUrl", countries, regions, version,
    exists (select from own_topics where workspace_id = $1) as "hasOwnTopics"`;
  return query.ids === null
    ? queryRows(
        db,
        "listFollowedApps",
        `select ${columns} from followed_apps where workspace_id = $1 order by id`,
        [query.workspaceId],
      )
    : queryRows(
        db,
        "listFollowedAppsById",
        `select ${columns} from followed_apps
         where workspace_id = $1 and id = any($2::uuid[]) order by id`,
        [query.workspaceId, query.ids],
      );
}
