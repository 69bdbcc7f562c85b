// The fields of a channel while they are edited. Numbers are texts, because they may be half typed; a new
// channel starts with the service's defaults.

import type {
  Channel,
  ChannelType,
  HttpRequest,
} from "../../../../src/dashboard-api/contract/channels.ts";
import type {
  ChannelFilters,
  ChannelInput,
} from "../../../../src/dashboard-api/contract/requests.ts";

export type DigestRhythm = NonNullable<Channel["digest"]>;

/** The template of an HTTP channel; "" for the parts that it does not have. */
export type RequestDraft = { base: HttpRequest; body: string; updateBody: string };

export function toRequestDraft(base: HttpRequest): RequestDraft {
  return { base, body: base.body, updateBody: base.update?.body ?? "" };
}

export function toHttpRequest({ base, body, updateBody }: RequestDraft): HttpRequest {
  const { update, ...rest } = base;
  return { ...rest, body, ...(update && { update: { ...update, body: updateBody } }) };
}

export type ChannelDraft = Omit<
  ChannelInput,
  "request" | "dropThreshold" | "periodDays" | "minSampleSize"
> & {
  /** A new channel's type is still to be chosen. */
  isNew: boolean;
  type: ChannelType;
  url: string;
  headers: string;
  token: string;
  request: RequestDraft;
  chat: string;
  to: string;
  digest: DigestRhythm | null;
  digestAt: string;
  timeZone: string;
  dropThreshold: string;
  periodDays: string;
  minSampleSize: string;
};

export const emptyChannelDraft: ChannelDraft = {
  isNew: true,
  type: "webhook",
  name: "",
  url: "",
  headers: "",
  token: "",
  request: toRequestDraft({ method: "POST", body: '{ "text": "{{heading}}" }' }),
  chat: "",
  to: "",
  digest: null,
  digestAt: "09:00",
  timeZone: Intl.DateTimeFormat().resolvedOptions().timeZone,
  events: ["review.created", "review.updated", "review.rating_drop"],
  apps: null,
  stars: null,
  topics: null,
  filter: null,
  view: null,
  translate: false,
  dropThreshold: "0.1",
  periodDays: "7",
  minSampleSize: "30",
};

export function toChannelDraft(channel: Channel): ChannelDraft {
  const { name, type, url, recipients, translate } = channel;
  const { events, apps, stars, topics, filter, view } = channel;
  const chosen = recipients.join(", ");
  const { digest, digestAt, timeZone } = channel;
  return {
    ...{ isNew: false, name, type, url, headers: "", token: "", chat: chosen, to: chosen },
    request: channel.request ? toRequestDraft(channel.request) : emptyChannelDraft.request,
    ...{ digest, digestAt, timeZone },
    ...{ events, apps, stars, topics, filter, view, translate },
    dropThreshold: String(channel.dropThreshold),
    periodDays: String(channel.periodDays),
    minSampleSize: String(channel.minSampleSize),
  };
}

/** The request body; the service validates it. */
export function toChannelInput(draft: ChannelDraft): ChannelInput {
  const { isNew, name, type, digest, digestAt, timeZone } = draft;
  return {
    ...toChannelFilters(draft),
    name: name.trim(),
    ...(isNew && { type }),
    ...toDestinationInput(draft),
    // A webhook sends each event: the contract knows no other.
    ...(type !== "webhook" && { digest, digestAt, timeZone }),
  };
}

/** The fields that were changed since the form was opened. A secret URL, which is shown in part, is not sent back. */
export function toChannelChange(opened: ChannelDraft, draft: ChannelDraft): Partial<ChannelInput> {
  const before: Partial<Record<string, unknown>> = toChannelInput(opened);
  const changed = Object.entries(toChannelInput(draft)).filter(
    ([name, value]) => JSON.stringify(value) !== JSON.stringify(before[name]),
  );
  return Object.fromEntries(changed);
}

function toDestinationInput(draft: ChannelDraft): Partial<ChannelInput> {
  const { type, url, headers, token, chat, to } = draft;
  switch (type) {
    case "http":
      return {
        request: toHttpRequest(draft.request),
        url: url.trim(),
        ...(headers.trim() !== "" && { headers }),
        ...(token.trim() !== "" && { token: token.trim() }),
      };
    case "telegram":
      // Without another token, the one that is there stays.
      return { ...(token.trim() !== "" && { token: token.trim() }), chat: chat.trim() };
    case "email":
      return { to };
    case "webhook":
    case "slack":
    case "discord":
    case "teams":
      return { url: url.trim() };
  }
}

export function toChannelFilters(draft: ChannelDraft): ChannelFilters {
  const { events, apps, stars, topics, filter = null, view = null, translate } = draft;
  return {
    ...{ events, apps, stars, topics, filter, view, translate },
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
