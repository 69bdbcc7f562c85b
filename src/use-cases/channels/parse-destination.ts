// Checks the fields that people entered for the destination of a channel.
import {
  type Destination,
  type DestinationFields,
  type DestinationInput,
  destinationSchemas,
} from "../../domain/channel/channel-destination.ts";
import { type ChannelType, destinationFieldsOf } from "../../domain/channel/channel-types.ts";
import type { FieldError } from "../../domain/error.ts";
import { hasKnownSecret, secretError } from "../../domain/known-secret.ts";
import { failField, parseInput } from "../../domain/validation-errors.ts";

/** Whether deliveries of a type may go to a URL, or, for e-mail, to an address; else why not, in words. */
export type CheckUrl = (
  url: string,
  type: ChannelType,
) => Promise<{ ok: true } | { ok: false; reason: string }>;

/**
 * Returns all fields of the type for a new channel; of an existing one, only those that change.
 * `toDestination` merges them with the channel.
 *
 * @throws AppError `invalid_input`
 */
export async function parseDestinationFields(
  deps: { checkUrl: CheckUrl },
  entered: {
    type: ChannelType;
    input: DestinationInput;
    before: Omit<Destination, "secret"> | null;
  },
): Promise<DestinationFields> {
  const { type, before } = entered;
  // A URL that was allowed once must not prevent other changes of the channel. The mask of a secret URL is refused.
  const isSame = type === "webhook" && entered.input.url === before?.url;
  const input = isSame ? { ...entered.input, url: undefined } : entered.input;
  const named = Object.entries(input).filter(([, value]) => value !== undefined);
  const known: readonly string[] = destinationFieldsOf(type);
  const foreign = named.filter(([field]) => !known.includes(field));
  const errors: FieldError[] = foreign.map(([field]) => ({
    field,
    message: `a channel of the type ${type} has none`,
  }));
  const schema = before === null ? destinationSchemas[type] : destinationSchemas[type].partial();
  const fields: DestinationFields = parseInput(schema, input, errors);
  const { url } = fields;
  // Secrets that were entered for one URL must not be sent to another.
  if (type === "http" && url === undefined && (fields.headers ?? fields.token) !== undefined)
    failField("url", "must be entered again together with headers and token");
  // Only a new one: a URL that was allowed once must not prevent other changes of the channel.
  if (url !== undefined) {
    if (hasKnownSecret(new URL(url).hostname)) failField("url", secretError);
    const allowed = await deps.checkUrl(url, type);
    if (!allowed.ok) failField("url", allowed.reason);
  }
  for (const address of fields.to ?? []) {
    const allowed = await deps.checkUrl(address, type);
    if (!allowed.ok) failField("to", allowed.reason);
  }
  return fields;
}
