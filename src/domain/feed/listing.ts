// A listing is one app in one store seen through one source; a workspace's app belongs to exactly one.

import { z } from "zod";
import { idSchema, nameSchema, oneOfSchema } from "../fields.ts";
import { languagesSchema } from "../languages.ts";
import { type Review, regionOf } from "../review/review.ts";
import { type StoreId, storeIds, storeSchema } from "../store/store-id.ts";
import { hasReviewsByLanguage } from "../store/store-traits.ts";
import { storefrontsSchema } from "../store/storefronts.ts";
import type { AppFacts } from "./app-facts.ts";

export type Listing = {
  id: string;
  store: StoreId;
  /** Decimal id in the App Store, package name in Google Play. */
  externalAppId: string;
  /** null: public, shared by all workspaces that follow it; else private to this workspace. */
  workspaceId: string | null;
  /** The workspace's own account that its reviews are read through; without one, the public pages. */
  credentialId?: string | null;
};

/** `appstore/1234567890`: names an app in any installation. */
export function appReferenceOf({
  store,
  externalAppId,
}: {
  store: string;
  externalAppId: string;
}): string {
  return `${store}/${externalAppId}`;
}

/** An app as a workspace sees it: its own row, and the details of its listing. */
export type App = {
  id: string;
  workspaceId: string;
  listingId: string;
  name: string;
  store: StoreId;
  externalAppId: string;
  /** URL; "" until the store named it. */
  iconUrl: string;
  /** Facts of the store; null until it was asked. */
  facts?: AppFacts | null;
  /** The workspace's own account that its reviews are read through; without one, the public pages. */
  credentialId?: string | null;
  /** Storefronts and languages that this workspace follows. */
  countries: string[];
  languages: string[];
  addedAt: Date;
  /** Rises with every change by people, and not with what is collected. */
  version: number;
};

/** Whether a review of a public listing lies in a region that the workspace follows of it. */
export function followsReview(
  app: Pick<App, "store" | "countries" | "languages">,
  review: Pick<Review, "country" | "languageHint">,
): boolean {
  const region = regionOf(review);
  return hasReviewsByLanguage(app.store)
    ? // Reviews of `pt-BR` and `pt` are both of the language `pt`.
      app.languages.some((language) => language.split("-")[0] === region)
    : app.countries.includes(region);
}

/** The app that an event, a digest or a verdict is about. */
export const appNameSchema = z
  .object({
    id: z.string().describe("Identifier of the app."),
    name: z.string(),
    store: storeSchema,
  })
  .meta({ id: "AppName" });

/** The settings of an app that users choose. null means the store's name, or the store's defaults. */
export const appInputSchema = z.object({
  store: oneOfSchema(storeIds).describe("The store that the app is sold in."),
  // Its form depends on the store, whose client checks it.
  externalId: z
    .string({ error: "is required" })
    .trim()
    .describe("The app's identifier inside its store."),
  name: nameSchema().nullable().describe("The name to show; null for the store's name."),
  countries: storefrontsSchema
    .nullable()
    .describe(
      'Storefronts that are read, such as `us`, or `["all"]`; the store\'s defaults without it.',
    ),
  languages: languagesSchema
    .nullable()
    .describe("Google Play: languages that are read; the defaults without it."),
  credential: idSchema
    .nullable()
    .describe("The store credential to read the reviews with, in place of the public pages."),
});

/** Storefronts a new App Store app follows unless others are chosen. */
export const defaultCountries = "us gb ca au de fr es it jp br".split(" ");
/** Languages a new Google Play app follows unless others are chosen. */
export const defaultLanguages = "en es pt de fr it ja ko ru id".split(" ");
