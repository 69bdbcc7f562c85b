// Adds an app to a workspace: on the public listing that all workspaces share, on a private one that is
// read through the workspace's own account, or on one that is never collected and only holds imports.
import type { Database, DatabaseTransaction } from "../../database/database.ts";
import { AppError } from "../../domain/error.ts";
import { type App, appInputSchema, type Listing } from "../../domain/listing.ts";
import { isStoreId, type StoreId } from "../../domain/store-id.ts";
import { failField, notFound, parseInput } from "../../domain/validation-errors.ts";
import { uuidV7 } from "../../lib/uuid.ts";
import { recordAudit } from "../audit.ts";
import { assertBelowLimit, type LimitedDeps } from "../members/workspace-limits.ts";
import { requireWorkspace } from "../members/workspaces.ts";
import { chooseRegions, type Regions, syncFeeds } from "./app-regions.ts";
import { type AppDetails, lookUpApp, type StoreAppLookup } from "./store-lookup.ts";

export type AddAppInput = {
  workspaceId: string;
  store: string;
  externalAppId: string;
  /** null: the store's name is shown. */
  name: string | null;
  /** null: the store's defaults. */
  countries: readonly string[] | null;
  /** The storefront where it was found: looked up first, and followed besides the defaults. */
  foundIn?: string | null;
  languages: readonly string[] | null;
  isCollected: boolean;
  /** Reviews are read through this account instead of the store's public pages. */
  credentialId?: string | null;
};

export type AddAppDeps = LimitedDeps & {
  database: Pick<Database, "findWorkspace" | "isAppFollowed" | "transaction" | "notify">;
  stores: Readonly<Record<StoreId, StoreAppLookup>>;
  actor: string;
};

/**
 * @returns the app as it is stored, and what its owner should know about it or null
 * @throws AppError `invalid_input`, `not_found` when no storefront sells the app, `conflict` when the
 * workspace follows it already or has as many apps as it may have
 */
export async function addApp(
  deps: AddAppDeps,
  input: AddAppInput,
): Promise<{ app: App; warning: string | null }> {
  const { warnings, ...parsed } = parseAddApp(deps.stores, input);
  const { id: workspaceId } = await requireWorkspace(deps.database, { id: input.workspaceId });
  const newApp = { ...parsed, workspaceId };
  if (await deps.database.isAppFollowed(newApp)) throw alreadyFollowed(newApp);
  // An account may know apps that no storefront sells yet: its first crawl finds out.
  const needsLookup = input.isCollected && parsed.regions.countries.length > 0;
  const found = needsLookup ? await confirmApp(deps.stores[parsed.store], parsed) : null;
  if (found?.warning) warnings.push(found.warning);
  const details = found?.details ?? null;
  const app = await deps.database.transaction((tx) =>
    saveApp(deps, tx, { ...newApp, details, now: deps.clock.now() }),
  );
  await deps.database.notify("feeds");
  return { app, warning: warnings.length > 0 ? warnings.join("; ") : null };
}

type ParsedApp = {
  store: StoreId;
  externalAppId: string;
  name: string | null;
  regions: Regions;
  isCollected: boolean;
  credentialId: string | null;
};

function parseAddApp(
  stores: AddAppDeps["stores"],
  input: AddAppInput,
): ParsedApp & { warnings: string[] } {
  const { isCollected, externalAppId: externalId } = input;
  const credential = input.credentialId || null;
  const idCheck = isStoreId(input.store) && stores[input.store].validateAppId(externalId.trim());
  const parsed = parseInput(appInputSchema, { ...input, externalId, credential }, [
    ...(idCheck && !idCheck.ok ? [{ field: "externalId", message: idCheck.reason }] : []),
    ...(credential && !isCollected
      ? [{ field: "collect", message: "an app with a credential has to be collected" }]
      : []),
  ]);
  return {
    store: parsed.store,
    externalAppId: parsed.externalId,
    name: parsed.name,
    isCollected,
    credentialId: credential,
    ...regionsOf(parsed, input),
  };
}

function regionsOf(
  { store, countries, languages, credential }: ReturnType<typeof appInputSchema.parse>,
  { isCollected, foundIn = null }: Pick<AddAppInput, "isCollected" | "foundIn">,
): { regions: Regions; warnings: string[] } {
  if (!isCollected) {
    const warning = "storefronts and languages are ignored: nothing is collected";
    const isChosen = countries !== null || languages !== null;
    return { regions: { countries: [], languages: [] }, warnings: isChosen ? [warning] : [] };
  }
  if (credential === null) return chooseRegions(store, { countries, languages, foundIn });
  // An account has no ratings: those come from the public pages of the storefronts that are named.
  return {
    regions: { countries: countries ?? [], languages: [] },
    warnings: [
      ...(languages ? ["languages are ignored: an account covers all reviews"] : []),
      ...(countries ? [] : ["no ratings are read: name storefronts to have them"]),
    ],
  };
}

async function confirmApp(
  store: StoreAppLookup,
  app: ParsedApp,
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
      const countries = result.countries.join(", ");
      const message = `${app.store} has no app ${externalAppId} in ${countries}; name a storefront that sells it`;
      throw new AppError("not_found", message, {
        fields: [{ field: "externalId", message: `not sold in ${countries}` }],
      });
    }
  }
}

type NewApp = ParsedApp & { workspaceId: string; now: Date };

async function saveApp(
  deps: AddAppDeps,
  tx: DatabaseTransaction,
  newApp: NewApp & { details: AppDetails | null },
): Promise<App> {
  const { workspaceId, now, details, regions, name } = newApp;
  // The check before this transaction had no lock: of two that add the same app through two sources,
  // one must see the other.
  await assertBelowLimit(deps, tx, { workspaceId, kind: "apps" });
  if (await tx.isAppFollowed(newApp)) throw alreadyFollowed(newApp);
  const listing = await lockOrCreateListing(tx, newApp);
  const id = uuidV7(now);
  const row = { id, workspaceId, listingId: listing.id, name, ...regions, addedAt: now };
  if (!(await tx.insertApp(row))) throw alreadyFollowed(newApp);
  if (details) await tx.saveListingDetails({ id: listing.id, ...details });
  await syncFeeds(tx, { listing, now });
  const { store, externalAppId } = newApp;
  await recordAudit(deps, tx, "app.added", { id, workspaceId }, { store, externalAppId });
  const saved = await tx.findApp({ id, workspaceId });
  if (!saved) throw new Error("an app that was just added is gone");
  return saved;
}

/** The listing, locked: a removal of its last app at this moment must not take it away. */
async function lockOrCreateListing(tx: DatabaseTransaction, newApp: NewApp): Promise<Listing> {
  const { store, externalAppId, credentialId, now } = newApp;
  if (credentialId !== null) await lockCredential(tx, { ...newApp, credentialId });
  const isPublic = newApp.isCollected && credentialId === null;
  const workspaceId = isPublic ? null : newApp.workspaceId;
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
    failField("credential", `is for ${credential.store}, not ${store}`);
}

function alreadyFollowed(app: { store: StoreId; externalAppId: string }): AppError {
  const message = `the workspace follows ${app.externalAppId} of ${app.store} already`;
  return new AppError("conflict", message);
}
