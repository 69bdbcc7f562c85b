// The file that holds the set-up of a workspace: its sections and their fields, and the JSON Schema for editors.
import { z } from "zod";
import { channelLimits } from "../../domain/channel/channel.ts";
import { appInputSchema } from "../../domain/feed/listing.ts";
import { listSchema, nameSchema, oneOfSchema } from "../../domain/fields.ts";
import { memberRoles } from "../../domain/people/user.ts";
import { savedViewSchema } from "../../domain/review/saved-view.ts";
import { storeIds } from "../../domain/store/store-id.ts";
import { lazy } from "../../lib/lazy.ts";
import { isCollected } from "../../operations/app.ts";
import { newChannelSchema } from "../../operations/channel.ts";
import { type JsonSchema, toJsonSchema } from "../../operations/json-schema.ts";
import { nouns, type SetupSection } from "../../operations/operations.ts";

const entriesMax = 1_000;
const { store, externalId, name, countries, languages } = appInputSchema.shape;

/** `appstore/1234567890`: ids differ between installations. */
const appReference = z
  .string({ error: "must be apps, written STORE/ID" })
  .regex(new RegExp(`^(${storeIds.join("|")})\\/[\\w.]+$`), {
    error: "must be apps, written STORE/ID",
  });

const appEntry = z
  .strictObject({
    store,
    externalAppId: externalId,
    name: name.optional(),
    countries: countries.optional(),
    languages: languages.optional(),
    isCollected,
    credential: nameSchema().optional().describe("The name of a store credential."),
  })
  .meta({ id: "SetupApp" });
const channelEntry = newChannelSchema
  .extend({
    apps: listSchema(appReference, { max: channelLimits.appsMax })
      .nullable()
      .optional()
      .describe("Apps, written STORE/ID; null for all."),
  })
  .meta({ id: "SetupChannel" });
const memberEntry = z
  .strictObject({ email: z.string().max(400), role: oneOfSchema(memberRoles) })
  .meta({ id: "SetupMember" });

const coreSections = z.strictObject({
  workspace: nameSchema().optional().describe("The name of the workspace."),
  apps: listOf(appEntry, "The apps that are followed."),
  views: listOf(
    savedViewSchema.meta({ id: "SetupView" }),
    "Saved views of the Reviews page. In `query`, an app is written STORE/ID.",
  ),
  channels: listOf(
    channelEntry,
    "Channels by name. A secret is written `env:NAME` or `file:PATH`.",
  ),
  members: listOf(memberEntry, "Roles of people who are members already."),
});

/** Those of features. */
export function listSetupSections(): SetupSection[] {
  return nouns.flatMap(({ setup }) => setup ?? []);
}

/** With the sections of features. */
export const setupSchema = lazy(() =>
  coreSections.extend(
    Object.fromEntries(
      listSetupSections().map(({ field, entry, description }) => [
        field,
        listOf(entry, description),
      ]),
    ),
  ),
);

function listOf<Entry extends z.ZodType>(entry: Entry, description: string) {
  return listSchema(entry, { max: entriesMax }).optional().describe(description);
}

export type Setup = z.output<typeof coreSections>;
/** The entries of a feature's section; undefined without it. */
export function entriesOf(
  setup: Setup,
  { field }: SetupSection,
): readonly NamedEntry[] | undefined {
  return (setup as Record<string, unknown>)[field] as readonly NamedEntry[] | undefined;
}

type NamedEntry = { name: string } & Record<string, unknown>;
export type AppEntry = z.output<typeof appEntry>;
export type ChannelEntry = z.output<typeof channelEntry>;

/** For editors. */
export function describeSetup(): JsonSchema {
  return {
    $schema: "https://json-schema.org/draft/2020-12/schema",
    title: "The set-up of a Starpost workspace",
    ...toJsonSchema(setupSchema()),
  };
}
