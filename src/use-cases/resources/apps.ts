// Apps that a workspace follows, as a resource of the API.
import { z } from "zod";
import { AppError } from "../../domain/error.ts";
import { type App, appInputSchema } from "../../domain/listing.ts";
import { formatTimestamp } from "../../lib/timestamp.ts";
import { addApp } from "../apps/add-app.ts";
import { lockApp, removeApp } from "../apps/apps.ts";
import { changeApp } from "../apps/change-app.ts";
import { defineResource, type View } from "./resource.ts";

const { store, externalId, name, countries, languages, credential } = appInputSchema.shape;

export const appResource = defineResource({
  noun: "app",
  plural: "apps",
  path: "apps",
  newSchema: z.strictObject({
    store,
    externalAppId: externalId,
    name: name.default(null),
    countries: countries.default(null),
    languages: languages.default(null),
    isCollected: z.boolean({ error: "must be true or false" }).default(true),
    credentialId: credential.default(null),
  }),
  changeSchema: z
    .strictObject({ name, countries: countries.unwrap(), languages: languages.unwrap() })
    .partial(),
  shownFields: { id: "Identifier of the app.", addedAt: "When the app was added." },
  fieldDescriptions: {
    store: "The store that the app is sold in.",
    externalAppId: "The app's identifier inside its store.",
    name: "The name to show; null for the store's name.",
    countries:
      'Storefronts that are read, such as `us`, or `["all"]`; the store\'s defaults without it.',
    languages: "Google Play: languages that are read; the defaults without it.",
    isCollected: "false: nothing is read from the store, the app holds imports only.",
    credentialId: "The store credential to read the reviews with, in place of the public pages.",
  },
  list: async (database, workspaceId) =>
    (await database.listApps({ workspaceId })).map((app) => toView(app)),
  async create(deps, workspaceId, input) {
    const { app, warning } = await withBodyFields(addApp(deps, { ...input, workspaceId }));
    return { view: toView(app), warning };
  },
  async change(deps, place, change) {
    const { app, warning } = await changeApp(deps, { ...place, change });
    return { view: toView(app), warning };
  },
  remove: removeApp,
  lock: lockApp,
});

function toView(app: App): View {
  const { id, store, externalAppId, name, countries, languages, credentialId = null } = app;
  const isCollected = countries.length + languages.length > 0 || credentialId !== null;
  const added = { addedAt: formatTimestamp(app.addedAt) };
  return {
    ...{ id, store, externalAppId, name, countries, languages, isCollected, credentialId },
    ...added,
  };
}

const bodyFields: Readonly<Record<string, string>> = {
  externalId: "externalAppId",
  credential: "credentialId",
  collect: "isCollected",
};

/** The use case names its fields as the command does. */
async function withBodyFields<T>(adding: Promise<T>): Promise<T> {
  try {
    return await adding;
  } catch (error) {
    if (!(error instanceof AppError) || error.fields.length === 0) throw error;
    const fields = error.fields.map(({ field, message }) => ({
      field: bodyFields[field] ?? field,
      message,
    }));
    const message = fields.map((one) => `${one.field}: ${one.message}`).join("; ");
    throw new AppError(error.code, message, { fields });
  }
}
