// The statement of one page of changed reviews, the earliest change first: one index range for each app.
// All filters are checked on the reviews of those ranges, up to a bound.
import { lowestUuid } from "../../lib/uuid.ts";
import { ofEachListing } from "../distributed-sql.ts";
import { writeConditions } from "../reviews/review-filters.ts";
import { pageBounds, toMicrosText } from "./page-bounds-sql.ts";
import type { ChangeQuery } from "./review-changes.ts";
import { micros, reviewColumns, writeJson } from "./review-json-sql.ts";
import { rowsMax, type Statement, scanMax, sourceOfApps } from "./review-page-sql.ts";
import { regionColumn } from "./review-ranges-sql.ts";
import { listRegions } from "./seen-listings-sql.ts";

export function buildChangeStatement(query: ChangeQuery): Statement {
  const { workspaceId, apps, filters, since, until, after, limit } = query;
  const begin = after ? [toMicrosText(after.micros), after.id] : [since, lowestUuid];
  const ids = apps.map(({ id }) => id);
  const listingIds = apps.map(({ listingId }) => listingId);
  const regions = listRegions(apps);
  const values: unknown[] = [workspaceId, ids, ...begin, until, limit, listingIds, regions];
  const days = pageBounds(filters, null);
  const hasOwnTopics = apps.some((app) => app.hasOwnTopics);
  const add = (_: string, value: unknown): string => `$${values.push(value)}`;
  const checks = Object.values(writeConditions(filters, { appId: "a.id", add }));
  if (filters.from) checks.push(`r.date >= ${add("from", days.from)}::timestamptz`);
  if (filters.to) checks.push(`r.date < ${add("to", days.before)}::timestamptz`);
  if (apps.some((app) => app.regions !== null)) {
    checks.push(`(a.regions is null or ${regionColumn} = any(a.regions))`);
  }
  // Planned for its values: there would be too many forms to keep.
  const name = `listReviewChanges${hasOwnTopics ? "Own" : ""}`;
  const text = `${ofEachListing("$7")}${writeText(checks, hasOwnTopics)}`;
  return { name: checks.length > 0 ? "" : name, text, values };
}

function writeText(checks: readonly string[], hasOwnTopics: boolean): string {
  const json = { by: "changed_at", hasOwnTopics } as const;
  const order = "order by f.changed_at, f.id";
  const ranges = (limit: string): string => `
    select a.regions, a.head, a.id as app_id, f.* from ${sourceOfApps("$8")}
    cross join lateral (select * from (
      select r.changed_at, r.id, ${reviewColumns(true)}, ${checks.join(" and ") || "true"} as is_match
      from reviews r where r.listing_id = a.listing_id
        and (r.changed_at, r.id) > ($3::timestamptz, $4::uuid) and r.changed_at < $5::timestamptz
      order by r.changed_at, r.id limit ${checks.length > 0 ? scanMax : rowsMax}
    ) q limit ${limit}) f ${order} limit ${limit}`;
  const onPage = "$6::integer + 1";
  if (checks.length === 0) return writeJson(ranges(onPage), json);
  const found = `select * from scanned f where f.is_match ${order} limit ${onPage}`;
  return `with scanned as materialized (${ranges(String(scanMax))})
    select j.*, e."endMicros", e."endId" from (${writeJson(found, json)}) j
    left join (
      select ${micros("f.changed_at")} as "endMicros", f.id as "endId"
      from scanned f ${order} offset ${scanMax - 1} limit 1
    ) e on true`;
}
