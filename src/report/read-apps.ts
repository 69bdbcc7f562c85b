// Reads the apps of a report from their stores, both stores at once, and reports how far it is.
import type { Container } from "../app/container.ts";
import { toCrawlDeps } from "../app/workers/crawl-worker.ts";
import { crawlListing } from "../crawling/crawl-feed.ts";
import type { CrawlReport } from "../crawling/crawl-reviews.ts";
import type { App } from "../domain/listing.ts";
import { groupBy } from "../lib/group-by.ts";
import { secondMs } from "../lib/timestamp.ts";

/** @param share from 0 to 1, where it is known */
export type ShowProgress = (text: string, share?: number) => void;

/** Ends early when the signal is aborted: what is saved stays, and the next call goes on from there. */
export async function readApps(
  deps: Container,
  read: { apps: readonly App[]; signal: AbortSignal; onProgress: ShowProgress },
): Promise<void> {
  const { apps, signal, onProgress } = read;
  const feeds = await deps.database.listFeedsOfListings(apps.map(({ listingId }) => listingId));
  const listCount = feeds.filter(({ kind }) => kind === "reviews").length;
  const measure = createMeter(deps, listCount);
  const names = apps.map(({ name, store }) => `${name} (${store})`).join(", ");
  onProgress(`reading ratings and ${listCount} lists of reviews: ${names}`, 0);
  const readStore = async (ofStore: readonly App[]): Promise<void> => {
    for (const app of ofStore) {
      const listing = await deps.database.findListing(app.listingId);
      if (!listing || signal.aborted) continue;
      const onPage = (report: Readonly<CrawlReport>) => onProgress(...measure(app, report));
      await crawlListing(toCrawlDeps(deps), { listing, signal, onPage });
    }
  };
  // Each store has a pace of its own.
  await Promise.all([...groupBy(apps, ({ store }) => store).values()].map(readStore));
}

/** The time that is left, by the lists that are read so far. */
function createMeter({ clock }: Pick<Container, "clock">, listCount: number) {
  const startedAt = clock.now().getTime();
  const counts = new Map<string, number>();
  return (app: App, { region, reviews }: Readonly<CrawlReport>): [string, number] => {
    counts.set(`${app.id} ${region}`, reviews);
    const found = [...counts.values()].reduce((sum, count) => sum + count, 0);
    const seconds = (clock.now().getTime() - startedAt) / secondMs;
    const left = Math.ceil((seconds / counts.size) * (listCount - counts.size));
    const text = `${app.store} ${region}: ${reviews} reviews; list ${counts.size} of ${listCount}, ${found} reviews in all, about ${left} s left`;
    return [text, counts.size / Math.max(1, listCount)];
  };
}
