// The topics that the analysis finds in reviews: what a review can have and a channel can filter by.

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

/** The name that takes the fewest edits to get from `name`. */
export function findNearestTopic(name: string, names: readonly string[]): string {
  const nearest = [...names].sort((one, other) => countEdits(name, one) - countEdits(name, other));
  return nearest[0] ?? name;
}

/** Letters to insert, delete or replace (Levenshtein). */
function countEdits(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, index) => index);
  for (const [index, letter] of [...from].entries()) {
    const next = [index + 1];
    for (let at = 1; at <= to.length; at += 1) {
      const replaced = (row[at - 1] ?? 0) + (letter === to[at - 1] ? 0 : 1);
      next.push(Math.min(replaced, (row[at] ?? 0) + 1, (next[at - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row[to.length] ?? 0;
}
