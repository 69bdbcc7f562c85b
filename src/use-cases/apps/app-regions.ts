// Which storefronts and languages an app follows, and the feeds that a listing therefore needs: the
// union over all apps that hang on it.
import type { Statements } from "../../database/database.ts";
import { everywhere } from "../../domain/credential.ts";
import type { FieldError } from "../../domain/error.ts";
import { readLanguages } from "../../domain/languages.ts";
import { defaultCountries, defaultLanguages, type Listing } from "../../domain/listing.ts";
import type { StoreId } from "../../domain/store-id.ts";
import { type ReadRegions, readStorefronts } from "../../domain/storefronts.ts";

export type Regions = { countries: string[]; languages: string[] };

type Chosen = {
  countries: readonly string[] | null;
  languages: readonly string[] | null;
  /** Comes before the defaults, and changes nothing about a choice. */
  foundIn?: string | null;
};

/** What was chosen, or the store's defaults. What the store has no use for is left out, and said. */
export function readRegions(
  store: StoreId,
  chosen: Chosen,
): { regions: Regions; faults: FieldError[]; warnings: string[] } {
  const countries = readStorefronts(chosen.countries ?? defaultsOf(store, chosen.foundIn ?? null));
  const languages = readLanguages(chosen.languages ?? defaultLanguages);
  const faults = [...faultsOf("countries", countries), ...faultsOf("languages", languages)];
  const usesLanguages = store === "googleplay";
  return {
    regions: {
      countries: countries.ok ? countries.regions : [],
      languages: languages.ok && usesLanguages ? languages.regions : [],
    },
    faults,
    warnings:
      chosen.languages !== null && !usesLanguages
        ? ["languages are left out: the App Store is read by storefront"]
        : [],
  };
}

/** Makes and deletes feeds until they are what the listing's apps follow together. */
export async function followRegions(
  tx: Pick<Statements, "listRegions" | "setFeeds">,
  followed: { listing: Listing; now: Date },
): Promise<void> {
  const { listing, now } = followed;
  const { countries, languages } = await tx.listRegions(listing.id);
  const isOfficial = (listing.credentialId ?? null) !== null;
  const inStore = listing.store === "googleplay" ? languages : countries;
  const reviewed = isOfficial ? [everywhere] : inStore;
  await tx.setFeeds({ listingId: listing.id, kind: "reviews", regions: reviewed, now });
  await tx.setFeeds({ listingId: listing.id, kind: "ratings", regions: countries, now });
}

function defaultsOf(store: StoreId, foundIn: string | null): readonly string[] {
  // Google Play's reviews are chosen by language; a storefront only says whose ratings are shown.
  if (store === "googleplay") return [foundIn ?? "us"];
  return foundIn === null ? defaultCountries : [...new Set([foundIn, ...defaultCountries])];
}

function faultsOf(field: string, read: ReadRegions): FieldError[] {
  return read.ok ? [] : [{ field, message: read.reason }];
}
