// The fields of a channel while they are edited. Numbers are texts, because they may be half typed; a new
// channel starts with the service's defaults.
import type {
  Channel,
  ChannelFilters,
  ChannelInput,
} from "../../../../src/dashboard-api/contract/channels.ts";

export type ChannelDraft = Omit<ChannelInput, "dropThreshold" | "periodDays" | "minSampleSize"> & {
  url: string;
  dropThreshold: string;
  periodDays: string;
  minSampleSize: string;
};

export const emptyChannelDraft: ChannelDraft = {
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

export function toChannelDraft(channel: Channel): ChannelDraft {
  const { name, url, events, apps, stars, topics, translate } = channel;
  return {
    ...{ name, url, events, apps, stars, topics, translate },
    dropThreshold: String(channel.dropThreshold),
    periodDays: String(channel.periodDays),
    minSampleSize: String(channel.minSampleSize),
  };
}

/** What is sent to the service, which validates it. */
export function toChannelInput(draft: ChannelDraft): ChannelInput {
  return { ...toChannelFilters(draft), name: draft.name.trim(), url: draft.url.trim() };
}

export function toChannelFilters(draft: ChannelDraft): ChannelFilters {
  const { events, apps, stars, topics, translate } = draft;
  return {
    ...{ events, apps, stars, topics, translate },
    dropThreshold: Number(draft.dropThreshold),
    periodDays: Number(draft.periodDays),
    minSampleSize: Number(draft.minSampleSize),
  };
}

/** Whether the filters are complete enough to fetch a preview, while they are edited. */
export function canPreview(filters: ChannelFilters): boolean {
  const { events, apps, stars, topics, dropThreshold, periodDays, minSampleSize } = filters;
  return (
    [events, apps, stars, topics].every((selected) => selected === null || selected.length > 0) &&
    dropThreshold > 0 &&
    dropThreshold <= 4 &&
    [periodDays, minSampleSize].every((count) => Number.isInteger(count) && count > 0)
  );
}
