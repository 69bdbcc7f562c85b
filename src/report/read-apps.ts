// Reads the apps of a report from their stores, both stores at once, and reports how far it is.
import type { Container } from "../app/container.ts";
import { toCrawlDeps } from "../app/workers/crawl-worker.ts";
import { crawlListing } from "../crawling/crawl-feed.ts";
import type { CrawlReport } from "../crawling/crawl-reviews.ts";
import type { App } from "../domain/listing.ts";
import { groupBy } from "../lib/group-by.ts";
import { secondMs } from "../lib/timestamp.ts";

export type ReadProgress = { text: string; share: number | null };

/** Ends early when the signal is aborted: what is saved stays, and the next call goes on from there. */
export async function readApps(
  deps: Container,
  read: { apps: readonly App[]; signal: AbortSignal; onProgress(progress: ReadProgress): void },
): Promise<void> {
  const { apps, signal, onProgress } = read;
  const feeds = await deps.database.listFeedsOfListings(apps.map(({ listingId }) => listingId));
  const meter = createMeter(deps, feeds.length);
  onProgress({ text: `reading ${feeds.length} lists of ${nameAll(apps)}`, share: 0 });
  const readStore = async (ofStore: readonly App[]): Promise<void> => {
    for (const app of ofStore) {
      const listing = await deps.database.findListing(app.listingId);
      if (!listing || signal.aborted) continue;
      const onPage = (report: Readonly<CrawlReport>) => onProgress(meter.measure(app, report));
      const { reports, busyFeeds } = await crawlListing(toCrawlDeps(deps), {
        ...{ listing, signal, onPage },
      });
      meter.end(app, [...reports, ...busyFeeds]);
    }
  };
  // Each store has a pace of its own.
  await Promise.all([...groupBy(apps, ({ store }) => store).values()].map(readStore));
}

function nameAll(apps: readonly App[]): string {
  return apps.map(({ name, store }) => `${name} (${store})`).join(", ");
}

type Meter = {
  measure(app: App, report: Readonly<CrawlReport>): ReadProgress;
  /** All lists of the app, also those without a page of reviews. */
  end(app: App, feeds: readonly unknown[]): void;
};

/** The time that is left, by the lists that are read so far. */
function createMeter({ clock }: Pick<Container, "clock">, feedCount: number): Meter {
  const startedAt = clock.now().getTime();
  const counts = new Map<string, number>();
  const doneByApp = new Map<string, number>();
  return {
    measure(app, { region, reviews }) {
      const key = `${app.id} ${region}`;
      // The list before this one of the same app has ended, and its ratings were read as well.
      if (!counts.has(key)) doneByApp.set(app.id, listsOf(counts, app.id));
      counts.set(key, reviews);
      const done = sum(doneByApp.values());
      const seconds = (clock.now().getTime() - startedAt) / secondMs;
      const left = done > 0 ? Math.ceil((seconds / done) * (feedCount - done)) : null;
      const estimate = left === null ? "" : `, about ${left} s left`;
      const text = `${app.store} ${region}: ${reviews} reviews; ${sum(counts.values())} in all, ${done} of ${feedCount} lists${estimate}`;
      return { text, share: done / Math.max(1, feedCount) };
    },
    end: (app, feeds) => void doneByApp.set(app.id, feeds.length),
  };
}

function listsOf(counts: ReadonlyMap<string, number>, appId: string): number {
  return [...counts.keys()].filter((key) => key.startsWith(appId)).length;
}

function sum(numbers: Iterable<number>): number {
  return [...numbers].reduce((all, one) => all + one, 0);
}
