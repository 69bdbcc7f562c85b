// The shapes of the App Store's feed of reviews as JSON, and of the nodes in an app's page.
import { at, type Shape } from "./shape.ts";

/** Every scalar of the feed is wrapped in a label. */
export const appleFeed = {
  name: "apple-feed",
  version: 1,
  root: ["feed", "entry"],
  fields: {
    id: at.text("id", "label"),
    rating: at.text("im:rating", "label"),
    author: at.value("author", "name", "label"),
    title: at.value("title", "label"),
    text: at.value("content", "label"),
    version: at.value("im:version", "label"),
    updated: at.text("updated", "label"),
    voteSum: at.text("im:voteSum", "label"),
    // Entries have one link, or a list of them.
    href: {
      type: "text",
      paths: [
        ["link", "attributes", "href"],
        ["link", 0, "attributes", "href"],
      ],
    },
  },
} as const satisfies Shape;

export type AppleFeedShape = Shape<(typeof appleFeed)["fields"]>;

/** The ratings on an app's page. Counts may be fractions. */
export const appleRatings = {
  name: "apple-ratings",
  version: 1,
  root: [],
  fields: {
    productId: at.value("productId"),
    total: at.number("totalNumberOfRatings"),
    average: at.number("ratingAverage"),
    fiveStars: at.number("ratingCounts", 0),
    fourStars: at.number("ratingCounts", 1),
    threeStars: at.number("ratingCounts", 2),
    twoStars: at.number("ratingCounts", 3),
    oneStar: at.number("ratingCounts", 4),
  },
} as const satisfies Shape;

export type AppleRatingsShape = Shape<(typeof appleRatings)["fields"]>;

/** A review on an app's page. */
export const applePageReviews = {
  name: "apple-page-reviews",
  version: 1,
  root: [],
  fields: {
    id: at.text("id"),
    author: at.value("reviewerName"),
    rating: at.number("rating"),
    title: at.value("title"),
    text: at.value("contents"),
    date: at.text("date"),
    replyText: at.value("response", "contents"),
    replyDate: at.text("response", "date"),
  },
} as const satisfies Shape;
