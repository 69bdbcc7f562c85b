// Writes Apple's feed as Atom: plain text in one content, and a table that repeats it in another.

import { type FeedPage, pacificTime } from "./apple-feed-json.ts";
import type { SimulatedReview } from "./store-facts.ts";

export function formatFeedXml(page: FeedPage): string {
  const links = Object.entries({ self: page.self, ...page.links }).map(
    ([rel, href]) => `<link rel="${rel}" href="${escapeXml(href)}"/>`,
  );
  return `<?xml version="1.0" encoding="utf-8"?>
<feed xmlns:im="http://itunes.apple.com/rss" xmlns="http://www.w3.org/2005/Atom" xml:lang="en">
  <id>${escapeXml(page.self)}</id><title>iTunes Store: Customer Reviews</title>
  <updated>${pacificTime(page.madeAt)}</updated>
  ${links.join("")}
  <author><name>iTunes Store</name><uri>http://www.apple.com/itunes/</uri></author>
  ${page.reviews.map((review) => entryOf(review, page.externalAppId)).join("\n")}
</feed>
`;
}

function entryOf(review: SimulatedReview, externalAppId: string): string {
  const { region, votes } = review;
  const href = `https://itunes.apple.com/${region}/review?id=${externalAppId}&type=Purple%20Software`;
  const table = `<table><tr><td><b>${escapeXml(review.title ?? "")}</b><br/>${escapeXml(review.text)}</td></tr></table>`;
  return `<entry>
    <updated>${pacificTime(review.date)}</updated>
    <id>${review.storeReviewId}</id>
    <title>${escapeXml(review.title ?? "")}</title>
    <content type="text">${escapeXml(review.text)}</content>
    <im:contentType term="Application" label="Application"/>
    <im:voteSum>${votes}</im:voteSum><im:voteCount>${votes}</im:voteCount>
    <im:rating>${review.rating}</im:rating><im:version>${escapeXml(review.version)}</im:version>
    <author><name>${escapeXml(review.author)}</name><uri>https://itunes.apple.com/${region}/reviews/id0</uri></author>
    <link rel="related" href="${escapeXml(href)}"/>
    <content type="html">${escapeXml(table)}</content>
  </entry>`;
}

/** Characters beyond the basic plane are written as numbers, as the store does now and then. */
export function escapeXml(text: string): string {
  return text
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;")
    .replace(/[\u{10000}-\u{10ffff}]/gu, (character) => `&#${character.codePointAt(0)};`);
}
