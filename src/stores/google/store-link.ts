// Parses links to apps in Google Play: pages of the web store, and the `market:` links of phones.
import { parsePastedUrl } from "../source-text.ts";

export function parseGoogleLink(
  text: string,
): { externalAppId: string; region: string | null } | null {
  const url = parsePastedUrl(text.trim());
  const id = url?.searchParams.get("id") ?? "";
  if (!url || !isAppPage(url) || !isPackageName(id)) return null;
  const country = url.searchParams.get("gl");
  const isCountry = country !== null && /^[a-z]{2}$/i.test(country);
  return { externalAppId: id, region: isCountry ? country.toLowerCase() : null };
}

function isAppPage({ protocol, hostname, pathname }: URL): boolean {
  if (protocol === "market:") return /^(\/\/)?details\/?$/.test(`${hostname}${pathname}`);
  if (!/^https?:$/.test(protocol)) return false;
  const isStore = hostname === "play.google.com" || hostname === "market.android.com";
  return isStore && /^\/(store\/apps\/)?details\/?$/.test(pathname);
}

export function isPackageName(text: string): boolean {
  return text.length <= 255 && /^[A-Za-z]\w*(\.[A-Za-z]\w*)+$/.test(text);
}
