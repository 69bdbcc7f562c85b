// Where the reading of a line of deliveries begins.
import type { LanePosition } from "../domain/delivery.ts";
import { lowestUuid } from "../lib/uuid.ts";

/** How much earlier than the newest delivery one may come due that is committed after it, usually. */
const lateCommitMs = 2_000;

export const head: LanePosition = { dueAt: new Date(0), id: lowestUuid };

export function slightlyBefore({ dueAt }: LanePosition): LanePosition {
  return { dueAt: new Date(Math.max(0, dueAt.getTime() - lateCommitMs)), id: lowestUuid };
}
