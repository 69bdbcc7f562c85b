// The bodies of webhook deliveries for the documentation.
import {
  alertBody,
  channelFailingBody,
  ratingDropBody,
  reviewCreatedBody,
  reviewUpdatedBody,
} from "../domain/event.ts";

/** Every event, in the order of the contract; behind them the alerts, of which `reviews.spike` stands for three. */
export const webhooks = [
  {
    event: "review.created",
    summary: "A new review matches the channel's filters",
    body: reviewCreatedBody,
  },
  {
    event: "review.updated",
    summary: "A review already delivered to this channel changed its rating or text",
    body: reviewUpdatedBody,
  },
  {
    event: "review.rating_drop",
    summary: "The app's overall rating fell past the channel's threshold",
    body: ratingDropBody,
  },
  {
    event: "reviews.spike",
    summary: "Complaints about a topic, or negative reviews, rose; only for channels that chose it",
    body: alertBody,
  },
  {
    event: "channel.failing",
    summary: "Another channel has failed for ten minutes; only for channels that chose it",
    body: channelFailingBody,
  },
] as const;
