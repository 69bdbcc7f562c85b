// Writes Apple's feed as JSON: every scalar a string in a `label`, one entry without the array, none
// without the key, paging links that name the XML variant.

import { hourMs } from "../src/lib/timestamp.ts";
import type { SimulatedReview } from "./store-facts.ts";

/** One page of the feed, before it is formatted as JSON or XML. */
export type FeedPage = {
  externalAppId: string;
  region: string;
  reviews: readonly SimulatedReview[];
  madeAt: Date;
  self: string;
  links: Readonly<Record<"first" | "last" | "previous" | "next", string>>;
};

export function formatFeedJson(page: FeedPage): string {
  const { region, reviews, self, links } = page;
  const entries = reviews.map((review) => entryOf(review, page.externalAppId));
  const feed = {
    author: { name: label("iTunes Store"), uri: label("http://www.apple.com/itunes/") },
    ...(entries.length > 0 ? { entry: entries.length === 1 ? entries[0] : entries } : {}),
    updated: label(pacificTime(page.madeAt)),
    rights: label("Copyright 2008 Apple Inc."),
    title: label("iTunes Store: Customer Reviews"),
    icon: label("http://itunes.apple.com/favicon.ico"),
    link: [
      linkOf("alternate", `https://music.apple.com/viewGrouping?cc=${region}`),
      linkOf("self", self),
      ...Object.entries(links).map(([rel, href]) => linkOf(rel, href)),
    ],
    id: label(self),
  };
  return JSON.stringify({ feed });
}

/** The end of the address of a reviewer's page. */
export const reviewerPage = "/reviews/id0";

function entryOf(review: SimulatedReview, externalAppId: string): unknown {
  const { region } = review;
  return {
    author: {
      uri: label(`https://itunes.apple.com/${region}${reviewerPage}`),
      name: label(review.author),
      label: "",
    },
    updated: label(pacificTime(review.date)),
    "im:rating": label(String(review.rating)),
    "im:version": label(review.version),
    id: label(review.storeReviewId),
    title: label(review.title ?? ""),
    content: { label: review.text, attributes: { type: "text" } },
    link: linkOf(
      "related",
      `https://itunes.apple.com/${region}/review?id=${externalAppId}&type=Purple%20Software`,
    ),
    "im:voteSum": label(String(review.votes)),
    "im:contentType": { attributes: { term: "Application", label: "Application" } },
    "im:voteCount": label(String(review.votes)),
  };
}

function label(text: string): { label: string } {
  return { label: text };
}

function linkOf(rel: string, href: string): unknown {
  return { attributes: { rel, href } };
}

/** The store writes -07:00 in winter, too. */
export function pacificTime(moment: Date): string {
  const shifted = new Date(moment.getTime() - 7 * hourMs);
  return `${shifted.toISOString().slice(0, 19)}-07:00`;
}
