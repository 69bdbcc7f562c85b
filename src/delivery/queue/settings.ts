// The operator's settings for deliveries, and the delivery worker's own limits.

import type { OutgoingProxy } from "../../lib/outgoing-proxy.ts";
import type { MailAudience } from "../channel-types/email/email.ts";
import type { MailServer } from "../channel-types/email/mailer.ts";

export type DeliverySettings = {
  /** Total deadline of one attempt. */
  timeoutMs: number;
  /** Until the first retry; doubles up to an hour. */
  cycleSeconds: number;
  /** After which a delivery expires. */
  giveUpDays: number;
  /** How long deliveries stay in the log. */
  retentionDays: number;
  allowHttp: boolean;
  allowedCidrs: readonly string[];
  /** Where the dashboard is reached, for links in messages; null when it is not set. */
  publicUrl: string | null;
  telegramBaseUrl: string;
  /** null: endpoints are reached themselves. */
  proxy: OutgoingProxy | null;
  /** The mail server, the sender of e-mails, and who gets those of a channel; null without. */
  mail: { server: MailServer; from: string; audience: MailAudience } | null;
  /** Hosts that chat services may be reached at beside their own. */
  moreHosts: readonly string[];
  /** Starpost's own version, for the User-Agent. */
  version: string;
  /** Attempts in flight in this process. */
  inFlightMax: number;
  /** How many of them may be for channels that fail or are slow: the rest is kept for the others. */
  troubledMax: number;
  /** Attempts that take longer are slow, whatever their answer. */
  slowMs: number;
  /** Attempts in flight for one channel: few, so that a small endpoint is not flooded. */
  perChannelMax: number;
  /** Attempts in flight for all channels of one host and port in this process. */
  perHostMax: number;
  /** Timeouts in a row from which on a channel gets one attempt at a time. */
  probeAfter: number;
  /** How often due channels are looked for without a notification. */
  pollMs: number;
  /** How long a silent process keeps its channels, by the clock of the database. */
  leaseMs: number;
  /** How often overlooked channels are repaired and old deliveries deleted. */
  maintenanceMs: number;
};

export const deliveryDefaults = {
  timeoutMs: 10_000,
  cycleSeconds: 60,
  giveUpDays: 7,
  retentionDays: 30,
  allowHttp: false,
  allowedCidrs: [],
  publicUrl: null,
  mail: null,
  telegramBaseUrl: "https://api.telegram.org",
  proxy: null,
  moreHosts: [],
  inFlightMax: 512,
  troubledMax: 256,
  slowMs: 1_000,
  perChannelMax: 4,
  perHostMax: 128,
  probeAfter: 3,
  pollMs: 1_000,
  leaseMs: 5_000,
  maintenanceMs: 60_000,
} as const satisfies Omit<DeliverySettings, "version">;
