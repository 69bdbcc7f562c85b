// Pages of one app each where tables are spread over servers: read on the server that has the listing, by the names that
// the tables have there, and so by a plan that is made once. Who can't be reached, and rows that have just moved, are left
// to the coordinator.

import { AppError } from "../../domain/error.ts";
import { createBatch } from "../../lib/batch.ts";
import { errorCode } from "../../lib/error-code.ts";
import type { Db } from "../query.ts";
import type { ListingShards, ShardDirectory } from "../shard-directory.ts";
import type { ServerAddress, ShardServers } from "../shard-servers.ts";
import { batchLimits, type ReadOnServers, readShardPages } from "./review-app-pages.ts";
import type { AppPage, AppPageQuery } from "./review-pages.ts";

type ReadPage = (query: AppPageQuery) => Promise<AppPage | null>;

type ShardPageDeps = {
  directory: Pick<ShardDirectory, "find" | "forget">;
  servers: Pick<ShardServers, "suspend"> & { find(address: ServerAddress): Db | null };
};

export function createShardPageReader(deps: ShardPageDeps): ReadOnServers {
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

  /** null for what is not there (any more): the app, its listing, or the rows of the listing. */
  async function readThere(read: ReadPage, query: AppPageQuery, shards: ListingShards) {
    try {
      return await read(query);
    } catch (error) {
      if (errorCode(error) === undefinedTable) return null;
      if (!(error instanceof AppError) || error.code !== "unavailable") throw error;
      servers.suspend(shards.server);
      return "unplanned";
    }
  }

  return async (query, filters) => {
    for (let attempt = 1; attempt <= 2; attempt += 1) {
      const place = await directory.find(query);
      if (place === null) return null;
      const { listingId, shards } = place;
      const read = shards && readerOf(shards, filters);
      if (shards === null || read === null) return "unplanned";
      const found = await readThere(read, query, shards);
      if (found === "unplanned") return found;
      if (found?.app.listingId === listingId) return found;
      directory.forget(query);
    }
    return "unplanned";
  };
}

/** The table went with its rows. */
const undefinedTable = "42P01";
