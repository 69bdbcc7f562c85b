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
  /** How many of them may be for failing channels: the rest is kept for those that answer. */
  failingMax: number;
  /** Attempts that take longer are slow, whatever their answer, and no more of them may be in flight than that. */
  slowMs: number;
  slowMax: number;
  /** Attempts in flight for one channel: few, so that a small endpoint is not flooded. */
  perChannelMax: number;
  /** Attempts in flight for all channels of one host and port in this process. */
  perHostMax: number;
  /**
   * How many deliveries may have been sent without a saved outcome: these come twice when the process is killed. One that
   * is in flight for longer than quick endpoints take is not counted.
   */
  resendMax: number;
  quickMs: number;
  /** Outcomes that take longer to save are not counted either: a slow disk is waited for with more of them at once. */
  slowSaveMs: number;
  /** Bytes of the bodies that are claimed and not sent yet, for one channel and for all of them. */
  bodyBytesPerChannel: number;
  bodyBytesMax: number;
  /** Timeouts in a row from which on a channel gets one attempt at a time. */
  probeAfter: number;
  /** How often due channels are looked for without a notification. */
  pollMs: number;
  /** How long a silent process keeps its channels, by the clock of the database. */
  leaseMs: number;
  /** How long a process must be without its database session before others believe that it is gone. */
  silentMs: number;
  /** How long a channel without work is kept, so that a busy one is not leased anew for each event. */
  idleMs: number;
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
  failingMax: 256,
  slowMs: 1_000,
  slowMax: 256,
  perChannelMax: 4,
  perHostMax: 128,
  resendMax: 200,
  quickMs: 10,
  slowSaveMs: 50,
  bodyBytesPerChannel: 1_048_576,
  bodyBytesMax: 33_554_432,
  probeAfter: 3,
  pollMs: 1_000,
  leaseMs: 15_000,
  silentMs: 1_500,
  idleMs: 1_000,
  maintenanceMs: 60_000,
} as const satisfies Omit<DeliverySettings, "version">;
