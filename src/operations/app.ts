// Apps that a workspace follows: on the public listing that all workspaces share, on a private one that is read through the
// workspace's own account, or on one that is never collected and only holds imports.
import { z } from "zod";
import type { Database, DatabaseTransaction } from "../database/database.ts";
import { AppError } from "../domain/error.ts";
import { type App, appInputSchema, type Listing } from "../domain/feed/listing.ts";
import type { StoreId } from "../domain/store/store-id.ts";
import { storeTraits } from "../domain/store/store-traits.ts";
import { failField, notFound } from "../domain/validation-errors.ts";
import { formatTimestamp } from "../lib/timestamp.ts";
import { uuidV7 } from "../lib/uuid.ts";
import { chooseRegions, type Regions, syncFeeds } from "../use-cases/apps/app-regions.ts";
import { lockApp, releaseListing } from "../use-cases/apps/apps.ts";
import { removedBatchSize } from "../use-cases/apps/removed-listings.ts";
import { type AppDetails, lookUpApp, type StoreAppLookup } from "../use-cases/apps/store-lookup.ts";
import { limitCount } from "./limit-count.ts";
import { action, creation, defineNoun, type OperationContext, readSaved } from "./operation.ts";

const { store, externalId, name, countries, languages, credential } = appInputSchema.shape;

export const isCollected = z
  .boolean({ error: "must be true or false" })
  .default(true)
  .describe("false: nothing is read from the store, the app holds imports only.");

const newAppSchema = z
  .strictObject({
    store,
    externalAppId: externalId,
    name: name.default(null),
    countries: countries.default(null),
    languages: languages.default(null),
    foundIn: z
      .string()
      .max(20)
      .nullable()
      .default(null)
      .describe("A storefront that sells the app: followed before the store's defaults."),
    isCollected,
    credentialId: credential.default(null),
  })
  .meta({ id: "AppInput" });
type NewApp = z.output<typeof newAppSchema>;

export const appNoun = defineNoun<App>({
  noun: "app",
  plural: "apps",
  path: "apps",
  find: (database, ref) => database.findApp(ref),
  lock: async (tx, ref) => (await lockApp(tx, ref)).app,
  list: (database, workspaceId) => database.listApps({ workspaceId }),
  toView,
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
});

function toView(app: App) {
  const { id, store, externalAppId, name, countries, languages, credentialId = null } = app;
  const isCollected = countries.length + languages.length > 0 || credentialId !== null;
  const shown = { id, store, externalAppId, name, countries, languages, isCollected, credentialId };
  return { ...shown, addedAt: formatTimestamp(app.addedAt) };
}

type Lookup = { details: AppDetails | null; warnings: string[]; regions: Regions };

export const addApp = creation(appNoun, {
  verb: "create",
  summary: "Follow an app",
  description: "The store is asked for the app, and its reviews are read from now on.",
  role: "member",
  scope: "manage",
  limits: [{ perMinute: 60, by: "workspace" }],
  audit: "app.added",
  notifies: "feeds",
  schema: newAppSchema,
  async prepare({ deps }, input): Promise<Lookup> {
    const { isCollected, credentialId } = input;
    const stores = await deps.loadStores();
    const idCheck = stores[input.store].validateAppId(input.externalAppId);
    if (!idCheck.ok) failField("externalAppId", idCheck.reason);
    if (credentialId !== null && !isCollected)
      failField("isCollected", "an app with a credential has to be collected");
    const { regions, warnings } = regionsOf(input);
    // An account may know apps that no storefront sells yet: its first crawl finds out.
    if (!isCollected || regions.countries.length === 0) return { regions, warnings, details: null };
    const found = await confirmApp(stores[input.store], { ...input, regions });
    const all = found.warning === null ? warnings : [...warnings, found.warning];
    return { regions, warnings: all, details: found.details };
  },
  async run(context, { input, prepared }) {
    const { tx, workspaceId, actor, now } = context;
    const { details, regions, warnings } = prepared;
    const { store, externalAppId, name, credentialId } = input;
    // It opens every app of the owner's account at the store.
    if (credentialId !== null && actor.kind === "user" && actor.role !== "owner")
      throw new AppError("forbidden", "only an owner of the workspace may use its store accounts");
    limitCount(context, "apps");
    if (await tx.isAppFollowed({ workspaceId, store, externalAppId })) throw followed(input);
    const listing = await lockOrCreateListing(context, input);
    const id = uuidV7(now);
    const row = { id, workspaceId, listingId: listing.id, name, ...regions, addedAt: now };
    if (!(await tx.insertApp(row))) throw followed(input);
    if (details) await tx.saveListingDetails({ id: listing.id, ...details });
    await syncFeeds(tx, { listing, now });
    const result = await readSaved(appNoun, tx, { id, workspaceId });
    const detail = { name: result.name, store, externalAppId };
    return { result, id, detail, warning: join(warnings) };
  },
});

/** Omitted fields stay. New regions are read from the beginning; those without followers are no longer read. */
export const changeApp = action(appNoun, {
  verb: "change",
  summary: "Change an app",
  description: "Fields that are left out stay as they are.",
  role: "member",
  scope: "manage",
  audit: "app.updated",
  notifies: "feeds",
  schema: z
    .strictObject({
      name,
      countries: countries.unwrap().describe(countries.description ?? ""),
      languages: languages.unwrap().describe(languages.description ?? ""),
    })
    .partial()
    .meta({ id: "AppChange" }),
  async run({ tx, now }, { before, input }) {
    const { id, workspaceId } = before;
    const { countries = null, languages = null } = input;
    const changesRegions = countries !== null || languages !== null;
    const listing = await requireListing(tx, before);
    if (changesRegions && (await tx.listFeeds(listing.id)).length === 0)
      throw new AppError("conflict", "nothing is collected for this app: it only holds imports");
    const { regions, warnings } = chooseRegions(before.store, { countries, languages });
    await tx.updateApp({
      id,
      workspaceId,
      name: input.name,
      countries: countries === null ? before.countries : regions.countries,
      languages: languages === null ? before.languages : regions.languages,
      now,
    });
    if (changesRegions) await syncFeeds(tx, { listing, now });
    const result = await readSaved(appNoun, tx, before);
    return { result, detail: {}, warning: join(warnings) };
  },
});

