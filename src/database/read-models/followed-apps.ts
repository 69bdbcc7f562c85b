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

/** What the ETag of an answer says of an app. Its regions need not be named: the version says that they changed. */
export type TaggedApp = Pick<FollowedApp, "id" | "version">;

/** Of any workspaces, in no order; nothing for an app that is not of its workspace. */
export function listTaggedApps(
  db: Db,
  questions: readonly { workspaceId: string; appId: string }[],
): Promise<(TaggedApp & { workspaceId: string })[]> {
  // The limit makes this one lookup for each, whatever the statistics were when it was planned.
  return queryRows(
    db,
    "listTaggedApps",
    `select q.workspace_id as "workspaceId", q.app_id as id, l.version
     from unnest($1::uuid[], $2::uuid[]) q (workspace_id, app_id)
     cross join lateral (
       select version from followed_apps
       where workspace_id = q.workspace_id and id = q.app_id limit 1
     ) l`,
    [questions.map(({ workspaceId }) => workspaceId), questions.map(({ appId }) => appId)],
  );
}
