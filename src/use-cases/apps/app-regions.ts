// Which storefronts and languages an app follows, and the feeds that a listing therefore needs: the
// union over all apps that belong to it.

import type { DatabaseTransaction } from "../../database/database.ts";
import { defaultCountries, defaultLanguages, type Listing } from "../../domain/feed/listing.ts";
import { everywhere } from "../../domain/store/credential.ts";
import type { StoreId } from "../../domain/store/store-id.ts";
import { hasReviewsByLanguage, storeTraits } from "../../domain/store/store-traits.ts";
import { storefrontsSchema } from "../../domain/store/storefronts.ts";
import { parseField } from "../../domain/validation-errors.ts";

export type Regions = { countries: string[]; languages: string[] };

/**
 * The chosen regions, or the store's defaults. A warning names what the store has no use for.
 *
 * @param input.foundIn a storefront that comes before the defaults; a choice is left as it is
 * @throws AppError `invalid_input` when `foundIn` is not a storefront
 */
export function chooseRegions(
  store: StoreId,
  input: { countries: string[] | null; languages: string[] | null; foundIn?: string | null },
): { regions: Regions; warnings: string[] } {
  const { countries, languages, foundIn = null } = input;
  const warnings = [
    ...(countries === null ? [] : warnOfCountries(store)),
    ...(languages === null ? [] : warnOfLanguages(store, languages)),
  ];
  const { soleRegion } = storeTraits[store];
  if (soleRegion !== null) return { regions: { countries: [soleRegion], languages: [] }, warnings };
  const defaults = parseField(storefrontsSchema, {
    field: "countries",
    value: defaultsOf(store, foundIn),
  });
  const usesLanguages = hasReviewsByLanguage(store);
  return {
    regions: {
      countries: countries ?? defaults,
      languages: usesLanguages ? (languages ?? defaultLanguages) : [],
    },
    warnings,
  };
}

function warnOfCountries(store: StoreId): string[] {
  const { nameInText, soleRegion } = storeTraits[store];
  return soleRegion === null ? [] : [`storefronts are ignored: ${nameInText} has none`];
}

function warnOfLanguages(store: StoreId, languages: readonly string[]): string[] {
  const { nameInText, reviewsBy, soleRegion } = storeTraits[store];
  if (!hasReviewsByLanguage(store)) {
    const why = soleRegion === null ? `is read by ${reviewsBy}` : "has one list for all";
    return [`languages are ignored: ${nameInText} ${why}`];
  }
  const baseOf = (code: string): string => code.split("-")[0] ?? code;
  // Chinese in two scripts is two lists.
  const repeated = languages.filter(
    (code, index) => baseOf(code) !== "zh" && languages.map(baseOf).indexOf(baseOf(code)) < index,
  );
  return repeated.length === 0
    ? []
    : [
        `${nameInText} shows most languages as one list for all countries: ${repeated.join(", ")} may repeat what is read already`,
      ];
}

/** Makes and deletes feeds until they are what the listing's apps follow together, and sets whose line they wait in. */
export async function syncFeeds(
  tx: Pick<DatabaseTransaction, "listFollowedRegions" | "setFeeds" | "setLineOfFeeds">,
  { listing, now }: { listing: Listing; now: Date },
): Promise<void> {
  const { countries, languages, line } = await tx.listFollowedRegions(listing.id);
  const isOfficial = (listing.credentialId ?? null) !== null;
  const ofStore = hasReviewsByLanguage(listing.store) ? languages : countries;
  const regions = isOfficial ? [everywhere] : ofStore;
  const feeds = { listingId: listing.id, now, line };
  await tx.setFeeds({ ...feeds, kind: "reviews", regions });
  await tx.setFeeds({ ...feeds, kind: "ratings", regions: countries });
  if (line !== null) await tx.setLineOfFeeds({ listingId: listing.id, line });
}

function defaultsOf(store: StoreId, foundIn: string | null): readonly string[] {
  // Where reviews are chosen by language, a storefront only says whose ratings are read.
  if (hasReviewsByLanguage(store)) return [foundIn ?? "us"];
  return foundIn === null ? defaultCountries : [foundIn, ...defaultCountries];
}
