// The file that holds the set-up of a workspace: its sections and their fields, and the JSON Schema for editors.
import { z } from "zod";
import { nameSchema, oneOfSchema } from "../../domain/fields.ts";
import { appInputSchema } from "../../domain/listing.ts";
import { ownTopicSchema } from "../../domain/own-topic.ts";
import { savedViewSchema } from "../../domain/review-work.ts";
import { memberRoles } from "../../domain/user.ts";
import { channelResource, newChannelSchema } from "./channels.ts";
import { type JsonSchema, toJsonSchema } from "./json-schema.ts";

const entriesMax = 1_000;
const { store, externalId, name, countries, languages } = appInputSchema.shape;

/** `appstore/1234567890`: ids differ between installations. */
const appReference = z
  .string({ error: "must be apps, written STORE/ID" })
  .regex(/^(appstore|googleplay)\/[\w.]+$/, { error: "must be apps, written STORE/ID" });

const appEntry = z.strictObject({
  store,
  externalAppId: externalId,
  name: name.optional(),
  countries: countries.optional(),
  languages: languages.optional(),
  isCollected: z.boolean({ error: "must be true or false" }).default(true),
  /** The name of a store credential. */
  credential: nameSchema().optional(),
});
const channelEntry = newChannelSchema.extend({ apps: z.array(appReference).nullable().optional() });
const memberEntry = z.strictObject({ email: z.string().max(400), role: oneOfSchema(memberRoles) });

export const setupSchema = z.strictObject({
  workspace: nameSchema().optional(),
  apps: z.array(appEntry).max(entriesMax).optional(),
  topics: z.array(ownTopicSchema).max(entriesMax).optional(),
  views: z.array(savedViewSchema).max(entriesMax).optional(),
  channels: z.array(channelEntry).max(entriesMax).optional(),
  members: z.array(memberEntry).max(entriesMax).optional(),
});

export type Setup = z.output<typeof setupSchema>;
export type AppEntry = z.output<typeof appEntry>;
export type ChannelEntry = z.output<typeof channelEntry>;

export const setupDescriptions = {
  workspace: "The name of the workspace.",
  apps: "The apps that are followed.",
  topics: "Topics of the workspace's own.",
  views: "Saved views of the Reviews page. In `query`, an app is written STORE/ID.",
  channels: "Channels by name. A secret is written `env:NAME` or `file:PATH`.",
  members: "Roles of people who are members already.",
};

/** For editors. */
export function describeSetup(): JsonSchema {
  const { properties, ...schema } = toJsonSchema(setupSchema, setupDescriptions);
  const channels = {
    description: setupDescriptions.channels,
    type: "array",
    items: toJsonSchema(channelEntry, channelResource.fieldDescriptions),
  };
  return {
    $schema: "https://json-schema.org/draft/2020-12/schema",
    title: "The set-up of a Starpost workspace",
    ...schema,
    properties: { ...Object(properties), channels },
  };
}
