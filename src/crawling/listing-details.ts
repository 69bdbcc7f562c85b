// The daily reading of an app besides reviews and ratings: its name and facts, and the averages of ratings in
// the exports of its owner.
import type { Feed, FeedKind } from "../domain/feed.ts";
import type { Listing } from "../domain/listing.ts";
import type { RatingAverage } from "../domain/rating-average-row.ts";
import type { Log } from "../lib/log.ts";
import type { Store, StoreApp } from "../stores/store.ts";
import type { FeedRepository } from "./feed-lease.ts";

export type ListingDetailsDeps = {
  log: Log;
  feeds: Pick<FeedRepository, "listFeeds">;
  openStore(listing: Listing, kind: FeedKind): Promise<Store>;
  saveListingDetails(
    details: { id: string } & Pick<StoreApp, "name" | "iconUrl" | "facts">,
  ): Promise<void>;
  listRatingAverageMonths(listingId: string): Promise<ReadonlySet<string>>;
  ingestRatingAverages(save: {
    listingId: string;
    averages: readonly RatingAverage[];
  }): Promise<unknown>;
};

/** After ratings of a region were read, which is once a day; of one region of each listing. */
export async function readListingDetails(
  deps: ListingDetailsDeps,
  { listing, store, region }: { listing: Listing; store: Store; region: string },
): Promise<void> {
  // Storefronts know an app by different names: it goes by that of one of them.
  if (region !== findNamingRegion(await deps.feeds.listFeeds(listing.id), region)) return;
  const fetched = await store.fetchApp({ externalAppId: listing.externalAppId, region });
  if (fetched.outcome === "ok") await deps.saveListingDetails({ id: listing.id, ...fetched.value });
  await readRatingAverages(deps, listing);
}

/** The United States where the app is sold there, else the first storefront that sells it. */
function findNamingRegion(feeds: readonly Feed[], region: string): string | undefined {
  const selling = feeds
    .filter((feed) => feed.kind === "ratings" && (feed.outcome === "ok" || feed.region === region))
    .map((feed) => feed.region)
    .sort();
  return selling.find((one) => one === "us") ?? selling[0];
}

async function readRatingAverages(deps: ListingDetailsDeps, listing: Listing): Promise<void> {
  // Ratings themselves are always public: the exports are in the account that reviews are read through.
  const source = await deps.openStore(listing, "reviews");
  if (!source.readRatingAverages) return;
  const { id: listingId, externalAppId } = listing;
  const read = await source.readRatingAverages({
    externalAppId,
    knownMonths: await deps.listRatingAverageMonths(listingId),
    async save(averages) {
      await deps.ingestRatingAverages({ listingId, averages });
    },
  });
  // The reviews of the same account have this in their coverage; what is missing here is read a day later.
  if (read.outcome === "unknown") {
    deps.log.warn({ externalAppId, reason: read.reason }, "the exports of ratings were not read");
  }
}
