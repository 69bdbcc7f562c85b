// The parts that messages of all events share: names, stars, counts and links.
import type { EventApp, EventQuote } from "../../../domain/channel/channel-event.ts";
import { drawStars } from "../../../domain/review/review-line.ts";
import { storePageUrl, storeTraits } from "../../../domain/store/store-traits.ts";
import { cutText, isolate } from "./cut-text.ts";
import type { Block, Link } from "./message.ts";

export type ComposeOptions = {
  /** Where the dashboard is reached; null when it is not set. */
  publicUrl: string | null;
  /** How much of a review's text is shown; the rest is behind the link. */
  textMax: number;
};

export const nameMax = 80;

export function nameOf({ name }: { name: string }): string {
  return cutText(name, nameMax);
}

export function formatCount(count: number): string {
  return count.toLocaleString("en-US");
}

/** Those that are there. */
export function notes(...texts: readonly (string | null | false)[]): Block[] {
  return texts.flatMap((text) => (text ? { kind: "note", text } : []));
}

/** Where a message is short, quotes are. */
const quoteShare = 10;

export function quoteBlock({ rating, text, version, country }: EventQuote, textMax: number): Block {
  const facts = [
    version === "" ? [] : `version ${isolate(version)}`,
    country === "und" ? [] : country.toUpperCase(),
  ].flat();
  const shown = cutText(text, Math.max(100, Math.floor(textMax / quoteShare)));
  const end = facts.length > 0 ? ` (${facts.join(", ")})` : "";
  return { kind: "quote", text: `${drawStars(rating)} ${isolate(shown)}${end}` };
}

export function listLinks(of: {
  app: EventApp;
  country?: string;
  url: string | null;
  label: string;
}): Link[] {
  const { app, country, url, label } = of;
  const store = { label: storeTraits[app.store].name, url: storePageUrl({ ...app, country }) };
  return url === null ? [store] : [{ label, url }, store];
}

export function dashboardUrl(
  { workspaceId }: { workspaceId: string },
  { publicUrl }: Pick<ComposeOptions, "publicUrl">,
  path: string,
): string | null {
  return publicUrl === null ? null : `${publicUrl.replace(/\/$/, "")}/w/${workspaceId}/${path}`;
}
