// Averages of ratings by day without their number, as the Play Console exports them. Snapshots come before them.
import type { RatingAverage } from "../../domain/rating-average-row.ts";
import type { Day } from "../../lib/timestamp.ts";
import { type Db, queryFirstRow, queryRows } from "../query.ts";
import { raiseListingVersion } from "./listings.ts";

/** Each region and day once. Returns how many were new, and how many had another average. */
export async function saveRatingAverages(
  db: Db,
  save: { listingId: string; averages: readonly RatingAverage[] },
): Promise<{ inserted: number; updated: number }> {
  const { listingId, averages } = save;
  const saved = await queryFirstRow<{ inserted: number; updated: number }>(
    db,
    "saveRatingAverages",
    `with saved as (
       insert into rating_averages as a (listing_id, region, day, average)
       select $1, * from unnest($2::text[], $3::date[], $4::double precision[])
       on conflict (listing_id, region, day) do update set average = excluded.average
       where a.average <> excluded.average
       returning xmax = 0 as is_new
     )
     select count(*) filter (where is_new)::int as inserted, count(*) filter (where not is_new)::int as updated
     from saved`,
    [
      listingId,
      averages.map(({ region }) => region),
      averages.map(({ day }) => day),
      averages.map(({ average }) => average),
    ],
  );
  const counts = saved ?? { inserted: 0, updated: 0 };
  if (counts.inserted + counts.updated > 0) await raiseListingVersion(db, { listingId });
  return counts;
}

/** Of the whole app, else of the only storefront that the workspace follows; the oldest day first. */
export function listRatingAverages(
  db: Db,
  query: { app: { id: string; listingId: string; workspaceId: string }; from: Day; to: Day },
): Promise<{ day: Day; average: number }[]> {
  const { app, from, to } = query;
  return queryRows(
    db,
    "listRatingAverages",
    `select distinct on (r.day) r.day, r.average
     from apps a join rating_averages r on r.listing_id = $5
     where a.id = $1 and a.workspace_id = $2 and a.listing_id = $5 and r.day between $3 and $4
       and (r.region = '' or a.countries = array[r.region])
     order by r.day, r.region`,
    [app.id, app.workspaceId, from, to, app.listingId],
  );
}

/** Months like `202610` of which the whole app has averages. */
export async function listRatingAverageMonths(
  db: Db,
  listingId: string,
): Promise<ReadonlySet<string>> {
  const found = await queryRows<{ month: string }>(
    db,
    "listRatingAverageMonths",
    `select distinct to_char(day, 'YYYYMM') as month from rating_averages
     where listing_id = $1 and region = ''`,
    [listingId],
  );
  return new Set(found.map(({ month }) => month));
}
