// The feeds of an app that can't be read, in words: each storefront or language by name, once for each reason.
import { hasReviewsByLanguage } from "../../domain/store-traits.ts";
import type { AppWithCoverage } from "./apps.ts";
import type { Coverage } from "./coverage.ts";

/** `Tidepool Journal: reviews of Germany and Japan can't be read: The App Store has trouble (HTTP 503)` */
export function describeFailingFeeds({ name, store, feeds }: AppWithCoverage): string[] {
  const regionsByCause = new Map<string, string[]>();
  for (const feed of feeds) {
    const reason = failureOf(feed);
    if (reason === null) continue;
    const type = hasReviewsByLanguage(store) && feed.kind === "reviews" ? "language" : "region";
    const cause = `can't be read: ${reason}`;
    const key = [feed.kind, cause].join("\n");
    regionsByCause.set(key, [...(regionsByCause.get(key) ?? []), nameRegion(type, feed.region)]);
  }
  const list = new Intl.ListFormat("en");
  return [...regionsByCause].map(([key, regions]) => {
    const [kind, cause] = key.split("\n");
    return `${name}: ${kind} of ${list.format(regions)} ${cause}`;
  });
}

function failureOf({ outcome, alarm, lastError, stopReason }: Coverage): string | null {
  if (alarm !== null) return alarm;
  if (outcome !== "unknown") return null;
  return lastError ?? stopReason ?? "the last response was inconclusive";
}

/** `all` through a store credential; people know codes that the names of this machine lack. */
function nameRegion(type: "region" | "language", code: string): string {
  if (code === "all") return "all storefronts";
  return (
    new Intl.DisplayNames(["en"], { type }).of(type === "region" ? code.toUpperCase() : code) ??
    code
  );
}
