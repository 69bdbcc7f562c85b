// The parts that messages of all events share: names, stars, counts and links.
import type { EventApp } from "../../../domain/channel/channel-event.ts";
import { storePageUrl, storeTraits } from "../../../domain/store/store-traits.ts";
import { cutText } from "./cut-text.ts";
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
