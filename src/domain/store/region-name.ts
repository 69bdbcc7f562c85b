// The names of the regions that a store's feeds are read by.
import { countryInText, countryName, languageName } from "../../lib/place-names.ts";
import type { StoreId } from "./store-id.ts";
import { hasReviewsByLanguage } from "./store-traits.ts";

/** As it reads after "in" and "of", see `reviewRegionName`. */
export function reviewRegionInText(region: string, store: StoreId): string {
  return hasReviewsByLanguage(store) ? languageName(region) : storefrontInText(region);
}

export function storefrontInText(region: string): string {
  return region === "all" ? "all storefronts" : countryInText(region);
}

/** `Germany`, or `German` for reviews of a store that lists them by language; `all` is read through a store credential. */
export function reviewRegionName(region: string, store: StoreId): string {
  if (region === "all") return "All storefronts";
  return hasReviewsByLanguage(store) ? languageName(region) : countryName(region);
}
