// Takes stock of a disaster: what arrived at an endpoint against what was queued. Nothing may be lost;
// what came twice is counted and printed, because at-least-once allows it and nobody should guess.
import { setTimeout as delay } from "node:timers/promises";
import { expect } from "vitest";
import type { Database } from "../../src/database/database.ts";
import type { NewDelivery } from "../../src/domain/delivery.ts";
import type { Received } from "./receiver.ts";

/** Until none of the deliveries is pending any more; fails when one did not end as delivered. */
export async function waitUntilDelivered(
  database: Database,
  wait: { queued: readonly NewDelivery[]; limitMs: number },
): Promise<void> {
  const { queued, limitMs } = wait;
  const deadline = performance.now() + limitMs;
  const left = new Set(queued.map(({ id }) => id));
  while (left.size > 0) {
    for (const id of [...left].slice(0, 50)) {
      // While the database is away nothing can be said.
      const found = await database
        .findDelivery({ id, workspaceId: null })
        .catch(() => "away" as const);
      if (found === "away") break;
      if (found === null) throw new Error(`delivery ${id} is lost`);
      if (found.status === "pending") break;
      expect(found.status).toBe("delivered");
      left.delete(id);
    }
    if (performance.now() > deadline) throw new Error(`${left.size} deliveries are still pending`);
    if (left.size > 0) await delay(50);
  }
}

/** Every queued delivery arrived with its own bytes, and how many came more than once. */
export function reportLosses(
  disaster: string,
  happened: { queued: readonly NewDelivery[]; accepted: readonly Received[] },
): { lostCount: number; duplicateCount: number } {
  const bodies = new Map(happened.queued.map(({ id, body }) => [id, body]));
  const arrived = new Set<string>();
  for (const { headers, body } of happened.accepted) {
    const id = headers["x-service-delivery"] ?? "";
    expect(body).toEqual(bodies.get(id));
    arrived.add(id);
  }
  const toll = {
    lostCount: bodies.size - arrived.size,
    duplicateCount: happened.accepted.length - arrived.size,
  };
  process.stdout.write(
    `chaos: ${disaster}: ${bodies.size} queued, ${toll.lostCount} lost, ${toll.duplicateCount} twice\n`,
  );
  return toll;
}
