// What Apple's feed and pages do instead of answering well, and their odd spellings of a good answer.

import type { FaultDetail, FaultTable } from "./faults.ts";
import { editFeed, editFeedXml, type Fields } from "./response-edits.ts";
import type { StoreResponse } from "./store-response.ts";

export const appleFaults = {
  /** No entries, while the paging links promise more. */
  hole: (answer: StoreResponse) => editFeed(withoutEntries(answer), (feed) => delete feed["entry"]),
  /** Nothing, not even links. */
  network_block: (answer: StoreResponse) =>
    editFeed(
      editFeedXml(withoutEntries(answer), (xml) =>
        xml.replace(/(rel="(?:first|last|previous|next)" href=")[^"]*/g, "$1"),
      ),
      (feed) => {
        feed["entry"] = null;
        for (const link of linksOf(feed)) link["href"] = "";
      },
    ),
  /** The feed says `null` where its entries were, and its links stay. */
  null_entry: (answer: StoreResponse) =>
    editFeed(withoutEntries(answer), (feed) => {
      feed["entry"] = null;
    }),
  /** Entries without version, votes and the author's address, which all may be missing. */
  bare_entries: (answer: StoreResponse) =>
    editFeed(
      editFeedXml(answer, (xml) =>
        xml.replace(/<(im:version|im:voteSum|im:voteCount|uri)>[^<]*<\/\1>/g, ""),
      ),
      (feed) => {
        for (const entry of entriesOf(feed)) {
          for (const name of ["im:version", "im:voteSum", "im:voteCount"]) delete entry[name];
          delete (entry["author"] as Fields)["uri"];
        }
      },
    ),
  /** Rows of the old desktop program and reviews on product pages are missing. */
  no_fallbacks: (answer: StoreResponse) => ({
    ...answer,
    body: answer.body
      .replace(/"userReviewList":\[.*\]/s, '"userReviewList":[]')
      .replaceAll('"$kind":"Review"', '"$kind":"Elsewhere"'),
  }),
  /** A copy that some edge kept too long: old, and without the newest review. */
  stale_copy: (answer: StoreResponse, { madeAt }: FaultDetail) =>
    editFeed(answer, (feed) => {
      feed["entry"] = entriesOf(feed).slice(1);
      feed["updated"] = { label: madeAt ?? "2020-01-01T00:00:00-07:00" };
    }),
  /** The app itself stands before its reviews, as in feeds of old. */
  app_entry_first: (answer: StoreResponse) =>
    editFeed(
      editFeedXml(answer, (xml) => xml.replace("<entry>", `${appEntry}<entry>`)),
      (feed) => {
        feed["entry"] = [
          { "im:name": { label: "Sample" }, id: { label: "1" } },
          ...entriesOf(feed),
        ];
      },
    ),
  /** Entries without a date, as in feeds of old. */
  undated: (answer: StoreResponse) =>
    editFeed(
      editFeedXml(answer, (xml) => xml.replace(/(<entry>\s*)<updated>[^<]*<\/updated>/g, "$1")),
      (feed) => {
        for (const entry of entriesOf(feed)) delete entry["updated"];
      },
    ),
  /** Five stars last, where they are always first. */
  reversed_histogram: (answer: StoreResponse) => ({
    ...answer,
    body: answer.body.replace(
      /"ratingCounts":\[([^\]]*)\]/,
      (_, counts: string) => `"ratingCounts":[${counts.split(",").reverse().join(",")}]`,
    ),
  }),
} satisfies FaultTable;

function withoutEntries(answer: StoreResponse): StoreResponse {
  return editFeedXml(answer, (xml) => xml.replace(/<entry>.*<\/entry>/gs, ""));
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
