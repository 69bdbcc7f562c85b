// Compares what arrived at an endpoint with what was queued, after a crash. Nothing may be lost; duplicates
// are counted and printed, because at-least-once delivery allows them.
import { expect } from "vitest";
import type { Database } from "../../src/database/database.ts";
import type { NewDelivery } from "../../src/domain/channel/delivery.ts";
import type { Received } from "./receiver.ts";
import { waitFor } from "./wait-for.ts";

/** Waits until all deliveries are delivered. @throws when one has another end, or at the time limit */
export async function waitUntilDelivered(
  database: Database,
  options: { queued: readonly NewDelivery[]; limitMs: number },
): Promise<void> {
  const { queued, limitMs } = options;
  const pending = new Set(queued.map(({ id }) => id));
  const checkSome = async (): Promise<boolean> => {
    for (const id of [...pending].slice(0, 50)) {
      // While the database is down the status is unknown.
      const query = database.findDelivery({ id, workspaceId: null });
      const delivery = await query.catch(() => "unknown" as const);
      if (delivery === "unknown") break;
      if (delivery === null) throw new Error(`delivery ${id} is lost`);
      if (delivery.status === "pending") break;
      expect(delivery.status).toBe("delivered");
      pending.delete(id);
    }
    return pending.size === 0;
  };
  await waitFor(checkSome, {
    withinMs: limitMs,
    what: () => `${pending.size} pending deliveries`,
    intervalMs: 50,
  });
}

/** Checks the bytes of every delivery that arrived, and counts the lost and the duplicate ones. */
export function reportLosses(
  crash: string,
  deliveries: { queued: readonly NewDelivery[]; accepted: readonly Received[] },
): { lostCount: number; duplicateCount: number } {
  const bodies = new Map(deliveries.queued.map(({ id, body }) => [id, body]));
  const arrived = new Set<string>();
  for (const { headers, body } of deliveries.accepted) {
    const id = headers["x-service-delivery"] ?? "";
    expect(body).toEqual(bodies.get(id));
    arrived.add(id);
  }
  const report = {
    lostCount: bodies.size - arrived.size,
    duplicateCount: deliveries.accepted.length - arrived.size,
  };
  process.stdout.write(
    `chaos: ${crash}: ${bodies.size} queued, ${report.lostCount} lost, ${report.duplicateCount} duplicates\n`,
  );
  return report;
}
