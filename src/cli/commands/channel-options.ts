// The options of a channel, the same for creating and updating one.
import type { ChannelInput } from "../../domain/channel.ts";
import type { DestinationInput } from "../../domain/channel-destination.ts";
import { list, listOrAll, number, numbersOrAll, type OptionValues, optional } from "../option.ts";

export const destinationOptions = {
  url: optional("--url <url>", "Where events are sent: webhook, slack, discord, teams."),
  token: optional("--token <token>", "The token of the bot: telegram."),
  chat: optional("--chat <chat>", "The id or @name of the chat: telegram."),
  to: optional("--to <addresses>", "E-mail addresses with commas: email."),
};

export const filterOptions = {
  events: list(
    "--events <names>",
    "review.created, review.updated, review.rating_drop, release.worse; but for webhooks also reviews.spike, storefront.failing, channel.failing.",
  ),
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
  dropThreshold: number("--drop-threshold <stars>", "Fall of the average that counts (0.1)."),
  periodDays: number("--period-days <days>", "Days between the compared averages (7)."),
  minSampleSize: number("--min-sample-size <count>", "Ratings that both averages need (30)."),
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
  DestinationInput;

const fieldNames = [
  "name",
  "translate",
  ...Object.keys(destinationOptions),
  ...Object.keys(filterOptions),
];

/** The options that were set: the others change nothing. Which values there are is checked with the rest. */
export function parseChannelOptions(values: Filters): Partial<ChannelInput> {
  const { digest, at: digestAt, timezone: timeZone, filter, view, ...others } = values;
  const named = Object.entries(others).filter(([name]) => fieldNames.includes(name));
  const entries = [
    ...named,
    ["filter", filter === "all" ? null : filter],
    ["view", view === "none" ? null : view],
    ["digest", digest === "off" ? null : digest],
    ["digestAt", digestAt],
    ["timeZone", timeZone],
  ];
  return Object.fromEntries(entries.filter(([, value]) => value !== undefined));
}
