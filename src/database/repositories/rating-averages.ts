// Averages of ratings by day without their number, as the Play Console exports them. Snapshots come before them.
import type { RatingAverage } from "../../domain/rating-average-row.ts";
import type { Day } from "../../lib/timestamp.ts";
import { ofListings } from "../distributed-sql.ts";
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

/** For each app those of the whole app, else of the only storefront that it follows; the oldest day first. */
export function listRatingAverages(
  db: Db,
  query: {
    apps: readonly { id: string; listingId: string; workspaceId: string }[];
    from: Day;
    to: Day;
  },
): Promise<{ appId: string; day: Day; average: number }[]> {
  const { apps, from, to } = query;
  return queryRows(
    db,
    "listRatingAverages",
    `${ofListings("$5")}select distinct on (w.id, r.day) w.id as "appId", r.day, r.average
     from unnest($1::uuid[], $2::uuid[], $5::uuid[]) w (id, workspace_id, listing_id)
     join apps a on a.id = w.id and a.workspace_id = w.workspace_id and a.listing_id = w.listing_id
     join rating_averages r on r.listing_id = w.listing_id
     where r.day between $3 and $4 and (r.region = '' or a.countries = array[r.region])
     order by w.id, r.day, r.region`,
    [
      apps.map(({ id }) => id),
      apps.map(({ workspaceId }) => workspaceId),
      from,
      to,
      apps.map(({ listingId }) => listingId),
    ],
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
