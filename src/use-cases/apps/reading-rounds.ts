// How long a round of each store takes at the pace that the operator chose: said beside the apps.
import type { Database } from "../../database/database.ts";
import {
  estimateRound,
  type ReadingPace,
  type ReadingRound,
} from "../../domain/feed/reading-round.ts";
import type { StoreId } from "../../domain/store/store-id.ts";

/** Estimates the rounds of the stores whose public pages are read. */
export async function readRounds(
  database: Pick<Database, "readStoreLoads">,
  pace: ReadingPace,
): Promise<ReadonlyMap<StoreId, ReadingRound>> {
  const loads = await database.readStoreLoads(pace);
  return new Map(loads.map((load) => [load.store, estimateRound(load, pace)]));
}
