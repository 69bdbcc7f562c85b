// Implements `starpost distribute` on the configured database.
import { type OpenDatabaseOptions, openPostgres } from "../app/open-database.ts";
import {
  type DistributeOptions,
  type Distribution,
  distribute,
} from "../database/cluster/distribute.ts";
import { ResourceStack } from "../lib/resource-stack.ts";

/** @throws AppError `conflict` when it can't be done now, with the reason */
export async function runDistribute(
  { note, ...deps }: OpenDatabaseOptions & { note: (sentence: string) => void },
  options: Pick<DistributeOptions, "bucketCount" | "shardCount">,
): Promise<Distribution> {
  const resources = new ResourceStack();
  try {
    const onProgress = (sentence: string): void => note(`${sentence} …`);
    const access = await openPostgres({ ...deps, onProgress }, resources);
    const connection = access.directConnection ?? access.connection;
    return await distribute({ log: deps.log, connection, onStep: onProgress, ...options });
  } finally {
    await resources.closeAll();
  }
}
