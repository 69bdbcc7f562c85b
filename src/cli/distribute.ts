// Implements `starpost distribute` on the configured database.
import {
  type DistributeOptions,
  type Distribution,
  distribute,
} from "../database/cluster/distribute.ts";
import { ResourceStack } from "../lib/resource-stack.ts";
import { type BackupDeps, openDirectly } from "./backup.ts";

/** @throws AppError `conflict` when it can't be done now, with the reason */
export async function runDistribute(
  deps: BackupDeps,
  options: Pick<DistributeOptions, "shardCount">,
): Promise<Distribution> {
  const resources = new ResourceStack();
  try {
    const connection = await openDirectly(deps, resources);
    const onStep = (sentence: string): void => deps.note(`${sentence} …`);
    return await distribute({ log: deps.log, connection, onStep, ...options });
  } finally {
    await resources.closeAll();
  }
}
