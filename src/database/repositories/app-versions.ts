// Versions of an app and the day each was first seen in a review: the release marks of the charts.
import { type Day, dayOf } from "../../lib/timestamp.ts";
import { ofListings } from "../distributed-sql.ts";
import { type Db, queryRows } from "../query.ts";
import { listingValues, type SeenScope, seenListings } from "../read-models/seen-listings-sql.ts";
import { addRows } from "./listing-values.ts";
import type { RollupChange } from "./rollups.ts";

/** Saves the versions that the reviews of one ingest name. */
export async function saveAppVersions(
  db: Db,
  save: { listingId: string; changes: readonly RollupChange[] },
): Promise<void> {
  const firstDays = new Map<string, Day>();
  for (const { before, after } of save.changes) {
    if (after.version === "" || before?.version === after.version) continue;
    const day = dayOf(after.date);
    const known = firstDays.get(after.version);
    if (known === undefined || day < known) firstDays.set(after.version, day);
  }
  if (firstDays.size === 0) return;
  // In one order everywhere, so that two transactions never deadlock.
  const versions = [...firstDays.keys()].sort();
  await addRows(db, {
    name: "saveAppVersions",
    into: "app_versions as v (listing_id, version, first_day)",
    types: ["text", "date"],
    listingId: save.listingId,
    columns: [versions, versions.map((version) => firstDays.get(version))],
    rest: `on conflict (listing_id, version) do update set first_day = excluded.first_day
      where excluded.first_day < v.first_day`,
  });
}

export type AppVersion = { appId: string; version: string; firstDay: Day };

/** Versions of apps of a workspace that came out on these days, the newest first. */
export function listAppVersions(
  db: Db,
  query: SeenScope & { from: Day | null; to: Day | null; limit: number },
): Promise<AppVersion[]> {
  return queryRows(
    db,
    "listAppVersions",
    `${ofListings("$2")}select a.id as "appId", v.version, v.first_day as "firstDay"
     from ${seenListings} join app_versions v on v.listing_id = s.listing_id
     where v.first_day between coalesce($4::date, '-infinity') and coalesce($5::date, 'infinity')
     order by v.first_day desc, v.version desc limit $6`,
    [...listingValues(query), query.from, query.to, query.limit],
  );
}
