// Daily counts of reviews by language and by version, written in the same transaction as the reviews. At any
// moment they equal a recount, like the other rollups.
import { type Review, regionOf } from "../../domain/review.ts";
import { type Day, dayOf } from "../../lib/timestamp.ts";
import { type Db, queryRows } from "../query.ts";
import { addRows } from "./listing-values.ts";
import type { RollupChange } from "./rollups.ts";

type FacetStep = {
  region: string;
  day: Day;
  facet: "language" | "version";
  value: string;
  total: number;
  negative: number;
};

export async function addToFacetDays(
  db: Db,
  add: { listingId: string; changes: readonly RollupChange[] },
): Promise<void> {
  const steps = new Map<string, FacetStep>();
  for (const { before, after } of add.changes) {
    if (before) count(before, -1, steps);
    count(after, 1, steps);
  }
  // In one order everywhere, so that two transactions never deadlock.
  const changed = [...steps]
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([, step]) => step)
    .filter(({ total, negative }) => total !== 0 || negative !== 0);
  if (changed.length === 0) return;
  const keys = [
    changed.map(({ region }) => region),
    changed.map(({ day }) => day),
    changed.map(({ facet }) => facet),
    changed.map(({ value }) => value),
  ];
  await addRows(db, {
    name: "addFacetDays",
    into: "facet_days as d (listing_id, region, day, facet, value, total, negative)",
    types: ["text", "date", "text", "text", "integer", "integer"],
    listingId: add.listingId,
    columns: [...keys, changed.map(({ total }) => total), changed.map(({ negative }) => negative)],
    rest: `on conflict (listing_id, region, day, facet, value)
      do update set total = d.total + excluded.total, negative = d.negative + excluded.negative`,
  });
  // Only a row that lost a review can be empty.
  if (changed.every(({ total }) => total >= 0)) return;
  await queryRows(
    db,
    "deleteEmptyFacetDays",
    `delete from facet_days d
     using unnest($2::text[], $3::date[], $4::text[], $5::text[]) as e (region, day, facet, value)
     where d.listing_id = $1 and d.region = e.region and d.day = e.day and d.facet = e.facet
       and d.value = e.value and d.total = 0`,
    [add.listingId, ...keys],
  );
}

function count(review: Review, step: 1 | -1, steps: Map<string, FacetStep>): void {
  const day = dayOf(review.date);
  const negative = review.analysis?.sentiment?.label === "negative" ? step : 0;
  const facets = [
    { facet: "language", value: review.analysis?.language ?? "" },
    { facet: "version", value: review.version },
  ] as const;
  for (const region of ["", regionOf(review)]) {
    for (const { facet, value } of facets) {
      if (value === "") continue;
      const key = `${region} ${day} ${facet} ${value}`;
      const known = steps.get(key) ?? { region, day, facet, value, total: 0, negative: 0 };
      steps.set(key, {
        ...known,
        total: known.total + step,
        negative: known.negative + negative,
      });
    }
  }
}

/** All rows of a listing in order, the whole listing first: for checks against a recount. */
export async function listFacetDays(
  db: Db,
  listingId: string,
): Promise<[key: string, total: number, negative: number][]> {
  const rows = await queryRows<{ key: string; total: number; negative: number }>(
    db,
    "listFacetDays",
    `select concat_ws(' ', nullif(region, ''), day, facet, value) as key, total, negative from facet_days
     where listing_id = $1 order by region collate "C", day, facet, value collate "C"`,
    [listingId],
  );
  return rows.map(({ key, total, negative }) => [key, total, negative]);
}
