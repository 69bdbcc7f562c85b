// Adds an app to a workspace: on the public listing that all workspaces share, on a private one that is
// read through the workspace's own account, or on one that is never collected and only holds imports.
import type { Database, DatabaseTransaction } from "../../database/database.ts";
import { AppError } from "../../domain/error.ts";
import type { App, Listing } from "../../domain/listing.ts";
import { isStoreId, type StoreId, storeIds } from "../../domain/store-id.ts";
import {
  assertId,
  failField,
  failFields,
  nameLengthMax,
  notFound,
  readName,
} from "../../domain/validation-errors.ts";
import type { Clock } from "../../lib/clock.ts";
import { uuidV7 } from "../../lib/uuid.ts";
import { requireWorkspace } from "../members/workspaces.ts";
import { syncFeeds, type Regions, parseRegions } from "./app-regions.ts";
import { type AppDetails, type StoreAppLookup, lookUpApp } from "./store-lookup.ts";

export type AddAppInput = {
  workspaceId: string;
  store: string;
  externalAppId: string;
  /** null: the store's name is shown. */
  name: string | null;
  /** null: the store's defaults. */
  countries: readonly string[] | null;
  /** Where it was found: asked first, and followed besides the defaults. */
  foundIn?: string | null;
  languages: readonly string[] | null;
  isCollected: boolean;
  /** Reviews are read through this account instead of the store's public pages. */
  credentialId?: string | null;
};

type Rooms = {
  clock: Clock;
  database: Pick<Database, "findWorkspace" | "isAppFollowed" | "transaction" | "notify">;
  stores: Readonly<Record<StoreId, StoreAppLookup>>;
};

/** The app as it is kept, and what its owner should know; null when all went as asked. */
export async function addApp(
  deps: Rooms,
  choice: AddAppInput,
): Promise<{ app: App; warning: string | null }> {
  const read = choice.credentialId
    ? readOfficialChoice(deps.stores, { ...choice, credentialId: choice.credentialId })
    : readChoice(deps.stores, choice);
  const { id: workspaceId } = await requireWorkspace(deps.database, {
    field: "workspace",
    id: choice.workspaceId,
  });
  const wanted = { workspaceId, store: read.store, externalAppId: read.externalAppId };
  if (await deps.database.isAppFollowed(wanted)) throw alreadyFollowed(wanted);
  // An account may know apps that no storefront sells yet: its first pass tells.
  const isAsked = choice.isCollected && read.regions.countries.length > 0;
  const asked = isAsked ? await confirmApp(deps.stores[read.store], read) : notAsked;
  const app = await deps.database.transaction((tx) =>
    saveApp(tx, { ...read, ...wanted, facts: asked.facts, now: deps.clock.now() }),
  );
  await deps.database.notify("feeds");
  await deps.database.notify("apps", workspaceId);
  const warnings = [...read.warnings, ...asked.warnings];
  return { app, warning: warnings.length > 0 ? warnings.join("; ") : null };
}

type ReadChoice = {
  store: StoreId;
  externalAppId: string;
  name: string | null;
  regions: Regions;
  isCollected: boolean;
  credentialId: string | null;
  warnings: string[];
};

function readChoice(stores: Rooms["stores"], choice: AddAppInput): ReadChoice {
  const { store, isCollected } = choice;
  if (!isStoreId(store)) failField("store", `must be one of ${storeIds.join(", ")}`);
  const externalAppId = choice.externalAppId.trim();
  const checkedId = stores[store].validateAppId(externalAppId);
  const { regions, faults, warnings } = parseRegions(store, choice);
  const name = choice.name === null ? null : readName(choice.name, nameLimits);
  failFields([
    ...(checkedId.ok ? [] : [{ field: "externalId", message: checkedId.reason }]),
    ...faults,
    ...(name?.faults ?? []),
  ]);
  const read = {
    store,
    externalAppId,
    name: name?.name ?? null,
    isCollected,
    credentialId: null,
  };
  if (isCollected) return { ...read, regions, warnings };
  const isChosen = choice.countries !== null || choice.languages !== null;
  return {
    ...read,
    regions: { countries: [], languages: [] },
    warnings: isChosen ? ["storefronts and languages are left out: nothing is collected"] : [],
  };
}

