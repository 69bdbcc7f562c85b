// Full pages of other feeds: by which readings they testify, and that those of which nothing can be said stay silent.
import { expect, test } from "vitest";
import { aReview } from "../../test/support/factories.ts";
import { aFeed } from "../../test/support/feeds.ts";
import { MovableClock } from "../../test/support/movable-clock.ts";
import type { Listing } from "../domain/feed/listing.ts";
import { type Review, reviewIdOf, type SourceReview } from "../domain/review/review.ts";
import { hourMs } from "../lib/timestamp.ts";
import type { Store } from "../stores/store.ts";
import { readWitnesses, Witnesses } from "./witnesses.ts";

const clock = new MovableClock(new Date("2026-03-04T05:06:07Z"));
const listing: Listing = {
  ...{ id: "l", store: "googleplay", externalAppId: "com.example.tide", workspaceId: null },
};
const stored = Array.from({ length: 8 }, (_, index) => {
  const storeReviewId = `review-${index}`;
  const at = new Date(clock.now().getTime() - (index + 1) * hourMs);
  return aReview({
    ...{ storeReviewId, id: reviewIdOf({ ...listing, storeReviewId }), country: "" },
    ...{ rating: 1 + (index % 5), text: `The tide of port ${index} is late`, date: at },
    reply: { text: `Thanks for port ${index}`, at },
  });
});

type Change = (review: SourceReview) => Partial<SourceReview>;
const asStored: Change = () => ({});
const withoutReplies: Change = () => ({ reply: null });
const reversed: Change = ({ rating }) => ({ rating: 6 - rating });

function readingOf(change: Change): SourceReview[] {
  return stored.map(({ text, date, ...review }: Review) => {
    const source = { ...review, text, date };
    return { ...source, ...change(source) };
  });
}

/** The testimony of one witness whose page has these readings, one for each shape that is in use. */
async function testify(first: Change, ...others: Change[]) {
  const noted: string[] = [];
  const page = {
    reviews: readingOf(first),
    rejectedCount: 0,
    copyMadeAt: null,
    others: others.map((change) => ({ reviews: readingOf(change), rejectedCount: 0 })),
  };
  const feed = aFeed({ listingId: "l", region: "en", headCount: 8 });
  const testimony = await readWitnesses(
    {
      clock,
      witnesses: new Witnesses(),
      feeds: { listFeeds: async () => [feed] },
      openStore: async () =>
        ({
          fetchReviews: async () => ({ outcome: "ok", value: page, next: null, capped: false }),
        }) as unknown as Store,
      listWitnessFeeds: async () => [{ listingId: "l", region: "en" }],
      noteOddFeed: async ({ region }) => {
        noted.push(region);
      },
      loadReviews: async () => stored,
      findListing: async () => listing,
    },
    {
      source: { store: "googleplay", source: "public", workspaceId: null },
      ...{ listing: { ...listing, id: "new" }, region: "en", isFallback: false, isOnTrial: false },
    },
  );
  return { testimony, noted };
}

test.each<[string, Change[], string, string[]]>([
  ["as they are stored", [asStored], "right", []],
  ["that are odd", [withoutReplies], "odd", ["en"]],
  // The store shows its former pages again, and the learned shape has another place for replies.
  ["as they are stored by one of two shapes", [withoutReplies, asStored], "right", []],
  ["that are odd by both shapes", [withoutReplies, reversed], "odd", ["en"]],
])("pages %s", async (_, [first = asStored, ...others], testimony, noted) => {
  expect(await testify(first, ...others)).toEqual({ testimony, noted });
});
