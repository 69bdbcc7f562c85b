// Events of channels with invented texts, among them those that a service could take for its own formatting.
import type {
  AlertDocument,
  ChannelEvent,
  DigestDocument,
  ReviewEventDocument,
} from "../../src/domain/channel/channel-event.ts";

export const oddTexts: Readonly<Record<string, string>> = {
  "a long one": `Begin ${"lorem ipsum dolor ".repeat(600)}end`,
  "right to left": "אפליקציה נהדרת \u202e but turned",
  emoji: "👩‍👩‍👧‍👦 family 🇩🇪 flags :smile: and 🌱",
  HTML: '<b>bold</b> &amp; <script>alert("x")</script> <!channel> <@U123>',
  Markdown: "**bold** _it_ ~~no~~ `code` ||spoiler|| [link](https://example.com/a_b) # head",
  "Markdown lines": "# head\n> quote\n- item\n1. one\n-# small\n```\ncode\n```",
  mentions: "@everyone <!here> <#C123> <t:1:R> https://example.com/x?a=b&c=d",
  "only signs": "*_~`|<>&\\",
};

export function aReviewEvent(
  review: Partial<ReviewEventDocument["review"]> = {},
): Extract<ChannelEvent, { event: "review.created" }> {
  return {
    event: "review.created",
    workspaceId: "00000000-0000-4000-8000-0000000000aa",
    channelId: "00000000-0000-4000-8000-0000000000bb",
    channelName: "Invented",
    app: {
      id: "00000000-0000-4000-8000-0000000000cc",
      name: "Tidepool *Journal* & <Friends>",
      store: "appstore",
      externalAppId: "1234567890",
    },
    review: {
      id: "00000000-0000-5000-8000-0000000000dd",
      store: "appstore",
      rating: 2,
      title: "Good *tides*",
      text: "The tide table is wrong.",
      translatedText: null,
      translatedFrom: null,
      author: "river_stone",
      version: "4.2.1",
      country: "de",
      date: "2026-03-02T12:00:00Z",
      ...review,
    },
  };
}

export function aDropEvent(): Extract<ChannelEvent, { event: "review.rating_drop" }> {
  const { review: _, ...source } = aReviewEvent();
  return {
    ...source,
    event: "review.rating_drop",
    ratingDrop: {
      currentAvg: 4.21,
      baselineAvg: 4.52,
      drop: 0.31,
      sampleSize: 12_345,
      baselineSampleSize: 12_000,
      periodDays: 7,
    },
    days: [4.52, 4.5, 4.47, 4.4, 4.33, 4.25, 4.21].map((average, day) => ({
      day: `2026-03-0${day + 1}`,
      average,
    })),
  };
}

/** A digest as long as one gets, in which strangers wrote that text. */
export function aDigestEvent(quote: string, appCount = 5): DigestDocument {
  const { review: _, app, ...source } = aReviewEvent();
  const complaint = (topic: string | null) => ({
    topic,
    count: 12,
    quote: { reviewId: "invented", rating: 1, text: quote, version: "4.2.1", country: "de" },
  });
  return {
    ...source,
    event: "digest",
    rhythm: "weekly",
    range: { from: "2026-02-23", to: "2026-03-01" },
    apps: Array.from({ length: appCount }, () => ({
      app,
      sentences: [
        "From 23 Feb to 1 Mar there were 14 reviews, 9 would be usual, with 3.21 stars on average (4.10 before).",
        "6 of 14 reviews complain about crashes: 43% now, 4 of 36 before.",
        `“${quote.slice(0, 60)}” is new this week: 5 of 14 reviews in English say it, 0 of 36 before.`,
      ],
      matchingCount: 7,
      ratings: { average: 4.21, total: 12_345 },
      ratingsBefore: { average: 4.25, total: 12_284 },
      complaints: [complaint("feature_request"), complaint("login"), complaint(null)],
    })),
    others: Array.from({ length: 10 }, () => ({ app, reviewCount: 1 })),
    unnamedCount: 3,
  };
}

export function anAlertEvent(event: AlertDocument["event"], line: string): AlertDocument {
  const { review: _, app, ...source } = aReviewEvent();
  const isOfChannel = event === "channel.failing";
  return {
    ...source,
    event,
    app: isOfChannel ? null : app,
    failing: isOfChannel
      ? { id: "00000000-0000-4000-8000-0000000000ee", name: "Ops *chat*" }
      : null,
    lines: [line, "Ratings, de: HTTP 503"],
    moreCount: 2,
  };
}
