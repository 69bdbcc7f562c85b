// The topics that the analysis finds in reviews: what a review can have and a channel can filter by.
import { cleanText } from "../clean-text.ts";

export const topicNames = [
  "crash",
  "bug",
  "performance",
  "login",
  "pricing",
  "subscription",
  "ads",
  "ui",
  "feature_request",
  "update",
  "notifications",
  "support",
  "privacy",
  "battery",
  "payment",
  "content",
  "praise",
] as const;
export type Topic = (typeof topicNames)[number];

export function isTopicName(name: string): name is Topic {
  return (topicNames as readonly string[]).includes(name);
}

/** In the shape of the built-in names. */
export function toTopicName(text: string): string {
  return cleanText(text)
    .trim()
    .normalize("NFC")
    .toLowerCase()
    .replace(/[\s\-_]+/gu, "_");
}
