// What an operator can set for deliveries, and the engine's own limits with their reasons.

export type DeliverySettings = {
  /** Total deadline of one attempt. */
  timeoutMs: number;
  /** Until the first retry; doubles up to an hour. */
  cycleSeconds: number;
  /** After which a delivery expires. */
  giveUpDays: number;
  /** How long finished deliveries stay in the log. */
  retentionDays: number;
  allowHttp: boolean;
  allowedCidrs: readonly string[];
  /** Starpost's own version, for the User-Agent. */
  version: string;
  /** Attempts in flight in this process. */
  inFlightMax: number;
  /** How many of them may be for failing channels: the rest is kept for those that answer. */
  failingMax: number;
  /** Attempts in flight for one channel in this process. */
  perChannelMax: number;
  /** Attempts in flight for all channels of one host and port in this process. */
  perHostMax: number;
  /** For each place on the wire, how many more deliveries are claimed to follow at once. */
  aheadFactor: number;
  /** Timeouts in a row from which on a channel gets one attempt at a time. */
  probeAfter: number;
  /** How often the queue is looked at when nobody says that there is work. */
  pollMs: number;
  /**
   * A lease covers one deadline of waiting at hand, one on the wire, and this for saving the outcome:
   * it must not end while its holder works.
   */
  leaseMarginMs: number;
  /** How often the queue is checked for channels that nobody looks at, and old deliveries go. */
  upkeepMs: number;
};

export const deliveryDefaults = {
  timeoutMs: 10_000,
  cycleSeconds: 60,
  giveUpDays: 7,
  retentionDays: 30,
  allowHttp: false,
  allowedCidrs: [],
  inFlightMax: 512,
  failingMax: 256,
  perChannelMax: 4,
  perHostMax: 128,
  aheadFactor: 6,
  probeAfter: 3,
  pollMs: 1_000,
  leaseMarginMs: 5_000,
  upkeepMs: 60_000,
} as const satisfies Omit<DeliverySettings, "version">;
