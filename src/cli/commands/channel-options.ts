// The options of a channel, the same for creating and updating one.

import { type ChannelInput, channelEventNames } from "../../domain/channel/channel.ts";
import type { DestinationInput } from "../../domain/channel/channel-destination.ts";
import {
  channelNumbers,
  channelTypeIds,
  type DestinationName,
  destinationFieldsOf,
  mapChannelNumbers,
} from "../../domain/channel/channel-types.ts";
import { httpPresets } from "../../domain/channel/http-presets.ts";
import type { HttpPreset } from "../../domain/channel/http-request.ts";
import { failField } from "../../domain/validation-errors.ts";
import { parseJson } from "../../lib/json.ts";
import { list, listOrAll, number, numbersOrAll, type OptionValues, optional } from "../option.ts";

function typesWith(field: DestinationName): string {
  return channelTypeIds.filter((type) => destinationFieldsOf(type).includes(field)).join(", ");
}

export const destinationOptions = {
  url: optional("--url <url>", `Where events are sent: ${typesWith("url")}.`),
  headers: optional("--headers <lines>", "Name: value, one on each line, with {{token}}: http."),
  token: optional("--token <token>", "The token of the bot: telegram; or of the service: http."),
  chat: optional("--chat <chat>", "The id or @name of the chat: telegram."),
  to: optional("--to <addresses>", "E-mail addresses with commas: email."),
};

export const requestOptions = {
  preset: optional(
    "--preset <name>",
    `The request of a service, for the type http: ${httpPresets.map(({ id }) => id).join(", ")}.`,
  ),
  request: optional("--request <json>", "A request of your own: http."),
};

export const filterOptions = {
  events: {
    ...list("--events <names>", `${channelEventNames.join(", ")}.`),
    values: channelEventNames,
  },
  apps: { ...listOrAll("--apps <apps>", "Apps with commas, or all."), refersTo: "app" as const },
  stars: numbersOrAll("--stars <numbers>", "Ratings 1 to 5 with commas, or all."),
  topics: listOrAll("--topics <names>", "Any of these topics with commas, or all."),
  filter: optional(
    "--filter <parameters>",
    "Further filters as the Reviews page has them in its URL, like country=de&sentiment=negative; all ends them.",
  ),
  view: optional(
    "--view <view>",
    "A saved view whose filters apply instead, by id or name, also when they change; none ends it.",
  ),
  ...mapChannelNumbers((name) => {
    const { flags, option, fallback } = channelNumbers[name];
    return number(flags, `${option} (${fallback}).`);
  }),
};

export const digestOptions = {
  digest: optional(
    "--digest <rhythm>",
    "A daily or weekly digest instead of each event; off ends it.",
  ),
  at: {
    ...optional("--at <time>", "When digests are sent, HH:MM (09:00); weekly ones on Monday."),
    field: "digestAt",
  },
  timezone: {
    ...optional("--timezone <name>", "The time zone of --at, like Europe/Berlin (UTC)."),
    field: "timeZone",
  },
};

type Filters = OptionValues<typeof filterOptions> & {
  name?: string | undefined;
  type?: string | undefined;
  translate?: boolean | undefined;
} & Partial<OptionValues<typeof digestOptions>> &
  Partial<OptionValues<typeof requestOptions>> &
  DestinationInput;

const fieldNames = [
  "name",
  "translate",
  ...Object.keys(destinationOptions),
  ...Object.keys(filterOptions),
];

/** The options that were set: the others change nothing. Which values there are is checked with the rest. */
export function parseChannelOptions(values: Filters): Partial<ChannelInput> {
  const { digest, at: digestAt, timezone: timeZone, filter, view, ...rest } = values;
  const { preset, request, ...others } = rest;
  // Headers are kept with the URL, and replaced with it.
  const headers =
    others.headers ?? (others.url === undefined ? undefined : findPreset(preset)?.headers);
  const named = Object.entries(others).filter(([name]) => fieldNames.includes(name));
  const entries = [
    ...named,
    ["headers", headers],
    ["request", request === undefined ? findPreset(preset)?.request : parseRequest(request)],
    ["filter", filter === "all" ? null : filter],
    ["view", view === "none" ? null : view],
    ["digest", digest === "off" ? null : digest],
    ["digestAt", digestAt],
    ["timeZone", timeZone],
  ];
  return Object.fromEntries(entries.filter(([, value]) => value !== undefined));
}

/** @throws AppError `invalid_input` for a name that no preset has */
function findPreset(name: string | undefined): HttpPreset | undefined {
  const preset = httpPresets.find(({ id }) => id === name);
  if (name !== undefined && !preset)
    failField("preset", `must be one of ${httpPresets.map(({ id }) => id).join(", ")}`);
  return preset;
}

/** @throws AppError `invalid_input` */
function parseRequest(text: string): unknown {
  return parseJson(text) ?? failField("request", "is not JSON");
}
