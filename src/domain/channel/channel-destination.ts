// Where the messages of a channel go: the checks of what people enter, what of it is shown again, and what is a secret. Which
// hosts a type may use is the matter of delivery/channel-types/.
import { z } from "zod";
import { canParseUrl } from "../../lib/urls.ts";
import { listSchema, splitList, unique } from "../fields.ts";
import {
  type ChannelType,
  channelTypeIds,
  channelTypes,
  type DestinationField,
  type DestinationKind,
  type DestinationName,
} from "./channel-types.ts";

export const destinationLimits = { urlMax: 2_048, recipientsMax: 20, addressMax: 254 } as const;
const { urlMax, recipientsMax, addressMax } = destinationLimits;

/** All fields of all types; each type takes its own. */
export type DestinationInput = {
  url?: string | undefined;
  /** HTTP: `Name: value` lines. */
  headers?: string | undefined;
  /** Telegram: the token of the bot, and the chat's id or @name. HTTP: the value of {{token}}. */
  token?: string | undefined;
  chat?: string | undefined;
  /** E-mail addresses with commas. */
  to?: string | undefined;
};

export type Destination = {
  /** As people see it: of a URL that is a secret, the host and the last characters. */
  url: string;
  /** Its recipients: a chat, or e-mail addresses. */
  recipients: string[];
  /** The part that only the sender reads: a URL or token. null for the types whose secret is generated here. */
  secret: string | null;
};

const url = z
  .string({ error: "is required" })
  .trim()
  .min(1, { error: "is required" })
  .max(urlMax, { error: `must not be longer than ${urlMax} characters` })
  // URL parsers drop control characters, and the database refuses some of them.
  .refine((text) => !/\p{C}/u.test(text), { error: "must not hold control characters" });

/** A secret URL as it is shown is refused: it would replace the secret by a part of it. */
const secretUrl = url
  .refine((text) => canParseUrl(text), { error: "this is not a URL" })
  .refine((text) => !isMask(text), {
    error: "is shown in part only: enter the whole URL, or leave it out to keep it",
  });

const token = z
  .string({ error: "is required" })
  .trim()
  .regex(/^\d{3,20}:[\w-]{20,100}$/, {
    error: "must be a bot's token as BotFather shows it, like 123456:ABC…",
  });

const chat = z
  .string({ error: "is required" })
  .trim()
  .regex(/^(-?\d{1,20}|@\w{4,32})$/, {
    error: "must be a chat's id, like -1001234567890, or a channel's @name",
  });

const headersMax = 20;
/** Headers of the connection and of the body, which the sender sets. */
const ownHeaders =
  /^(host|connection|content-length|transfer-encoding|te|trailer|upgrade|expect|user-agent|proxy-.*)$/i;

const headers = z
  .string()
  .transform((text) =>
    text
      .split("\n")
      .map((line) => line.trim())
      .filter((line) => line !== ""),
  )
  .pipe(
    listSchema(
      z
        .string()
        .max(4_096, { error: "a line is too long", abort: true })
        .regex(/^[A-Za-z0-9-]{1,60}:/, { error: "must be lines like Name: value", abort: true })
        .regex(/^[^:]*:[\x20-\x7e]*[\x21-\x7e]$/, {
          error: "must have values of ASCII characters: encode others, as the service expects them",
        })
        .refine((line) => !ownHeaders.test(nameOf(line)), {
          error: "must not have headers that the sender sets, such as Host",
        }),
      { max: headersMax, error: `must be at most ${headersMax} lines` },
    ).refine((lines) => new Set(lines.map(nameOf)).size === lines.length, {
      error: "must not name a header twice",
    }),
  );

function nameOf(line: string): string {
  return line.slice(0, line.indexOf(":")).toLowerCase();
}

/** In a header and in the template. */
const anyToken = z
  .string()
  .trim()
  .regex(/^[\x21-\x7e]{0,2048}$/, { error: "must be a token without spaces" });

// No list of what is allowed: mail servers judge. Quotes, brackets and line ends could change the message.
const address = z
  .string()
  .max(addressMax, { error: `an address must not be longer than ${addressMax} characters` })
  .regex(/^[^\s@<>()[\]\\,;:"\p{C}]+@[^\s@<>()[\]\\,;:"\p{C}]+$/u, {
    error: "must be e-mail addresses with commas",
  });

const to = z
  .string({ error: "is required" })
  .transform((text) => unique(splitList(text)))
  .pipe(
    listSchema(address, {
      max: recipientsMax,
      error: `must be at most ${recipientsMax} addresses`,
    }).refine(({ length }) => length > 0, { error: "is required" }),
  );

const schemaOfKind: Readonly<Record<DestinationKind, z.ZodType>> = {
  url,
  secretUrl,
  botToken: token,
  chat,
  addresses: to,
  headers: headers.optional(),
  token: anyToken.optional(),
};

