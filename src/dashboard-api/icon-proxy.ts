// Fetches app icons from the stores' hosts, so that pages make requests to this service only. Icons are
// checked to be images, limited in size and cached in limited number.

import { keepRecent } from "../lib/bounded-map.ts";
import type { Http } from "../lib/http.ts";
import { isEqualText, signText } from "../lib/signed-text.ts";
import { canParseUrl } from "../lib/urls.ts";
import type { DashboardSettings } from "./deps.ts";

const iconBytesMax = 256 * 1024;
const cachedMax = 100;
const inFlightMax = 6;

export type Icon = { bytes: Buffer; contentType: string };

export type IconProxy = ReturnType<typeof createIconProxy>;

// Where the stores serve images from.
const imageHosts =
  /(^|\.)(mzstatic\.com|googleusercontent\.com|ggpht\.com|addons\.mozilla\.org|addons\.cdn\.mozilla\.net)$/;

export function createIconProxy(options: {
  http: Http;
  signingKey: Buffer;
  settings: Pick<DashboardSettings, "storeBaseUrls">;
}) {
  const cached = new Map<string, Promise<Icon | null>>();
  const configuredHosts = new Set(options.settings.storeBaseUrls.map((base) => new URL(base).host));
  let inFlightCount = 0;

  function isIconUrl(text: string): boolean {
    if (!canParseUrl(text)) return false;
    const { protocol, hostname, host } = new URL(text);
    const isOnStore = protocol === "https:" && imageHosts.test(hostname);
    return isOnStore || (/^https?:$/.test(protocol) && configuredHosts.has(host));
  }

  function sign(url: string): string {
    return signText(options.signingKey, `icon ${url}`).slice(0, 22);
  }

  async function download(url: string): Promise<Icon | null> {
    inFlightCount += 1;
    try {
      const response = await options.http({ method: "GET", url, bodyBytesMax: iconBytesMax });
      if (response.kind !== "response" || response.status !== 200) return null;
      const contentType = imageTypeOf(response.body);
      return contentType === null ? null : { bytes: response.body, contentType };
    } finally {
      inFlightCount -= 1;
    }
  }

  async function fetchIcon(url: string): Promise<Icon | null> {
    const hit = cached.get(url);
    if (hit) return hit;
    if (!isIconUrl(url) || inFlightCount >= inFlightMax) return null;
    const pending = download(url);
    keepRecent(cached, { key: url, value: pending, countMax: cachedMax });
    const icon = await pending;
    // A failure may be temporary: the next request tries again.
    if (icon === null) cached.delete(url);
    return icon;
  }

  return {
    /** The path on this origin; null when the icon is not on a store's host. */
    pathFor(url: string, workspaceId: string): string | null {
      if (!isIconUrl(url)) return null;
      const query = new URLSearchParams({ url, seal: sign(url) });
      return `/console/api/workspaces/${workspaceId}/icons?${query}`;
    },
    /** null unless the URL was signed here and leads to an image. */
    async find({ url, seal }: { url: string; seal: string }): Promise<Icon | null> {
      return isEqualText(seal, sign(url)) ? fetchIcon(url) : null;
    },
  };
}

/** By the first bytes, because a server's Content-Type can't be trusted. No SVG: it can hold scripts. */
function imageTypeOf(bytes: Buffer): string | null {
  const head = bytes.subarray(0, 12).toString("latin1");
  if (head.startsWith("\x89PNG\r\n\x1a\n")) return "image/png";
  if (head.startsWith("\xff\xd8\xff")) return "image/jpeg";
  if (head.startsWith("GIF8")) return "image/gif";
  return head.startsWith("RIFF") && head.endsWith("WEBP") ? "image/webp" : null;
}

export function iconResponse(icon: Icon | null): Response {
  if (!icon) return new Response(null, { status: 404 });
  return new Response(new Uint8Array(icon.bytes), {
    headers: { "Content-Type": icon.contentType, "Cache-Control": "private, max-age=86400" },
  });
}
