// The types of channels with what people enter for each, and the numbers of a channel's rules. Schemas, the form and the
// options of the command line are made from these two tables; they are plain data, because pages use them as well.

/** The kind of a field. `secretUrl`, `botToken`, `headers` and `token` are secrets: they are kept encrypted, and not shown again. */
export type DestinationKind =
  | "url"
  | "secretUrl"
  | "botToken"
  | "chat"
  | "addresses"
  | "headers"
  | "token";

export type DestinationField = {
  kind: DestinationKind;
  label: string;
  hint: string;
  /** In place of the hint for a channel that exists. */
  keptHint?: string;
  placeholder?: string;
};

export type DestinationName = "url" | "headers" | "token" | "chat" | "to";

type ChannelTypeEntry = {
  /** As people know it. */
  name: string;
  /** In the order of a form. */
  fields: Partial<Record<DestinationName, DestinationField>>;
};

export const channelTypes = {
  webhook: {
    name: "Webhook",
    fields: {
      url: {
        kind: "url",
        label: "Endpoint URL",
        hint: "Each event is sent here as a signed POST",
        placeholder: "https://example.com/reviews",
      },
    },
  },
  slack: {
    name: "Slack",
    fields: chatUrl({
      label: "Slack webhook URL",
      hint: "In your Slack app: Incoming Webhooks, Add New Webhook to Workspace",
      placeholder: "https://hooks.slack.com/services/…",
    }),
  },
  discord: {
    name: "Discord",
    fields: chatUrl({
      label: "Discord webhook URL",
      hint: "In the channel's settings: Integrations, Webhooks, Copy Webhook URL",
      placeholder: "https://discord.com/api/webhooks/…",
    }),
  },
  teams: {
    name: "Microsoft Teams",
    fields: chatUrl({
      label: "Teams workflow URL",
      hint: "In the channel's menu: Workflows, Post to a channel when a webhook request is received",
      placeholder: "https://….logic.azure.com/workflows/…",
    }),
  },
  telegram: {
    name: "Telegram",
    fields: {
      token: {
        kind: "botToken",
        label: "Token of the bot",
        hint: "From @BotFather; the bot must be a member of the chat",
        keptHint: "Kept as it is while this is empty",
      },
      chat: {
        kind: "chat",
        label: "Chat",
        hint: "The chat's id, like -1001234567890, or a channel's @name",
      },
    },
  },
  email: {
    name: "E-mail",
    fields: {
      to: { kind: "addresses", label: "E-mail addresses", hint: "With commas, up to 20" },
    },
  },
  http: {
    name: "Other services",
    fields: {
      url: { kind: "secretUrl", label: "URL of the service", hint: "" },
      headers: {
        kind: "headers",
        label: "Headers",
        hint: "One on each line, like Authorization: Bearer {{token}}. Stored encrypted",
      },
      token: {
        kind: "token",
        label: "Token",
        hint: "Put where {{token}} is. Stored encrypted, never shown again",
      },
    },
  },
} as const satisfies Record<string, ChannelTypeEntry>;

/** A URL that is a secret is shown in part. */
function chatUrl(text: Omit<DestinationField, "kind" | "keptHint"> & { placeholder: string }) {
  const keptHint = `${text.hint}. Kept as it is unless you enter another`;
  return { url: { ...text, kind: "secretUrl" as const, keptHint } };
}

export type ChannelType = keyof typeof channelTypes;

export const channelTypeIds = Object.keys(channelTypes) as [ChannelType, ...ChannelType[]];

/** The fields that a type has, in the order of a form. */
export function destinationFieldsOf(type: ChannelType): DestinationName[] {
  return Object.keys(channelTypes[type].fields) as DestinationName[];
}

/** The numbers of the rule of `review.rating_drop`, in the order of its sentence. */
export const channelNumbers = {
  dropThreshold: {
    fallback: 0.1,
    /** Between one star and five stars there are four. */
    max: 4,
    isWhole: false,
    flags: "--drop-threshold <stars>",
    option: "Fall of the average that counts",
    description: "Rating drops: stars that the average must have fallen by.",
    label: "Fall of the rating in stars",
    wordsBefore: "Alert when the rating falls by",
  },
  periodDays: {
    fallback: 7,
    max: 365,
    isWhole: true,
    flags: "--period-days <days>",
    option: "Days between the compared averages",
    description: "Rating drops: the days over which the average fell.",
    label: "Number of days",
    wordsBefore: "stars within",
  },
  minSampleSize: {
    fallback: 30,
    max: 1_000_000_000,
    isWhole: true,
    flags: "--min-sample-size <count>",
    option: "Ratings that both averages need",
    description: "Rating drops: ratings that both averages must have.",
    label: "Number of ratings",
    wordsBefore: "days, with at least",
  },
} as const;

export type ChannelNumber = keyof typeof channelNumbers;
export const channelNumberNames = Object.keys(channelNumbers) as ChannelNumber[];

/** A value of each number of a channel. */
export function mapChannelNumbers<Value>(
  toValue: (name: ChannelNumber) => Value,
): Record<ChannelNumber, Value> {
  const entries = channelNumberNames.map((name) => [name, toValue(name)]);
  return Object.fromEntries(entries) as Record<ChannelNumber, Value>;
}