/**
 * The listing keeps the feeds that other workspaces follow; without any other app it is removed with its reviews. Those of a
 * large one go in the background, or with `deleteRemovedListings`.
 */
export const removeApp = action(appNoun, {
  verb: "delete",
  summary: "Unfollow an app",
  description: "Its reviews are no longer shown, and channels that name it alone send nothing.",
  role: "owner",
  scope: "manage",
  isSensitive: true,
  audit: "app.removed",
  async run({ tx, now }, { before }) {
    const listing = await requireListing(tx, before);
    await tx.deleteApp(before.id);
    await releaseListing(tx, { listing, now });
    const { store, externalAppId } = before;
    return { result: before, detail: { store, externalAppId } };
  },
  after: ({ deps }, { before }) => deleteFirstRows(deps.database, before.listingId),
});

/** All of what most apps have is gone when the answer comes; the rest goes in the background. */
export async function deleteFirstRows(database: Database, listingId: string): Promise<void> {
  const batch = { id: listingId, limit: removedBatchSize };
  // The second batch finds the end, or that there is more.
  const isLarge =
    (await database.deleteRowsOfRemovedListing(batch)) > 0 &&
    (await database.deleteRowsOfRemovedListing(batch)) > 0;
  if (isLarge) await database.notify("removals", listingId);
}

/** The listing of an app that the frame has locked together with it. */
async function requireListing(tx: DatabaseTransaction, { listingId }: App): Promise<Listing> {
  const listing = await tx.lockListing(listingId);
  if (!listing) throw new Error("the listing of a locked app is missing");
  return listing;
}

function regionsOf(input: NewApp): { regions: Regions; warnings: string[] } {
  const { store, countries, languages, foundIn, credentialId } = input;
  if (!input.isCollected) {
    const warning = "storefronts and languages are ignored: nothing is collected";
    const isChosen = countries !== null || languages !== null;
    return { regions: { countries: [], languages: [] }, warnings: isChosen ? [warning] : [] };
  }
  if (credentialId === null) return chooseRegions(store, { countries, languages, foundIn });
  // An account has no ratings: those come from the public pages of the storefronts that are named.
  return {
    regions: { countries: countries ?? [], languages: [] },
    warnings: [
      ...(languages ? ["languages are ignored: an account covers all reviews"] : []),
      ...(countries ? [] : ["no ratings are read: name storefronts to have them"]),
    ],
  };
}

function join(warnings: readonly string[]): string | null {
  return warnings.length > 0 ? warnings.join("; ") : null;
}

async function confirmApp(
  store: StoreAppLookup,
  app: NewApp & { regions: Regions },
): Promise<{ details: AppDetails | null; warning: string | null }> {
  const { externalAppId, regions } = app;
  const result = await lookUpApp(store, { externalAppId, countries: regions.countries });
  switch (result.kind) {
    case "found":
      return { details: result.details, warning: null };
    case "unknown":
      return {
        details: null,
        warning: `the store could not confirm this app yet: ${result.reason}`,
      };
    case "absent": {
      const hasStorefronts = storeTraits[app.store].soleRegion === null;
      const where = hasStorefronts ? ` in ${result.countries.join(", ")}` : "";
      const { note = hasStorefronts ? "name a storefront that sells it" : "check its id" } = result;
      const message = `${app.store} has no app ${externalAppId}${where}; ${note}`;
      throw new AppError("not_found", message, {
        fields: [{ field: "externalAppId", message: `not sold${where}` }],
      });
    }
  }
}

/** The listing, locked: a removal of its last app at this moment must not take it away. */
async function lockOrCreateListing(
  { tx, now, ...context }: OperationContext,
  newApp: NewApp,
): Promise<Listing> {
  const { store, externalAppId, credentialId } = newApp;
  if (credentialId !== null)
    await lockCredential(tx, { store, credentialId, workspaceId: context.workspaceId });
  const isPublic = newApp.isCollected && credentialId === null;
  const workspaceId = isPublic ? null : context.workspaceId;
  const listing = { id: uuidV7(now), store, externalAppId, workspaceId, credentialId, now };
  const locked = await tx.lockListing((await tx.ensureListing(listing)).id);
  // Deleted between the two statements: it is made anew, and no other process can know it yet.
  return locked ?? tx.ensureListing(listing);
}

/** A credential of another workspace is not found. */
async function lockCredential(
  tx: DatabaseTransaction,
  newApp: { credentialId: string; workspaceId: string; store: StoreId },
): Promise<void> {
  const { credentialId: id, workspaceId, store } = newApp;
  const credential = await tx.lockCredential({ id, workspaceId });
  if (!credential) throw notFound("credential", id);
  if (credential.store !== store)
    failField("credentialId", `is for ${credential.store}, not ${store}`);
}

function followed(app: { store: StoreId; externalAppId: string }): AppError {
  const message = `the workspace follows ${app.externalAppId} of ${app.store} already`;
  return new AppError("conflict", message);
}
