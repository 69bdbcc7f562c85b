// Reads and edits recorded review pages in the simplest way, without the connectors: an independent
// reference for what a page contains.
import { readFileSync } from "node:fs";
import path from "node:path";

/** A review of a page, with the read API's field names. */
export type RecordedReview = {
  storeReviewId: string;
  author: string;
  rating: number;
  title: string | null;
  text: string;
  version: string;
  /** null where the store has none. */
  country: string | null;
  languageHint: string | null;
  date: string;
};

export type ReviewContent = {
  storeReviewId: string;
  rating: number;
  text: string;
  author: string;
  date: Date;
};

/** Apple wraps every scalar in an object; an author has a name inside. */
type Label = { label: string; name?: { label: string } };
type RssEntry = Record<string, Label | undefined>;
type RssFeed = { feed: { entry: RssEntry[]; updated: Label } };

/** The file is a `rss_APP_CC_….json`. Pages of 2020 have no dates: the date of the page is used. */
export function rssReviews(file: string): RecordedReview[] {
  const country = path.basename(file).split("_")[2] ?? "";
  const { feed } = JSON.parse(readFileSync(file, "utf8")) as RssFeed;
  return feed.entry.map((entry) => ({
    storeReviewId: labelOf(entry, "id"),
    author: entry["author"]?.name?.label ?? "",
    rating: Number(labelOf(entry, "im:rating")),
    title: labelOf(entry, "title"),
    text: labelOf(entry, "content"),
    version: labelOf(entry, "im:version"),
    country,
    languageHint: null,
    date: plainDate(new Date(entry["updated"]?.label ?? feed.updated.label)),
  }));
}

export function prependRssReview(payload: unknown, review: ReviewContent): unknown {
  const page = payload as RssFeed;
  const [first] = page.feed.entry;
  if (!first) throw new Error("the recorded page is empty");
  page.feed.entry.unshift(writeRss(first, review));
  return page;
}

export function editRssReview(payload: unknown, edit: ReviewContent & { index: number }): unknown {
  const page = payload as RssFeed;
  page.feed.entry = page.feed.entry.map((entry, index) =>
    index === edit.index
      ? writeRss(entry, { ...edit, storeReviewId: labelOf(entry, "id") })
      : entry,
  );
  return page;
}

function writeRss(entry: RssEntry, review: ReviewContent): RssEntry {
  return {
    ...entry,
    id: { label: review.storeReviewId },
    author: { label: "", name: { label: review.author } },
    updated: { label: review.date.toISOString() },
    "im:rating": { label: String(review.rating) },
    content: { label: review.text },
  };
}

function labelOf(entry: RssEntry, field: string): string {
  return entry[field]?.label ?? "";
}

type PlayReview = unknown[];

export function playReviews(file: string): RecordedReview[] {
  const body = readFileSync(file, "utf8");
  const frames = JSON.parse(body.slice(body.indexOf("["))) as unknown[][];
  const payload = JSON.parse(String(frames[0]?.[2])) as [PlayReview[]];
  return payload[0].map((review) => ({
    storeReviewId: String(review[0]),
    author: String((review[1] as unknown[])[0]),
    rating: Number(review[2]),
    title: null,
    text: String(review[4] ?? review[3] ?? ""),
    version: String(review[10] ?? ""),
    country: null,
    languageHint: "en",
    date: plainDate(playDate(review[5] as [number, number])),
  }));
}

export function prependPlayReview(payload: unknown, review: ReviewContent): unknown {
  const page = payload as [PlayReview[], ...unknown[]];
  page[0].unshift(writePlay([], review));
  return page;
}

export function editPlayReview(payload: unknown, edit: ReviewContent & { index: number }): unknown {
  const page = payload as [PlayReview[], ...unknown[]];
  page[0] = page[0].map((review, index) =>
    index === edit.index
      ? writePlay(review, { ...edit, storeReviewId: String(review[0]) })
      : review,
  );
  return page;
}

function writePlay(row: PlayReview, review: ReviewContent): PlayReview {
  const edited = [...row];
  const seconds = Math.floor(review.date.getTime() / 1_000);
  edited[0] = review.storeReviewId;
  edited[1] = [review.author];
  edited[2] = review.rating;
  edited[4] = review.text;
  edited[5] = [seconds, 0];
  return edited;
}

function playDate([seconds, nanos]: [number, number]): Date {
  return new Date(seconds * 1_000 + Math.floor(nanos / 1_000_000));
}

function plainDate(date: Date): string {
  return date.toISOString().replace(".000Z", "Z");
}
