// Follows the delivery log of a channel: a line for each delivery that is new or has another state.
import type { Database } from "../database/database.ts";
import type { LoggedDelivery } from "../domain/delivery.ts";
import type { Delay } from "../lib/delay.ts";
import { formatTimestamp, secondMs } from "../lib/timestamp.ts";
import { listDeliveries } from "../use-cases/channels/deliveries.ts";

const pollMs = secondMs;
// Within one poll more than this many changes are not shown: a backlog is for `deliveries list`.
const watchedMax = 200;
const shownAtStart = 10;

/** Returns when the signal is aborted. */
export async function followDeliveries(
  deps: {
    database: Pick<Database, "findChannel" | "listDeliveries">;
    delay: Delay;
    write(text: string): Promise<void>;
    isJson: boolean;
  },
  { channelId, signal }: { channelId: string; signal: AbortSignal },
): Promise<void> {
  let known: ReadonlyMap<string, string> | null = null;
  while (!signal.aborted) {
    const query = { channelId, workspaceId: null, status: null, limit: watchedMax };
    const deliveries = await listDeliveries(deps.database, query);
    const before: ReadonlyMap<string, string> | null = known;
    const changed = before
      ? deliveries.filter((one) => before.get(one.id) !== stateOf(one))
      : deliveries.slice(0, shownAtStart);
    for (const delivery of changed.reverse()) {
      await deps.write(`${deps.isJson ? JSON.stringify(delivery) : format(delivery)}\n`);
    }
    known = new Map(deliveries.map((one) => [one.id, stateOf(one)]));
    await deps.delay(pollMs, signal);
  }
}

function stateOf({ status, attemptCount }: LoggedDelivery): string {
  return `${status} ${attemptCount}`;
}

function format(delivery: LoggedDelivery): string {
  const { id, event, status, attemptCount, lastStatus, lastReason, createdAt } = delivery;
  const answer = lastStatus ?? lastReason ?? "";
  const attempts = attemptCount === 0 ? "" : `attempt ${attemptCount}: ${answer}`;
  return `${formatTimestamp(createdAt)}  ${event.padEnd(18)}  ${status.padEnd(9)}  ${id}  ${attempts}`.trimEnd();
}
