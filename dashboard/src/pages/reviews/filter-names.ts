// Filters in words, for a heading or a sentence.
import { appLabel, languageName, placeName, storeName, topicName } from "../../format/names.ts";
import { describeDates } from "./date-filter.tsx";
import type { FeedFilters } from "./filters.ts";

type NamedApp = Parameters<typeof appLabel>[0] & { id: string };

export function nameFilters(filters: FeedFilters, apps: readonly NamedApp[]): string[] {
  const { rating, store, sentiment, topic, country, language, version } = filters;
  const { q, tag, assignee, hasReply, hasText, minLength } = filters;
  const app = apps.find(({ id }) => id === filters.app);
  return [
    filters.app && (app ? appLabel(app) : "one app"),
    rating && rating.length > 0 && `${rating.join(", ")} ★`,
    topic && topicName(topic),
    store && storeName(store),
    sentiment && `sentiment ${sentiment}`,
    country && placeName(country),
    language && `written in ${languageName(language)}`,
    version && `version ${version}`,
    q && `the words “${q}”`,
    hasText !== undefined && (hasText ? "with a text" : "without a text"),
    minLength && `${minLength} characters or more`,
    filters.editedOnly && "edited",
    hasReply !== undefined && (hasReply ? "with a reply" : "without a reply"),
    tag && `the tag ${tag}`,
    assignee && "one assignee",
    filters.status,
    describeDates(filters),
  ].filter((name) => typeof name === "string" && name !== "") as string[];
}
