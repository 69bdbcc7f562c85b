// Names, genres and versions of apps that were read and wait for the reading of a second day, because they look wrong.
import { describeDetails } from "../../crawling/app-details.ts";
import type { Database } from "../../database/database.ts";
import type { StoreId } from "../../domain/store/store-id.ts";

export type HeldDetails = {
  listingId: string;
  store: StoreId;
  externalAppId: string;
  since: Date;
  /** In words: what was read, and what is shown meanwhile. */
  changes: string;
};

const shownMax = 20;

/** Details of some listings, or of all without `listingIds`; at most twenty. */
export async function readHeldDetails(
  database: Pick<Database, "listHeldDetails">,
  listingIds: readonly string[] | null,
): Promise<HeldDetails[]> {
  const held = await database.listHeldDetails({ listingIds, limit: shownMax });
  return held.map(({ listingId, store, externalAppId, since, details, ...stored }) => ({
    ...{ listingId, store, externalAppId, since },
    changes: describeDetails(details, stored),
  }));
}
