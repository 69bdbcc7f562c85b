// Topics as sentences name them.

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
