// Topics and days as sentences name them.
import { addDays, type Day } from "../lib/timestamp.ts";

const topicPhrases: Readonly<Record<string, string>> = {
  crash: "crashes",
  bug: "bugs",
  performance: "speed",
  login: "signing in",
  pricing: "prices",
  subscription: "subscriptions",
  ui: "the design",
  feature_request: "a feature they miss",
  update: "an update",
  support: "customer support",
  battery: "the battery",
  payment: "payments",
  praise: "what they like",
};

/** As it reads after "mention". */
export function nameTopic(topic: string): string {
  return topicPhrases[topic] ?? topic.replaceAll("_", " ");
}

const months = "Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec".split(" ");

/** `2026-11-05` is `5 Nov`. */
export function formatDay(day: Day): string {
  const [, month = "1", date = "1"] = addDays(day, 0).split("-");
  return `${Number(date)} ${months[Number(month) - 1] ?? ""}`;
}