type DestinationSchema = z.ZodObject<{
  [Name in DestinationName]: z.ZodType<DestinationFields[Name]>;
}>;

/** Each type with the fields that it takes. */
export const destinationSchemas = Object.fromEntries(
  channelTypeIds.map((type) => {
    const fields = Object.entries<DestinationField>(channelTypes[type].fields);
    const shape = fields.map(([name, { kind }]) => [name, schemaOfKind[kind]]);
    return [type, z.object(Object.fromEntries(shape)) as unknown as DestinationSchema];
  }),
) as Record<ChannelType, DestinationSchema>;

/** The output of a type's schema. */
export type DestinationFields = {
  url?: string | undefined;
  headers?: string[] | undefined;
  token?: string | undefined;
  chat?: string | undefined;
  to?: string[] | undefined;
};

/** Whether an edit names another destination than the channel has; a form also sends back what it shows. */
export function namesOtherDestination(
  { url, recipients }: Omit<Destination, "secret">,
  input: DestinationInput,
): boolean {
  const isSame = (text: string | undefined): boolean =>
    text === undefined || unique(splitList(text)).join() === recipients.join();
  const isUrlSame = input.url === undefined || input.url === url;
  const hasSecret = input.token !== undefined || input.headers !== undefined;
  return !(isUrlSame && !hasSecret && isSame(input.chat) && isSame(input.to));
}

/** Puts together what a type's schema made of its fields; those that are left out stay as before. */
export function toDestination(
  type: ChannelType,
  fields: DestinationFields,
  before: Omit<Destination, "secret"> | null,
): Destination {
  const { url, token = null, chat, to } = fields;
  const urlBefore = before?.url ?? "";
  const recipients = chat ? [chat] : (to ?? before?.recipients ?? []);
  const { url: field }: Partial<Record<DestinationName, DestinationField>> =
    channelTypes[type].fields;
  if (!field) return { url: "", recipients, secret: token };
  if (field.kind === "url") return { url: url ?? urlBefore, recipients: [], secret: null };
  const sealed = url !== undefined && type === "http" ? sealedFormOf(fields) : url;
  return {
    url: url === undefined ? urlBefore : maskUrl(url),
    recipients: [],
    secret: sealed ?? null,
  };
}

/** URL, headers and token of an HTTP channel are one secret: a token never goes to a URL that came later. */
const httpSecret = z.object({ url: z.string(), headers: z.array(z.string()), token: z.string() });

function sealedFormOf({ url, headers = [], token = "" }: DestinationFields): string {
  return JSON.stringify({ url, headers, token });
}

/** A sentence about headers and token of an HTTP channel that another URL comes without; null where none go. */
export function describeDropped(secret: string, entered: DestinationFields): string | null {
  const { headers, token } = httpSecret.parse(JSON.parse(secret));
  const had = { headers: headers.length > 0, token: token !== "" };
  const names = (["headers", "token"] as const).filter(
    (name) => had[name] && entered[name] === undefined,
  );
  if (names.length === 0) return null;
  return `Removed with the former URL: ${names.join(" and ")}. If the service needs them, enter them together with the URL.`;
}

/** The headers as names and values in turn, with the token in them; `{{delivery}}` is replaced for each request. */
export function parseHttpSecret(secret: string): z.infer<typeof httpSecret> {
  const { url, headers, token } = httpSecret.parse(JSON.parse(secret));
  const own = ["Content-Type: application/json", "Idempotency-Key: {{delivery}}"];
  const lines = [...own, ...headers];
  const last = new Map(lines.map((line) => [nameOf(line), line]));
  const pairs = [...last.values()].flatMap((line) => {
    const at = line.indexOf(":");
    const value = line.slice(at + 1).trim();
    return [line.slice(0, at), value.replaceAll("{{token}}", token)];
  });
  return { url, headers: pairs, token };
}

/** The fields of a destination as people see them. */
export function shownDestination(
  channel: Pick<Destination, "url" | "recipients"> & { type: ChannelType },
): DestinationInput {
  if (channel.type === "telegram") return { chat: channel.recipients[0] ?? "" };
  if (channel.type === "email") return { to: channel.recipients.join(",") };
  return { url: channel.url };
}

const shownCount = 4;

/** Also as programs and people write it: encoded, or with three points. */
function isMask(text: string): boolean {
  return /…|%e2%80%a6|\/\.\.\./i.test(text);
}

/** Enough to distinguish two, and not enough to post with. */
function maskUrl(text: string): string {
  const { origin, pathname, search } = new URL(text);
  return `${origin}/…${(pathname + search).slice(-shownCount)}`;
}

/** Where a channel's messages go, in one line for people. */
export function describeDestination(channel: {
  type: ChannelType;
  url: string;
  recipients: readonly string[];
}): string {
  if (channel.type === "telegram") return `chat ${channel.recipients.join(", ")}`;
  return channel.url || channel.recipients.join(", ");
}
