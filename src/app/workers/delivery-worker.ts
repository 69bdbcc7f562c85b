// Connects the delivery worker with the container: its settings, and the notification that wakes it.
import { outgoingProxyOf } from "../../config/config.ts";
import type { MailAudience } from "../../delivery/channel-types/email/email.ts";
import { DeliveryWorker } from "../../delivery/queue/delivery-worker.ts";
import type { ResourceStack } from "../../lib/resource-stack.ts";
import { version } from "../../lib/version.ts";
import { readAudience, signRecipientLink } from "../../use-cases/channels/email-recipients.ts";
import type { Container } from "../container.ts";
import { createDomainCheck, readMailSettings } from "../mail-settings.ts";

/** Runs until the resources are closed. */
export async function openDeliveryWorker(
  container: Container,
  resources: ResourceStack,
): Promise<void> {
  const { clock, config, database, log, secretBox } = container;
  const queue = database.openDeliveryQueue();
  resources.add(() => queue.close());
  const mail = readMailSettings(config);
  const worker = new DeliveryWorker({
    clock,
    log,
    queue,
    secrets: secretBox,
    settings: {
      timeoutMs: config.webhookTimeoutMs,
      proxy: outgoingProxyOf(config),
      cycleSeconds: config.webhookCycleSeconds,
      giveUpDays: config.webhookGiveUpDays,
      retentionDays: config.deliveryRetentionDays,
      allowHttp: config.webhookAllowHttp,
      allowedCidrs: config.webhookAllowedCidrs,
      publicUrl: config.publicUrl,
      mail: mail && { ...mail, audience: createMailAudience(container) },
      telegramBaseUrl: config.telegramBaseUrl,
      moreHosts: config.channelHosts,
      version,
    },
  });
  worker.start();
  resources.add(() => worker.close());
  resources.add(database.listen("deliveries", () => worker.wake()));
}

function createMailAudience({ config, cursorKeys, database }: Container): MailAudience {
  const isAllowed = createDomainCheck(config.emailAllowedDomains);
  return {
    async read(channelId) {
      const audience = await readAudience(database, channelId);
      return audience && { ...audience, addresses: audience.addresses.filter(isAllowed) };
    },
    stopUrl(recipient) {
      if (config.publicUrl === null) return null;
      const link = { ...recipient, purpose: "stop", endsAtMs: 0 } as const;
      return `${config.publicUrl}/mail/stop/${signRecipientLink(cursorKeys[0], link)}`;
    },
  };
}
