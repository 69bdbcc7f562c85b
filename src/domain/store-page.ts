// Where people find an app in its store.
import type { StoreId } from "./store-id.ts";

/** @param app.country the storefront to open; the App Store's pages need one */
export function storePageUrl(app: {
  store: StoreId;
  externalAppId: string;
  country?: string | undefined;
}): string {
  const { store, externalAppId, country } = app;
  if (store === "googleplay") {
    return `https://play.google.com/store/apps/details?id=${encodeURIComponent(externalAppId)}`;
  }
  const storefront = country && /^[a-z]{2}$/.test(country) ? country : "us";
  return `https://apps.apple.com/${storefront}/app/id${encodeURIComponent(externalAppId)}`;
}
