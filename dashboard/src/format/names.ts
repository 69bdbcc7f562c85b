// The names of stores, countries, languages, topics and events on the pages.

const regionNames = new Intl.DisplayNames("en", { type: "region", fallback: "none" });
const languageNames = new Intl.DisplayNames("en", { type: "language", fallback: "none" });

const storeNames: Record<string, string> = { appstore: "App Store", googleplay: "Google Play" };

const eventNames: Record<string, string> = {
  "review.created": "New review",
  "review.updated": "Edited review",
  "review.rating_drop": "Rating drop",
};

export function storeName(store: string): string {
  return storeNames[store] ?? store;
}

/** Both stores may have an app of the same name. */
export function appLabel({ name, store }: { name: string; store: string }): string {
  return `${name} · ${storeName(store)}`;
}

export function eventName(event: string): string {
  return eventNames[event] ?? event;
}

export function countryName(code: string): string {
  return nameOr(regionNames, code.toUpperCase(), code);
}

export function languageName(code: string): string {
  return code === "und" ? "Unknown language" : nameOr(languageNames, code, code);
}

/** Of a review: Google Play gives its language and no country, the App Store its storefront. */
export function originName(store: string, country: string): string {
  return store === "googleplay" ? languageName(country) : countryName(country);
}

/** `feature_request` is shown as `Feature request`, `ui` as `UI`. */
export function topicName(topic: string): string {
  return topic === "ui" ? "UI" : capitalised(topic.replaceAll(/[_-]/g, " "));
}

export function capitalised(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1);
}

function nameOr(names: Intl.DisplayNames, code: string, otherwise: string): string {
  try {
    return names.of(code) ?? otherwise;
  } catch {
    // Not a valid code: imported reviews may have any.
    return otherwise;
  }
}
