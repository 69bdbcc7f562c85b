// Filters in words, for a heading or a sentence.
import { appLabel, languageName, placeName, storeName, topicName } from "../../format/names.ts";
import { describeDates } from "./date-filter.tsx";
import { type FeedFilters, flags } from "./filters.ts";

type NamedApp = Parameters<typeof appLabel>[0] & { id: string };

export function nameFilters(filters: FeedFilters, apps: readonly NamedApp[]): string[] {
  const { rating, store, sentiment, topic, country, language, version } = filters;
  const { q, tag, assignee, minLength } = filters;
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
    minLength && `${minLength} characters or more`,
    ...flags.map(([name, [yes, no]]) => {
      const value = filters[name];
      return value !== undefined && (value ? yes : no).toLowerCase();
    }),
    tag && `the tag ${tag}`,
    assignee && "one assignee",
    filters.status,
    describeDates(filters),
  ].filter((name) => typeof name === "string" && name !== "") as string[];
}
