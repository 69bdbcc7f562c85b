// The fields of a channel while they are edited. Numbers are texts, because they may be half typed; a new
// channel starts with the service's defaults.

import type {
  Channel,
  ChannelInput,
  ChannelType,
  HttpRequest,
  SavedChannel,
} from "../../../../src/dashboard-api/contract/channels.ts";
import type { ChannelFilters } from "../../../../src/dashboard-api/contract/requests.ts";
import {
  type ChannelNumber,
  channelNumberNames,
  channelNumbers,
  type DestinationName,
  destinationFieldsOf,
  mapChannelNumbers,
} from "../../../../src/domain/channel/channel-types.ts";

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

export type ChannelDraft = Omit<ChannelInput, "request" | ChannelNumber> &
  Record<DestinationName | ChannelNumber, string> & {
    /** A new channel's type is still to be chosen. */
    isNew: boolean;
    type: ChannelType;
    request: RequestDraft;
    digest: DigestRhythm | null;
    digestAt: string;
    timeZone: string;
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
  ...mapChannelNumbers((name) => String(channelNumbers[name].fallback)),
};

export function toChannelDraft(channel: SavedChannel): ChannelDraft {
  const { name, type, url, recipients, translate } = channel;
  const { events, apps, stars, topics, filter, view } = channel;
  const chosen = recipients.join(", ");
  const { digest, digestAt, timeZone } = channel;
  return {
    ...{ isNew: false, name, type, url, headers: "", token: "", chat: chosen, to: chosen },
    request: channel.request ? toRequestDraft(channel.request) : emptyChannelDraft.request,
    ...{ digest, digestAt, timeZone },
    ...{ events, apps, stars, topics, filter, view, translate },
    ...mapChannelNumbers((name) => String(channel[name])),
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
  const { type } = draft;
  const named = destinationFieldsOf(type).flatMap((name) => {
    const value = draft[name].trim();
    // They are not shown: without others, those that are there stay.
    const isKept = value === "" && (name === "headers" || name === "token");
    return isKept ? [] : [[name, value]];
  });
  const request = type === "http" && { request: toHttpRequest(draft.request) };
  return { ...request, ...Object.fromEntries(named) };
}

export function toChannelFilters(draft: ChannelDraft): ChannelFilters {
  const { events, apps, stars, topics, filter = null, view = null, translate } = draft;
  return {
    ...{ events, apps, stars, topics, filter, view, translate },
    ...mapChannelNumbers((name) => Number(draft[name])),
  };
}

/** Whether the filters are complete enough to fetch a preview, while they are edited. */
export function canPreview(filters: ChannelFilters): boolean {
  const { events, apps, stars, topics } = filters;
  return (
    [events, apps, stars, topics].every((selected) => selected === null || selected.length > 0) &&
    channelNumberNames.every((name) => {
      const { max, isWhole } = channelNumbers[name];
      const value = filters[name];
      return value > 0 && value <= max && (!isWhole || Number.isInteger(value));
    })
  );
}
