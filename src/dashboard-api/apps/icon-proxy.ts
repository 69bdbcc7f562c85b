// Icons of apps, fetched from the stores' own hosts by the server, so that no page asks anybody but us.
// Only pictures, only small ones, and only so many are remembered.
import { createHmac, timingSafeEqual } from "node:crypto";
import type { Http } from "../../lib/http.ts";
import type { DashboardSettings } from "../deps.ts";

const iconBytesMax = 256 * 1024;
const rememberedMax = 100;
const askedAtOnceMax = 6;

export type Icon = { bytes: Buffer; contentType: string };

export type IconProxy = {
  /** Where our pages find the picture; null when it is not from a store's host. */
  pathOf(url: string, workspaceId: string): string | null;
  /** null for what we did not write ourselves, and for what is no picture. */
  find(wanted: { url: string; seal: string }): Promise<Icon | null>;
  fetch(url: string): Promise<Icon | null>;
};

// Where the App Store and Google Play keep pictures.
const pictureHosts = /(^|\.)(mzstatic\.com|googleusercontent\.com|ggpht\.com)$/;

export function createIconProxy(open: {
  http: Http;
  signingKey: Buffer;
  settings: Pick<DashboardSettings, "storeBaseUrls">;
}): IconProxy {
  const remembered = new Map<string, Promise<Icon | null>>();
  const ownHosts = new Set(open.settings.storeBaseUrls.map((base) => new URL(base).host));
  let askedCount = 0;

  function isPictureUrl(text: string): boolean {
    if (!URL.canParse(text)) return false;
    const { protocol, hostname, host } = new URL(text);
    const isStores = protocol === "https:" && pictureHosts.test(hostname);
    return isStores || (/^https?:$/.test(protocol) && ownHosts.has(host));
  }

  function sign(url: string): string {
    return createHmac("sha256", open.signingKey)
      .update(`icon ${url}`)
      .digest("base64url")
      .slice(0, 22);
  }

  async function ask(url: string): Promise<Icon | null> {
    askedCount += 1;
    try {
      const answer = await open.http({ method: "GET", url, bodyBytesMax: iconBytesMax });
      if (answer.kind !== "answer" || answer.status !== 200) return null;
      const contentType = pictureTypeOf(answer.body);
      return contentType === null ? null : { bytes: answer.body, contentType };
    } finally {
      askedCount -= 1;
    }
  }

  async function fetchIcon(url: string): Promise<Icon | null> {
    const known = remembered.get(url);
    if (known) return known;
    if (!isPictureUrl(url) || askedCount >= askedAtOnceMax) return null;
    const [oldest] = remembered.keys();
    if (remembered.size >= rememberedMax && oldest !== undefined) remembered.delete(oldest);
    const asked = ask(url);
    remembered.set(url, asked);
    const icon = await asked;
    // A store that was away for a moment is asked again the next time.
    if (icon === null) remembered.delete(url);
    return icon;
  }

  return {
    pathOf(url, workspaceId) {
      if (!isPictureUrl(url)) return null;
      const query = new URLSearchParams({ url, seal: sign(url) });
      return `/console/api/workspaces/${workspaceId}/icons?${query}`;
    },
    async find({ url, seal }) {
      const right = Buffer.from(sign(url));
      const stated = Buffer.from(seal);
      const isOurs = right.length === stated.length && timingSafeEqual(right, stated);
      return isOurs ? fetchIcon(url) : null;
    },
    fetch: fetchIcon,
  };
}

/** By the first bytes: what a server says of them is not to be trusted. No SVG: it can hold scripts. */
function pictureTypeOf(bytes: Buffer): string | null {
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