/** An account has no ratings: those come from the public pages of the storefronts that are named. */
function readOfficialChoice(
  stores: Rooms["stores"],
  choice: AddAppInput & { credentialId: string },
): ReadChoice {
  const { credentialId, countries, languages, isCollected } = choice;
  assertId("credential", credentialId);
  if (!isCollected) failField("collect", "an app with a credential is there to be collected");
  const read = readChoice(stores, { ...choice, languages: null });
  const regions = { countries: countries ? read.regions.countries : [], languages: [] };
  const warnings = [
    ...(languages ? ["languages are left out: an account knows all reviews"] : []),
    ...(countries ? [] : ["no ratings are read: name storefronts to have them"]),
  ];
  return { ...read, regions, credentialId, warnings };
}

const nameLimits = { field: "name", lengthMax: nameLengthMax };

type Asked = { facts: AppDetails | null; warnings: string[] };
const notAsked: Asked = { facts: null, warnings: [] };

async function confirmApp(store: StoreAppLookup, read: ReadChoice): Promise<Asked> {
  const { externalAppId } = read;
  const answer = await lookUpApp(store, { externalAppId, countries: read.regions.countries });
  switch (answer.kind) {
    case "found":
      return { facts: answer.facts, warnings: [] };
    case "unanswered":
      return {
        facts: null,
        warnings: [`the store could not confirm this app yet: ${answer.reason}`],
      };
    case "absent":
      throw new AppError(
        "not_found",
        `${read.store} has no app ${externalAppId} in ${answer.asked.join(", ")}; name a storefront that sells it`,
        { fields: [{ field: "externalId", message: `not sold in ${answer.asked.join(", ")}` }] },
      );
  }
}

async function saveApp(
  tx: DatabaseTransaction,
  saved: Omit<ReadChoice, "warnings"> & { workspaceId: string; facts: AppDetails | null; now: Date },
): Promise<App> {
  const { workspaceId, now, facts, regions, name } = saved;
  // Asked before without a lock: of two that add the same app through two sources one must see it.
  await tx.lockWorkspace(workspaceId);
  if (await tx.isAppFollowed(saved)) throw alreadyFollowed(saved);
  const listing = await holdListing(tx, saved);
  const id = uuidV7(now);
  const app = { id, workspaceId, listingId: listing.id, name, ...regions, addedAt: now };
  if (!(await tx.insertApp(app))) throw alreadyFollowed(saved);
  if (facts) await tx.saveListingDetails({ id: listing.id, ...facts });
  await syncFeeds(tx, { listing, now });
  const kept = await tx.findApp({ id, workspaceId });
  if (!kept) throw new Error("an app that was just added is gone");
  return kept;
}

/** The listing, locked: a removal of its last app at this moment must not take it away. */
async function holdListing(
  tx: DatabaseTransaction,
  wanted: Pick<Listing, "store" | "externalAppId"> & {
    workspaceId: string;
    isCollected: boolean;
    credentialId: string | null;
    now: Date;
  },
): Promise<Listing> {
  const { store, externalAppId, credentialId, now } = wanted;
  if (credentialId !== null) await holdCredential(tx, { ...wanted, credentialId });
  const isPublic = wanted.isCollected && credentialId === null;
  const workspaceId = isPublic ? null : wanted.workspaceId;
  const listing = { id: uuidV7(now), store, externalAppId, workspaceId, credentialId, now };
  const held = await tx.lockListing((await tx.ensureListing(listing)).id);
  // Deleted between the two statements: it is made anew, and nobody else can know it yet.
  return held ?? tx.ensureListing(listing);
}

/** Another workspace's account is as unknown as none. */
async function holdCredential(
  tx: DatabaseTransaction,
  wanted: { credentialId: string; workspaceId: string; store: StoreId },
): Promise<void> {
  const { credentialId: id, workspaceId, store } = wanted;
  const credential = await tx.lockCredential({ id, workspaceId });
  if (!credential) throw notFound("credential", id);
  if (credential.store !== store)
    failField("credential", `is for ${credential.store}, not ${store}`);
}

function alreadyFollowed(app: { store: StoreId; externalAppId: string }): AppError {
  return new AppError(
    "conflict",
    `the workspace follows ${app.externalAppId} of ${app.store} already`,
  );
}
