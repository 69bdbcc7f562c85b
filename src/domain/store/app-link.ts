// Reads links to apps in every form that people copy and exports have: pages of apps and of their reviews, `market:` and `itms:`
// links of phones and Macs, and the bare `id123` of the App Store.

import { canParseUrl } from "../../lib/urls.ts";

/** `region`: null where the link names none. */
export type AppLink = { externalAppId: string; region: string | null };

/** With and without the name, of both hosts, with the id in the path or in the query. */
export function parseAppleLink(text: string): AppLink | null {
  const bare = appleId(text);
  if (bare !== null) return { externalAppId: bare, region: null };
  // Links that open the store's own programs mean the same page.
  const web = text.replace(/^(itms|itms-apps|itms-appss|macappstore|macappstores):/i, "https:");
  const url = parsePastedUrl(web);
  const hosts = /^([\w-]+\.)?(apps|itunes)\.apple\.com$/;
  if (!url || !isWeb(url)) return null;
  const account = /^\/v\d\/apps\/(\d+)\//.exec(url.pathname)?.[1];
  if (url.hostname === "api.appstoreconnect.apple.com" && account !== undefined)
    return { externalAppId: account, region: null };
  if (!hosts.test(url.hostname)) return null;
  const segments = url.pathname.split("/").filter((segment) => segment !== "");
  // Pages of a reviewer, a developer, a story and others have an id of their own.
  if (segments.some((segment) => otherPages.has(segment.toLowerCase()))) return null;
  const id =
    segments.map(appleId).findLast((found) => found !== null) ??
    appleId(`id${url.searchParams.get("id")}`);
  const [first = ""] = segments;
  const region = /^[a-z]{2}$/i.test(first) ? storefrontOf(first) : null;
  return id === null ? null : { externalAppId: id, region };
}

const otherPages = new Set(
  "reviews developer artist story collection room charts genre grouping app-bundle bundle".split(
    " ",
  ),
);

function appleId(text: string): string | null {
  return /^id=?([1-9]\d{0,19})$/i.exec(text)?.[1] ?? null;
}

export function parseGoogleLink(text: string): AppLink | null {
  const url = parsePastedUrl(text);
  const id = url?.searchParams.get("id") ?? "";
  if (!url || !isGooglePage(url) || !isPackageName(id)) return null;
  const country = url.searchParams.get("gl");
  const isCountry = country !== null && /^[a-z]{2}$/i.test(country);
  return { externalAppId: id, region: isCountry ? country.toLowerCase() : null };
}

/** Pages of an add-on in any language, for computers and phones, and its addresses in the API; with a slug, guid or number. */
export function parseAddonLink(text: string): AppLink | null {
  const url = parsePastedUrl(text);
  if (!url || !isWeb(url) || url.hostname !== "addons.mozilla.org") return null;
  const name = /^\/(?:[\w-]+\/){0,3}addon\/([^/]+)/.exec(url.pathname)?.[1];
  if (name === undefined) return null;
  try {
    return { externalAppId: decodeURIComponent(name), region: null };
  } catch {
    // Percent signs that are not an encoding.
    return null;
  }
}

function isGooglePage(url: URL): boolean {
  const { protocol, hostname, pathname } = url;
  if (protocol === "market:") return /^(\/\/)?details\/?$/.test(`${hostname}${pathname}`);
  const isStore = hostname === "play.google.com" || hostname === "market.android.com";
  return isWeb(url) && isStore && /^\/(store\/apps\/)?details\/?$/.test(pathname);
}

export function isPackageName(text: string): boolean {
  return text.length <= 255 && /^[A-Za-z]\w*(\.[A-Za-z]\w*)+$/.test(text);
}

const isWeb = ({ protocol }: URL): boolean => /^https?:$/.test(protocol);

const urlMax = 2_048;

/** A link as people paste it, at times without a scheme. */
function parsePastedUrl(text: string): URL | null {
  const whole = /^[a-z][a-z\d+.-]*:/i.test(text) ? text : `https://${text}`;
  return text.length <= urlMax && canParseUrl(whole) ? new URL(whole) : null;
}

/** People write uk for gb, which stores don't know. */
export function storefrontOf(region: string): string {
  const storefront = region.toLowerCase();
  return storefront === "uk" ? "gb" : storefront;
}
