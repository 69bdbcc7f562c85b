// The names of the regions that a store's feeds are read by.
import { countryName, languageName } from "../../lib/place-names.ts";
import type { StoreId } from "./store-id.ts";
import { hasReviewsByLanguage } from "./store-traits.ts";

/** `Germany`, or `German` for reviews of a store that lists them by language; `all` is read through a store credential. */
export function reviewRegionName(region: string, store: StoreId): string {
  return hasReviewsByLanguage(store) ? languageName(region) : storefrontName(region);
}

export function storefrontName(region: string): string {
  return region === "all" ? "all storefronts" : countryName(region);
}
