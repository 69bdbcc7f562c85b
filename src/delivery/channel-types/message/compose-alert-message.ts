// Composes the message of an alert: what fails or rose, and since when people can act on it.

import type { AlertDocument } from "../../../domain/channel-event.ts";
import { storeTraits } from "../../../domain/store-traits.ts";
import { isolate } from "./cut-text.ts";
import type { Message } from "./message.ts";
import { type ComposeOptions, dashboardUrl, formatCount, nameOf, notes } from "./message-parts.ts";

export function composeAlertMessage(event: AlertDocument, options: ComposeOptions): Message {
  const { lines, moreCount } = event;
  const { heading, path, note } = describe(event);
  const url = dashboardUrl(event, options, path);
  return {
    heading,
    url,
    tone: "bad",
    blocks: [
      { kind: "text", text: lines.map((line) => `• ${line}`).join("\n") },
      ...notes(moreCount > 0 && `and ${formatCount(moreCount)} more`, note),
    ],
    links: url === null ? [] : [{ label: "Open in Starpost", url }],
    threadId: null,
  };
}

function describe(event: AlertDocument): { heading: string; path: string; note: string } {
  const { app, failing, lines, moreCount } = event;
  const name = app === null ? "" : `${isolate(nameOf(app))} (${storeTraits[app.store].name})`;
  const count = lines.length + moreCount;
  switch (event.event) {
    case "storefront.failing":
      return {
        heading: `${count === 1 ? "A storefront" : `${formatCount(count)} storefronts`} of ${name} can't be read`,
        path: `sources/apps/${app?.id ?? ""}`,
        note: "Nothing is lost: reading goes on by itself, and what came meanwhile is found then.",
      };
    case "channel.failing":
      return {
        heading: `The channel ${isolate(nameOf(failing ?? { name: "" }))} fails`,
        path: `sources/channels/${failing?.id ?? ""}`,
        note: "Deliveries are retried by themselves.",
      };
    case "reviews.spike":
      return {
        heading: `Unusual reviews of ${name}`,
        path: `overview?app=${app?.id ?? ""}`,
        note: "Yesterday and today, against the 28 days before.",
      };
    case "release.worse":
      return {
        heading: `The newest release of ${name} is worse`,
        path: `verdicts/${app?.id ?? ""}`,
        note: "Against the twelve weeks before: at most 5 % of harmless releases are ever called worse.",
      };
  }
}
