// Faults of Apple's feed and pages, and the unusual forms that their good responses take.

import { hourMs } from "../src/lib/timestamp.ts";
import { pacificTime } from "./apple-feed-json.ts";
import { editFeed, editFeedXml, type Fields } from "./response-edits.ts";
import type { FaultDetail, FaultTable, StoreResponse } from "./store-response.ts";

export const appleFaults = {
  /** A gap: a page without entries whose paging links say that there are more. */
  hole: (response: StoreResponse) =>
    editFeed(withoutEntries(response), (feed) => delete feed["entry"]),
  /** Neither entries nor links. */
  network_block: (response: StoreResponse) =>
    editFeed(
      editFeedXml(withoutEntries(response), (xml) =>
        xml.replace(/(rel="(?:first|last|previous|next)" href=")[^"]*/g, "$1"),
      ),
      (feed) => {
        feed["entry"] = null;
        for (const link of linksOf(feed)) link["href"] = "";
      },
    ),
  /** `null` in place of the entries; the links stay. */
  null_entry: (response: StoreResponse) =>
    editFeed(withoutEntries(response), (feed) => {
      feed["entry"] = null;
    }),
  /** Entries without the optional fields: version, votes and the author's address. */
  bare_entries: (response: StoreResponse) =>
    editFeed(
      editFeedXml(response, (xml) =>
        xml.replace(/<(im:version|im:voteSum|im:voteCount|uri)>[^<]*<\/\1>/g, ""),
      ),
      (feed) => {
        for (const entry of entriesOf(feed)) {
          for (const name of ["im:version", "im:voteSum", "im:voteCount"]) delete entry[name];
          delete (entry["author"] as Fields)["uri"];
        }
      },
    ),
  /** No reviews in the rows for the old desktop program and on product pages. */
  no_fallbacks: (response: StoreResponse) => ({
    ...response,
    body: response.body
      .replace(/"userReviewList":\[.*\]/s, '"userReviewList":[]')
      .replaceAll('"$kind":"Review"', '"$kind":"Elsewhere"'),
  }),
  /** An outdated copy from a cache of the store: old, and without the newest review. */
  stale_copy: (response: StoreResponse, { madeAt }: FaultDetail) =>
    editFeed(response, (feed) => {
      feed["entry"] = entriesOf(feed).slice(1);
      feed["updated"] = { label: madeAt ?? "2020-01-01T00:00:00-07:00" };
    }),
  /** The app itself as the first entry, as in older feeds. */
  app_entry_first: (response: StoreResponse) =>
    editFeed(
      editFeedXml(response, (xml) => xml.replace("<entry>", `${appEntry}<entry>`)),
      (feed) => {
        feed["entry"] = [
          { "im:name": { label: "Sample" }, id: { label: "1" } },
          ...entriesOf(feed),
        ];
      },
    ),
  /** Entries without a date, as in older feeds. */
  undated: (response: StoreResponse) =>
    editFeed(
      editFeedXml(response, (xml) => xml.replace(/(<entry>\s*)<updated>[^<]*<\/updated>/g, "$1")),
      (feed) => {
        for (const entry of entriesOf(feed)) delete entry["updated"];
      },
    ),
  /** No text where it was, as after a change of the layout. */
  moved_field: (response: StoreResponse) =>
    editFeed(
      editFeedXml(response, (xml) =>
        xml.replace(/<content type="text">/g, '<content type="plain">'),
      ),
      (feed) => {
        for (const entry of entriesOf(feed)) {
          entry["body"] = entry["content"];
          delete entry["content"];
        }
      },
    ),
  /** A list where the text was. */
  wrong_type: (response: StoreResponse) =>
    editFeed(response, (feed) => {
      for (const entry of entriesOf(feed)) {
        entry["content"] = { label: [(entry["content"] as Fields)["label"]] };
      }
    }),
  /** The id of a review where its text was. */
  replaced_texts: (response: StoreResponse) =>
    editFeed(response, (feed) => {
      for (const entry of entriesOf(feed)) entry["content"] = entry["id"];
    }),
  /** The oldest review of a page first. */
  shuffled: (response: StoreResponse) =>
    editFeed(response, (feed) => {
      feed["entry"] = entriesOf(feed).toReversed();
    }),
  /** The first review of each page is of the year 2099. */
  future_date: (response: StoreResponse) =>
    editFeed(response, (feed) => {
      const [first] = entriesOf(feed);
      if (first) first["updated"] = { label: "2099-01-01T00:00:00-07:00" };
    }),
  /** All dates are off by the same time, as of a clock that is wrong. */
  clock_step: (response: StoreResponse, { stepMs = hourMs }: FaultDetail) => ({
    ...response,
    body: response.body.replace(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d-07:00/g, (date) =>
      pacificTime(new Date(Date.parse(date) + stepMs)),
    ),
  }),
  /** The feed of another app in place of the one that was requested. */
  foreign_feed: (response: StoreResponse) =>
    editFeed(response, (feed) => {
      for (const entry of entriesOf(feed)) {
        entry["id"] = { label: `9${(entry["id"] as Fields)["label"]}` };
        const href = "https://itunes.apple.com/us/review?id=987654321&type=Purple%20Software";
        entry["link"] = { attributes: { rel: "related", href } };
      }
    }),
  /** The histogram with five stars last; normally they come first. */
  reversed_histogram: (response: StoreResponse) => ({
    ...response,
    body: response.body.replace(
      /"ratingCounts":\[([^\]]*)\]/,
      (_, counts: string) => `"ratingCounts":[${counts.split(",").reverse().join(",")}]`,
    ),
  }),
} satisfies FaultTable;

function withoutEntries(response: StoreResponse): StoreResponse {
  return editFeedXml(response, (xml) => xml.replace(/<entry>.*<\/entry>/gs, ""));
}

const appEntry = "<entry><id>1</id><title>Sample</title><im:name>Sample</im:name></entry>";

function entriesOf(feed: Fields): Fields[] {
  const entry = feed["entry"];
  if (entry === undefined || entry === null) return [];
  return (Array.isArray(entry) ? entry : [entry]) as Fields[];
}

/** The attributes of the four paging links. */
function linksOf(feed: Fields): Fields[] {
  const links = (feed["link"] ?? []) as { attributes: Fields }[];
  const paging = ["first", "last", "previous", "next"];
  return links
    .map(({ attributes }) => attributes)
    .filter((link) => paging.includes(String(link["rel"])));
}
