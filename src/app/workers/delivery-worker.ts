// Connects the delivery worker with the container: its settings, and the notification that wakes it.
import { DeliveryWorker } from "../../delivery/delivery-worker.ts";
import type { ResourceStack } from "../../lib/resource-stack.ts";
import { version } from "../../lib/version.ts";
import type { Container } from "../container.ts";
import { readMailSettings } from "../mail-settings.ts";

/** Runs until the resources are closed. */
export async function openDeliveryWorker(
  container: Container,
  resources: ResourceStack,
): Promise<void> {
  const { clock, config, database, log, secretBox } = container;
  const queue = database.openDeliveryQueue();
  resources.add(() => queue.close());
  const worker = new DeliveryWorker({
    clock,
    log,
    queue,
    secrets: secretBox,
    settings: {
      timeoutMs: config.webhookTimeoutMs,
      cycleSeconds: config.webhookCycleSeconds,
      giveUpDays: config.webhookGiveUpDays,
      retentionDays: config.deliveryRetentionDays,
      allowHttp: config.webhookAllowHttp,
      allowedCidrs: config.webhookAllowedCidrs,
      publicUrl: config.publicUrl,
      mail: readMailSettings(config),
      telegramBaseUrl: config.telegramBaseUrl,
      moreHosts: config.channelHosts,
      version,
    },
  });
  worker.start();
  resources.add(() => worker.close());
  resources.add(database.listen("deliveries", () => worker.wake()));
}
