// Connects the delivery worker with the container: its settings, and the notification that wakes it.
import { openDeliverer } from "../../delivery/delivery-worker.ts";
import type { ResourceStack } from "../../lib/resource-stack.ts";
import { version } from "../../lib/version.ts";
import type { Container } from "../container.ts";

/** Runs until the resources are closed. */
export function openDeliveryWorker(container: Container, resources: ResourceStack): void {
  const { clock, config, database, log, secretBox } = container;
  const worker = openDeliverer({
    clock,
    log,
    queue: database,
    secrets: secretBox,
    settings: {
      timeoutMs: config.webhookTimeoutMs,
      cycleSeconds: config.webhookCycleSeconds,
      giveUpDays: config.webhookGiveUpDays,
      retentionDays: config.deliveryRetentionDays,
      allowHttp: config.webhookAllowHttp,
      allowedCidrs: config.webhookAllowedCidrs,
      version,
    },
  });
  worker.start();
  resources.add(() => worker.close());
  resources.add(database.listen("deliveries", () => worker.wake()));
}
