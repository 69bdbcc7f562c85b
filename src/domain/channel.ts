// A webhook channel: where events go, which ones, and under which filters.

export const eventNames = ["review.created", "review.updated", "review.rating_drop"] as const;
export type EventName = (typeof eventNames)[number];

export type ChannelFilters = {
  events: EventName[];
  /** App ids; null means all of the workspace. */
  apps: string[] | null;
  /** Star ratings 1 to 5; null means all. */
  stars: number[] | null;
  /** Topics, any of which must be found; null means all reviews. */
  topics: string[] | null;
  translate: boolean;
  /** Stars the average must have fallen by. */
  dropThreshold: number;
  periodDays: number;
  minSampleSize: number;
};

export type Channel = ChannelFilters & {
  id: string;
  workspaceId: string;
  name: string;
  url: string;
  createdAt: Date;
  /** Since when every attempt has failed; null while the endpoint answers. */
  failingSince: Date | null;
  /** The last failure in words; null while the endpoint answers. */
  failingReason: string | null;
};

export const channelDefaults: ChannelFilters = {
  events: [...eventNames],
  apps: null,
  stars: null,
  topics: null,
  translate: false,
  dropThreshold: 0.1,
  periodDays: 7,
  minSampleSize: 30,
};

export const channelLimits = {
  nameMax: 200,
  urlMax: 2_048,
  appsMax: 1_000,
  topicsMax: 50,
  topicLengthMax: 64,
  periodDaysMax: 365,
  minSampleSizeMax: 1_000_000_000,
} as const;
