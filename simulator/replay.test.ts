// Recorded bodies served through both store clients, as they are and edited while the server runs.
import { afterEach, describe, expect, test } from "vitest";
import type { FetchedPage } from "../src/stores/store.ts";
import { hasRecordings, recordedFolder } from "../test/support/recorded.ts";
import {
  crawlReviews,
  idsOf,
  openStoreHarness,
  type StoreHarness,
} from "../test/support/store-harness.ts";
import { Replay } from "./replay.ts";

const feed = { kind: "rss", externalAppId: "497799835", region: "fr" } as const;
const play = { kind: "play-reviews", externalAppId: "com.google.android.apps.translate" } as const;

function openReplay(): Replay {
  return new Replay({
    folder: recordedFolder,
    entries: [
      { ...feed, file: "apple-rss-json/rss_497799835_fr_p1.json" },
      {
        ...play,
        region: "en",
        file: "play-batchexecute/reviews_UsvDTd_com.google.android.apps.translate_en_us_newest_p1.txt",
      },
      {
        kind: "play-details",
        externalAppId: play.externalAppId,
        file: "play-details-html/com.google.android.apps.translate_en_us.html",
      },
      {
        kind: "lookup",
        externalAppId: "7",
        body: '{"resultCount":1,"results":[{"trackId":7,"trackName":"Seven"}]}',
      },
    ],
  });
}

describe.skipIf(!hasRecordings())("replay", () => {
  let harness: StoreHarness;
  afterEach(() => harness.close());

  test("recorded pages are read to the end, and an app without a recording is unknown to the store", async () => {
    harness = await openStoreHarness({ replay: openReplay() });
    const french = await crawlReviews(harness.apple, feed);
    expect(french.map((page) => page.outcome)).toEqual(["ok", "empty"]);
    expect(idsOf(french).length).toBe(50);
    const english = await crawlReviews(harness.google, { ...play, region: "en" });
    expect(idsOf(english).length).toBe(150);
    const german = await harness.apple.fetchReviews({ ...feed, region: "de", cursor: null });
    expect(german.outcome).toBe("empty");
    const { externalAppId } = play;
    const ratings = await harness.google.fetchRatings({ externalAppId, region: "us" });
    expect(ratings).toMatchObject({ value: { total: 9_039_805 } });
    const seven = await harness.apple.fetchApp({ externalAppId: "7", region: "us" });
    expect(seven).toMatchObject({ value: { name: "Seven" } });
  });

  test("a page is served with one review edited and a new one before it", async () => {
    const replay = openReplay();
    harness = await openStoreHarness({ replay });
    const before = await harness.apple.fetchReviews({ ...feed, cursor: null });
    replay.edit(feed, (json) => {
      const { entry } = (json as { feed: { entry: Record<string, unknown>[] } }).feed;
      const [first] = entry;
      entry.splice(
        0,
        1,
        { ...first, id: { label: "99" } },
        { ...first, "im:rating": { label: "1" } },
      );
      return json;
    });
    const after = await harness.apple.fetchReviews({ ...feed, cursor: null });
    expect(idsOf([after])).toEqual(["99", ...idsOf([before])]);
    expect(ratingsOf(after)[1]).toBe(1);
  });

  test("a payload of Google Play is edited inside its framing", async () => {
    const replay = openReplay();
    harness = await openStoreHarness({ replay });
    replay.edit(play, (payload) => {
      const [reviews, ...rest] = payload as [unknown[][], ...unknown[]];
      const [first = []] = reviews;
      return [[first.with(2, 1), ...reviews.slice(1)], ...rest];
    });
    const page = await harness.google.fetchReviews({ ...play, region: "en", cursor: null });
    expect(ratingsOf(page)[0]).toBe(1);
  });
});

function ratingsOf(page: FetchedPage): number[] {
  return page.outcome === "ok" ? page.value.reviews.map((review) => review.rating) : [];
}
