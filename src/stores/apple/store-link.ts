// Parses links to apps in the App Store, in every form that people copy: with and without the name,
// of both hosts, with the id in the path or in the query, and the bare `id123`.
import { parsePastedUrl, storefrontOf } from "../source-text.ts";

export function parseAppleLink(
  text: string,
): { externalAppId: string; region: string | null } | null {
  const trimmed = text.trim();
  const bare = trimmed.match(/^id([1-9]\d{0,19})$/i)?.[1];
  if (bare !== undefined) return { externalAppId: bare, region: null };
  const url = toWebUrl(trimmed);
  if (url === null || !/^((geo|www)\.)?(apps|itunes)\.apple\.com$/.test(url.hostname)) return null;
  const segments = url.pathname.split("/").filter((segment) => segment !== "");
  const inPath = segments.map((segment) => segment.match(/^id([1-9]\d{0,19})$/i)?.[1]);
  const id = inPath.findLast((found) => found !== undefined) ?? idInQuery(url);
  return id === null ? null : { externalAppId: id, region: regionOf(segments[0]) };
}

/** Links that open the store's own programs mean the same page. */
function toWebUrl(text: string): URL | null {
  const web = text.replace(/^(itms|itms-apps|itms-appss|macappstore|macappstores):/i, "https:");
  const url = parsePastedUrl(web);
  return url && /^https?:$/.test(url.protocol) ? url : null;
}

function idInQuery(url: URL): string | null {
  const id = url.searchParams.get("id");
  return id !== null && /^[1-9]\d{0,19}$/.test(id) ? id : null;
}

function regionOf(segment = ""): string | null {
  return /^[a-z]{2}$/i.test(segment) ? storefrontOf(segment) : null;
}
