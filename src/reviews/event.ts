// The webhook bodies. Field names and their order are public contract; null and absence differ.
import type { EventName } from "./channel.ts";
import type { StoreId } from "./store-id.ts";

export type EventBody = {
  event: EventName;
  channelId: string;
  channelName: string;
  app: { id: string; name: string; store: StoreId };
  review?: EventReview;
  change?: EventChange;
  ratingDrop?: RatingDrop;
};

export type EventReview = {
  id: string;
  store: StoreId;
  rating: number;
  title: string | null;
  text: string;
  translatedText: string | null;
  translatedFrom: string | null;
  author: string;
  version: string;
  country: string;
  /** ISO 8601 UTC. */
  date: string;
};

export type EventChange = {
  oldScore: number;
  newScore: number;
  ratingChanged: boolean;
  textChanged: boolean;
  headline: string;
};

export type RatingDrop = {
  currentAvg: number;
  baselineAvg: number;
  /** baseline - current, in stars, 2 decimals. */
  drop: number;
  sampleSize: number;
  baselineSampleSize: number;
  periodDays: number;
};
