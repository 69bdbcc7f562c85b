// The names of apps, countries, languages, topics and events on the pages.
import { capitalised } from "./capitalised.ts";
import { hasStorefronts, isReadByLanguage, storeName } from "./stores.ts";

const regionNames = new Intl.DisplayNames("en", { type: "region", fallback: "none" });
const languageNames = new Intl.DisplayNames("en", { type: "language", fallback: "none" });

const eventNames: Record<string, string> = {
  "review.created": "New review",
  "review.updated": "Edited review",
  "review.rating_drop": "Rating drop",
  digest: "Digest",
  "reviews.spike": "Spike",
  "release.worse": "Worse release",
  "storefront.failing": "Storefront fails",
  "channel.failing": "Channel fails",
};

/** Several stores may have an app of the same name. */
export function appLabel({ name, store }: { name: string; store: string }): string {
  return `${name} · ${storeName(store)}`;
}

export function eventName(event: string): string {
  return eventNames[event] ?? event;
}

export function countryName(code: string): string {
  // The region of stores without storefronts, which not all browsers name.
  return code === "001" ? "World" : nameOr(regionNames, code.toUpperCase(), code);
}

export function languageName(code: string): string {
  return code === "und" ? "Unknown language" : nameOr(languageNames, code, code);
}

/** For any store: what the code means, a country before a language. */
export function placeName(code: string): string {
  const country = countryName(code);
  return country === code ? languageName(code) : country;
}

/** For a review: Google Play gives its language and no country, others their storefront or the world. */
export function originName(store: string, country: string): string {
  return isReadByLanguage(store) ? languageName(country) : countryName(country);
}

type Region = { kind: "storefront" | "language"; region: string };

export function regionName({ kind, region }: Region): string {
  if (region === "all") return "all countries";
  return kind === "language" ? languageName(region) : countryName(region);
}

/** The first few by name, and how many more there are. */
export function nameRegions(regions: readonly Region[], namedMax = 5): string {
  const names = regions.map(regionName);
  if (names.length <= namedMax) return names.join(", ");
  return `${names.slice(0, namedMax - 1).join(", ")} and ${names.length - namedMax + 1} more`;
}

/** The names for the regions of a store. */
export function regionUnit(store: string): string {
  if (!hasStorefronts(store)) return "lists";
  return isReadByLanguage(store) ? "languages and storefronts" : "storefronts";
}

/** `feature_request` is shown as `Feature request`, `ui` as `UI`. */
export function topicName(topic: string): string {
  return topic === "ui" ? "UI" : capitalised(topic.replaceAll(/[_-]/g, " "));
}

function nameOr(names: Intl.DisplayNames, code: string, otherwise: string): string {
  try {
    return names.of(code) ?? otherwise;
  } catch {
    // Not a valid code: imported reviews may have any.
    return otherwise;
  }
}
