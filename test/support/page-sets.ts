// Apps whose first page of reviews is a file: synthetic ones, and recorded ones where there are any.
import type { ReplayKey } from "../../simulator/replay.ts";
import { hasRecordings, recordedFolder } from "./recorded.ts";
import {
  editPlayReview,
  editRssReview,
  playReviews,
  prependPlayReview,
  prependRssReview,
  rssReviews,
} from "./recorded-reviews.ts";
import { syntheticFolder } from "./store-pages.ts";

const rss = {
  kind: "rss",
  read: rssReviews,
  prepend: prependRssReview,
  edit: editRssReview,
} as const;
const play = {
  kind: "play-reviews",
  read: playReviews,
  prepend: prependPlayReview,
  edit: editPlayReview,
} as const;

const synthetic = {
  what: "synthetic",
  folder: syntheticFolder,
  reviewCountMin: 3,
  details: ["app.lanternfish"],
  pages: [
    {
      file: "apple-rss-json/rss_1987000001_us_p1.json",
      app: { store: "appstore", externalAppId: "1987000001", countries: ["us"] },
      format: rss,
    },
    {
      file: "play-batchexecute/reviews_oCPfdb_app.lanternfish_en.txt",
      app: { store: "googleplay", externalAppId: "app.lanternfish", languages: ["en"] },
      format: play,
    },
  ],
} as const;

const recorded = {
  what: "recorded",
  folder: recordedFolder,
  reviewCountMin: 50,
  details: ["com.google.android.apps.translate"],
  pages: [
    {
      file: "apple-rss-json/rss_497799835_fr_p1.json",
      app: { store: "appstore", externalAppId: "497799835", countries: ["fr"] },
      format: rss,
      isUndated: true,
    },
    {
      file: "apple-rss-json/rss_1404176564_jp_2020.json",
      app: { store: "appstore", externalAppId: "1404176564", countries: ["jp"] },
      format: rss,
      isUndated: true,
    },
    {
      file: "play-batchexecute/reviews_UsvDTd_com.google.android.apps.translate_en_us_newest_p1.txt",
      app: {
        store: "googleplay",
        externalAppId: "com.google.android.apps.translate",
        languages: ["en"],
      },
      format: play,
    },
  ],
} as const;

export type PageSet = typeof synthetic | typeof recorded;
export type PagedApp = PageSet["pages"][number];

export function pageSets(): PageSet[] {
  return hasRecordings() ? [synthetic, recorded] : [synthetic];
}

export function keyOf({ app, format }: PagedApp): ReplayKey {
  const { externalAppId } = app;
  return "countries" in app
    ? { kind: format.kind, externalAppId, region: app.countries[0] }
    : { kind: format.kind, externalAppId };
}
