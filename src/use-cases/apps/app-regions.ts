// Which storefronts and languages an app follows, and the feeds that a listing therefore needs: the
// union over all apps that hang on it.
import type { DatabaseTransaction } from "../../database/database.ts";
import { everywhere } from "../../domain/credential.ts";
import type { FieldError } from "../../domain/error.ts";
import { parseLanguages } from "../../domain/languages.ts";
import { defaultCountries, defaultLanguages, type Listing } from "../../domain/listing.ts";
import type { StoreId } from "../../domain/store-id.ts";
import { type ParsedRegions, parseStorefronts } from "../../domain/storefronts.ts";

export type Regions = { countries: string[]; languages: string[] };

type RegionsInput = {
  countries: readonly string[] | null;
  languages: readonly string[] | null;
  /** Comes before the defaults, and changes nothing about a choice. */
  foundIn?: string | null;
};

/** What was chosen, or the store's defaults. What the store has no use for is left out, and said. */
export function parseRegions(
  store: StoreId,
  chosen: RegionsInput,
): { regions: Regions; faults: FieldError[]; warnings: string[] } {
  const countries = parseStorefronts(chosen.countries ?? defaultsOf(store, chosen.foundIn ?? null));
  const languages = parseLanguages(chosen.languages ?? defaultLanguages);
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
export async function syncFeeds(
  tx: Pick<DatabaseTransaction, "listFollowedRegions" | "setFeeds">,
  followed: { listing: Listing; now: Date },
): Promise<void> {
  const { listing, now } = followed;
  const { countries, languages } = await tx.listFollowedRegions(listing.id);
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

function faultsOf(field: string, read: ParsedRegions): FieldError[] {
  return read.ok ? [] : [{ field, message: read.reason }];
}
