// Pages of one app where tables are spread over servers: read on the server that has the listing, by the names that
// the tables have there, and so by a plan that is made once. Who can't be reached, and rows that have just moved, are left
// to the coordinator.

import { createBatch } from "../../lib/batch.ts";
import { errorCode } from "../../lib/error-code.ts";
import { withDistributedParts } from "../distributed-sql.ts";
import { type Db, queryFirstRow } from "../query.ts";
import {
  isHereSql,
  type ListingShards,
  onShards,
  type ShardDirectory,
} from "../shard-directory.ts";
import type { ServerAddress, ShardServers } from "../shard-servers.ts";
import type { PageStatement, PlacedPageRow, ReadPageRow } from "./merged-pages.ts";
import { batchLimits, type ReadOnServers, readShardPages } from "./review-app-pages.ts";
import type { AppPage, AppPageQuery } from "./review-pages.ts";

type ReadPage = (query: AppPageQuery) => Promise<AppPage | null>;

type Servers = Pick<ShardServers, "suspend"> & { find(address: ServerAddress): Db | null };

/** The page of an app together with the app. */
export function createShardPageReader(deps: {
  directory: Pick<ShardDirectory, "find" | "forget">;
  servers: Servers;
}): ReadOnServers {
  const { directory, servers } = deps;
  // Those of shards that are forgotten go with them.
  const readers = new WeakMap<ListingShards, Map<string, ReadPage>>();

  function readerOf(shards: ListingShards, filters: string): ReadPage | null {
    const pool = servers.find(shards.server);
    if (pool === null) return null;
    const ofShards = readers.get(shards) ?? new Map<string, ReadPage>();
    readers.set(shards, ofShards);
    const read =
      ofShards.get(filters) ??
      createBatch((queries) => readShardPages(pool, { shards, queries, filters }), batchLimits);
    ofShards.set(filters, read);
    return read;
  }

  return async (query, filters) => {
    for (let attempt = 1; attempt <= 2; attempt += 1) {
      const place = await directory.find(query);
      if (place === null) return null;
      const { listingId, shards } = place;
      const read = shards && readerOf(shards, filters);
      if (shards === null || read === null) return "unplanned";
      const found = await queryServer(servers, shards, () => read(query));
      if (found === "unreachable") return "unplanned";
      if (found?.app.listingId === listingId) return found;
      directory.forget(query);
    }
    return "unplanned";
  };
}

/** The page of one app that is known, for statements that are planned once. A page is always one row. */
export function createShardRowReader(deps: {
  directory: Pick<ShardDirectory, "findShards" | "forgetShards">;
  servers: Servers;
  coordinator: Db;
}): ReadPageRow {
  const { directory, servers, coordinator } = deps;
  async function readThere(
    { name, text, values }: PageStatement,
    listingId: string,
  ): Promise<PlacedPageRow | null> {
    const shards = await directory.findShards(listingId);
    const pool = shards && servers.find(shards.server);
    if (shards === null || pool === null) return null;
    const there = onShards(withDistributedParts(text), shards.names);
    const found = await queryServer(servers, shards, () =>
      queryFirstRow<PlacedPageRow>(
        pool,
        `${name}-${shards.shardId}`,
        `select p.* from (${there}) p where ${isHereSql(shards.shardId)}`,
        values,
      ),
    );
    if (found === null) directory.forgetShards();
    return found === "unreachable" ? null : found;
  }
  return async (statement, apps) => {
    const { name, text, values } = statement;
    const [app, ...others] = apps;
    const isOfOne = app !== undefined && others.length === 0;
    const row = isOfOne && name !== "" ? await readThere(statement, app.listingId) : null;
    return row ?? queryFirstRow<PlacedPageRow>(coordinator, name, text, values);
  };
}

/** null for what is not there (any more). */
async function queryServer<Answer>(
  servers: Servers,
  shards: ListingShards,
  run: () => Promise<Answer>,
): Promise<Answer | null | "unreachable"> {
  try {
    return await run();
  } catch (error) {
    if (errorCode(error) === undefinedTable) return null;
    // Also one that refuses: what is wrong with the statement itself, the coordinator says.
    servers.suspend(shards.server, error);
    return "unreachable";
  }
}

/** The table went with its rows. */
const undefinedTable = "42P01";
