// Reads pages of one app each, those with the same filters in one statement: under load a statement for each of
// them costs more than half as much again.
import { createBatch } from "../../lib/batch.ts";
import { isDistributed } from "../distributed-reads.ts";
import { type Db, queryRows } from "../query.ts";
import { isHereSql, type ListingShards, onShards } from "../shard-directory.ts";
import { buildAppPageStatement, filtersOfAppPage } from "./review-app-page-sql.ts";
import { type PageRow, toPage } from "./review-json-sql.ts";
import type { AppPage, AppPageQuery, FoundAppPage } from "./review-pages.ts";

/** Reads pages, all with the same `filtersOfAppPage`, where the rows of their apps are. */
export type ReadOnServers = (query: AppPageQuery, filters: string) => Promise<FoundAppPage>;

/** Those with the same filters that are asked for at the same moment are one statement. */
export function createAppPageReader(
  db: Db,
  readOnServers: ReadOnServers,
): (query: AppPageQuery) => Promise<FoundAppPage> {
  const readers = new Map<string, (query: AppPageQuery) => Promise<AppPage | null>>();
  return async (query) => {
    const filters = filtersOfAppPage(query);
    if (filters === null) return "unplanned";
    if (await isDistributed(db)) return readOnServers(query, filters);
    const read =
      readers.get(filters) ??
      createBatch((queries) => readAppPages(db, { queries, filters }), batchLimits);
    readers.set(filters, read);
    return read(query);
  };
}

// A page waits for the others of its statement, so these are few. The second one is for when the first has to read
// from a disk.
export const batchLimits = { countMax: 8, runningMax: 2 };

/** In the order of the queries, all of which have these filters; null without such an app. */
export async function readAppPages(
  db: Db,
  { queries, filters }: { queries: readonly AppPageQuery[]; filters: string },
): Promise<(AppPage | null)[]> {
  const { name, text, values } = buildAppPageStatement(queries, filters);
  return toAppPages(await queryRows(db, name, text, values), queries);
}

/** The same of apps whose rows are in these shards; null also for one that is not there any more. */
export async function readShardPages(
  db: Db,
  read: { shards: ListingShards; queries: readonly AppPageQuery[]; filters: string },
): Promise<(AppPage | null)[]> {
  const { shards, queries, filters } = read;
  const { name, text, values } = buildAppPageStatement(queries, filters);
  const found = `select p.* from (${onShards(text, shards.names)}) p where ${isHereSql(shards.shardId)}`;
  return toAppPages(await queryRows(db, `${name}-${shards.shardId}`, found, values), queries);
}

type AppPageRow = PageRow & Omit<AppPage["app"], "id"> & { index: number };

function toAppPages(
  rows: readonly AppPageRow[],
  queries: readonly AppPageQuery[],
): (AppPage | null)[] {
  const byIndex = new Map(rows.map((row) => [row.index, row]));
  // PostgreSQL counts from 1.
  return queries.map((query, index) => toAppPage(byIndex.get(index + 1), query));
}

function toAppPage(row: AppPageRow | undefined, query: AppPageQuery): AppPage | null {
  if (row === undefined) return null;
  const { listingId, store, version, regions, hasOwnTopics } = row;
  const id = query.appId.toLowerCase();
  const app = { id, listingId, store, version, regions, hasOwnTopics };
  const isWhole = regions === null && !hasOwnTopics;
  return { app, page: isWhole ? toPage(row, query.limit) : null };
}
