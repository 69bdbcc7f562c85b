// Filters in words, for a heading or a sentence.
import { appLabel, languageName, placeName, topicName } from "../../format/names.ts";
import { storeName } from "../../format/stores.ts";
import { type DateName, describeDates } from "./date-filter.tsx";
import { type FeedFilters, type FlagName, flags } from "./filters.ts";

type NamedApp = Parameters<typeof appLabel>[0] & { id: string };

/** The others are an app, flags and dates. */
type Worded = Exclude<keyof FeedFilters, "app" | DateName | FlagName>;

const words: { readonly [Name in Worded]: (value: NonNullable<FeedFilters[Name]>) => string } = {
  rating: (stars) => (stars.length > 0 ? `${stars.join(", ")} ★` : ""),
  topic: topicName,
  store: storeName,
  sentiment: (label) => `sentiment ${label}`,
  country: placeName,
  language: (code) => `written in ${languageName(code)}`,
  version: (name) => `version ${name}`,
  q: (text) => `the words “${text}”`,
  minLength: (count) => `${count} characters or more`,
  reply: (name) => name,
  tag: (name) => `the tag ${name}`,
  assignee: () => "one assignee",
  status: (name) => name,
};

export function nameFilters(filters: FeedFilters, apps: readonly NamedApp[]): string[] {
  const app = apps.find(({ id }) => id === filters.app);
  return [
    filters.app && (app ? appLabel(app) : "one app"),
    ...Object.entries(words).map(([name, toWords]) => {
      const value = filters[name as Worded];
      return value && (toWords as (value: unknown) => string)(value);
    }),
    ...flags.map(([name, [yes, no]]) => {
      const value = filters[name];
      return value !== undefined && (value ? yes : no).toLowerCase();
    }),
    describeDates(filters),
  ].filter((name) => typeof name === "string" && name !== "") as string[];
}
