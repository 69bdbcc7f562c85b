// A channel's choice as the form holds it: numbers may be half typed, and start as the service's defaults.
import type {
  Channel,
  ChannelChoice,
  ChannelFilters,
} from "../../../../src/dashboard-api/contract/channels.ts";

export type Draft = Omit<ChannelChoice, "dropThreshold" | "periodDays" | "minSampleSize"> & {
  dropThreshold: string;
  periodDays: string;
  minSampleSize: string;
};

export const newDraft: Draft = {
  name: "",
  url: "",
  events: ["review.created", "review.updated", "review.rating_drop"],
  apps: null,
  stars: null,
  topics: null,
  translate: false,
  dropThreshold: "0.1",
  periodDays: "7",
  minSampleSize: "30",
};

export function draftOf(channel: Channel): Draft {
  const { name, url, events, apps, stars, topics, translate } = channel;
  return {
    ...{ name, url, events, apps, stars, topics, translate },
    dropThreshold: String(channel.dropThreshold),
    periodDays: String(channel.periodDays),
    minSampleSize: String(channel.minSampleSize),
  };
}

/** What the service is sent; it says in words what it can't take. */
export function choiceOf(draft: Draft): ChannelChoice {
  return { ...filtersOf(draft), name: draft.name.trim(), url: draft.url.trim() };
}

export function filtersOf(draft: Draft): ChannelFilters {
  const { events, apps, stars, topics, translate } = draft;
  return {
    ...{ events, apps, stars, topics, translate },
    dropThreshold: Number(draft.dropThreshold),
    periodDays: Number(draft.periodDays),
    minSampleSize: Number(draft.minSampleSize),
  };
}

/** Half typed numbers are not asked about. */
export function canPreview(draft: Draft): boolean {
  const { dropThreshold, periodDays, minSampleSize } = filtersOf(draft);
  return (
    draft.events.length > 0 &&
    dropThreshold > 0 &&
    dropThreshold <= 4 &&
    [periodDays, minSampleSize].every((count) => Number.isInteger(count) && count > 0)
  );
}
