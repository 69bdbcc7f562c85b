// Apps that a workspace follows, as a resource of the API.
import { z } from "zod";
import { AppError } from "../domain/error.ts";
import { type App, appInputSchema } from "../domain/listing.ts";
import { formatTimestamp } from "../lib/timestamp.ts";
import { addApp } from "../use-cases/apps/add-app.ts";
import { lockApp, removeApp } from "../use-cases/apps/apps.ts";
import { changeApp } from "../use-cases/apps/change-app.ts";
import { defineResource, type View } from "./resource.ts";

const { store, externalId, name, countries, languages, credential } = appInputSchema.shape;

export const isCollected = z
  .boolean({ error: "must be true or false" })
  .default(true)
  .describe("false: nothing is read from the store, the app holds imports only.");

export const appResource = defineResource({
  noun: "app",
  plural: "apps",
  path: "apps",
  newSchema: z
    .strictObject({
      store,
      externalAppId: externalId,
      name: name.default(null),
      countries: countries.default(null),
      languages: languages.default(null),
      isCollected,
      credentialId: credential.default(null),
    })
    .meta({ id: "NewApp" }),
  changeSchema: z
    .strictObject({
      name,
      countries: countries.unwrap().describe(countries.description ?? ""),
      languages: languages.unwrap().describe(languages.description ?? ""),
    })
    .partial()
    .meta({ id: "AppChange" }),
  viewSchema: z
    .object({
      id: z.string().describe("Identifier of the app."),
      store,
      externalAppId: externalId,
      name: z.string().describe("The name that is shown."),
      countries: z.array(z.string()).describe("Storefronts that are read."),
      languages: z.array(z.string()).describe("Google Play: languages that are read."),
      isCollected: z.boolean().describe(isCollected.description ?? ""),
      credentialId: credential,
      addedAt: z.iso.datetime().describe("When the app was added."),
    })
    .meta({ id: "ManagedApp" }),
  list: async (database, workspaceId) => (await database.listApps({ workspaceId })).map(toView),
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
  const shown = { id, store, externalAppId, name, countries, languages, isCollected, credentialId };
  return { ...shown, addedAt: formatTimestamp(app.addedAt) };
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
