import { describe, expect, test } from "vitest";
import {
  alertNames,
  type Channel,
  channelDefaults,
  eventNames,
  webhookFields,
} from "../domain/channel/channel.ts";
import { channelEventSchema } from "../domain/channel/channel-event.ts";
import { ratingDropBody, reviewCreatedBody, reviewUpdatedBody } from "../domain/channel/event.ts";
import type { App } from "../domain/feed/listing.ts";
import type { Review } from "../domain/review/review.ts";
import {
  toAlertDelivery,
  toRatingDropDelivery,
  toReviewDelivery,
  toTestDelivery,
} from "./deliveries.ts";
import { sampleAlert, sampleReview } from "./sample.ts";

const now = new Date("2026-03-10T12:00:00Z");
const app = { id: "app-1", name: "Übersicht", store: "appstore" } as App;
const channel: Channel = {
  ...channelDefaults,
  ...webhookFields,
  id: "channel-1",
  workspaceId: "workspace-1",
  name: "Invented",
  url: "https://hooks.example.com/",
  createdAt: now,
};
const review: Review = {
  ...sampleReview(now),
  id: "review-1",
  title: "Titel",
  text: 'Läuft "gut" 🌱\n',
  author: "Erfunden",
  version: "2.1",
  country: "de",
  rating: 2,
  analysis: { language: "de", sentiment: null, topics: [], version: 1 },
  translation: { text: "Runs well", from: "de" },
};

const newId = (): string => "delivery-1";
const jsonOf = (body: Buffer | undefined): string => String(body);
const head =
  '"channelId":"channel-1","channelName":"Invented","app":{"id":"app-1","name":"Übersicht","store":"appstore"}';

function created(overrides: { channel?: Partial<Channel>; review?: Partial<Review>; app?: App }) {
  return toReviewDelivery(
    {
      event: "review.created",
      channel: { ...channel, ...overrides.channel },
      app: overrides.app ?? app,
      review: { ...review, ...overrides.review },
      topics: [],
    },
    newId,
  );
}

describe("a delivery of a new review", () => {
  test("is addressed, and its body has the contract's keys in the contract's order", () => {
    const delivery = created({});
    expect(delivery).toMatchObject({
      id: "delivery-1",
      channelId: "channel-1",
      workspaceId: "workspace-1",
      appId: "app-1",
      reviewId: "review-1",
      event: "review.created",
      isTest: false,
    });
    expect(jsonOf(delivery?.body)).toBe(
      `{"event":"review.created",${head},"review":{"id":"review-1","store":"appstore","rating":2,` +
        '"title":"Titel","text":"Läuft \\"gut\\" 🌱\\n","translatedText":null,"translatedFrom":null,' +
        '"author":"Erfunden","version":"2.1","country":"de","date":"2026-03-10T12:00:00Z"}}',
    );
  });

  test("from Google Play has no title", () => {
    const { review } = JSON.parse(jsonOf(created({ app: { ...app, store: "googleplay" } }).body));
    expect(review).toMatchObject({ title: null, store: "googleplay" });
  });

  const english = { ...review.analysis, language: "en" } as Review["analysis"];
  test.each<[string, boolean, Partial<Review>, string | null]>([
    ["translation on and there is one", true, {}, "Runs well"],
    ["translation off", false, {}, null],
    ["translation on and none was made", true, { translation: null }, null],
    [
      "an English review",
      true,
      { analysis: english, translation: { text: "x", from: "en" } },
      null,
    ],
  ])("with %s", (_what, translate, translatedReview, translatedText) => {
    const body = jsonOf(created({ channel: { translate }, review: translatedReview }).body);
    const translatedFrom = translatedText === null ? null : "de";
    expect(JSON.parse(body).review).toMatchObject({ translatedText, translatedFrom });
  });
});

describe("a delivery of an edit", () => {
  const updated = (before: Partial<Review>): string =>
    jsonOf(
      toReviewDelivery(
        {
          event: "review.updated",
          channel,
          app,
          review,
          topics: [],
          before: { ...review, ...before },
        },
        newId,
      ).body,
    );

  test.each<[Partial<Review>, string]>([
    [
      { rating: 5 },
      '{"oldScore":5,"newScore":2,"ratingChanged":true,"textChanged":false,"headline":"Rating changed from 5 to 2 stars"}',
    ],
    [
      { text: "Vorher" },
      '{"oldScore":2,"newScore":2,"ratingChanged":false,"textChanged":true,"headline":"Text edited"}',
    ],
    [
      { title: null, rating: 1 },
      '{"oldScore":1,"newScore":2,"ratingChanged":true,"textChanged":true,"headline":"Rating changed from 1 to 2 stars and text edited"}',
    ],
  ])("after %j says what changed, behind the review", (before, change) => {
    const body = updated(before);
    expect(body).toMatch(/^\{"event":"review.updated",.*,"review":\{.*\},"change":\{/);
    expect(body.endsWith(`"change":${change}}`)).toBe(true);
  });
});

test("a delivery of a rating drop has no review", () => {
  const ratingDrop = {
    currentAvg: 4.1,
    baselineAvg: 4.5,
    drop: 0.4,
    sampleSize: 120,
    baselineSampleSize: 100,
    periodDays: 7,
  };
  const delivery = toRatingDropDelivery({ channel, app, ratingDrop }, newId);
  expect(delivery).toMatchObject({ event: "review.rating_drop", appId: "app-1", reviewId: null });
  expect(jsonOf(delivery.body)).toBe(
    `{"event":"review.rating_drop",${head},"ratingDrop":{"currentAvg":4.1,"baselineAvg":4.5,` +
      '"drop":0.4,"sampleSize":120,"baselineSampleSize":100,"periodDays":7}}',
  );
});

test("the test event is a review.created with invented data and the channel's own name", () => {
  const delivery = toTestDelivery({ channel, now }, newId);
  expect(delivery).toMatchObject({ event: "review.created", isTest: true, reviewId: null });
  const body = JSON.parse(jsonOf(delivery.body));
  expect(body).toMatchObject({ event: "review.created", channelId: "channel-1" });
  expect(Object.keys(body.review)).toHaveLength(11);
});

test("the review of a test event has a rating that the channel gets", () => {
  const critical: Channel = { ...channel, stars: [1, 2] };
  const delivery = toTestDelivery({ channel: critical, now }, newId);
  expect(JSON.parse(jsonOf(delivery.body))).toMatchObject({ review: { rating: 1 } });
});

const bodies = {
  "review.created": reviewCreatedBody,
  "review.updated": reviewUpdatedBody,
  "review.rating_drop": ratingDropBody,
};

test.each(eventNames)(
  "a test event of the chosen kind, %s, has the body of a real one",
  (event) => {
    const daily: Channel = { ...channel, type: "slack", digest: "daily" };
    for (const receiving of [channel, daily]) {
      const delivery = toTestDelivery({ channel: receiving, now, event }, newId);
      expect(delivery).toMatchObject({ event, isTest: true, filterable: null });
      const schema = receiving === channel ? bodies[event] : channelEventSchema;
      expect(schema.parse(JSON.parse(jsonOf(delivery.body)))).toMatchObject({ event });
    }
  },
);

test.each(alertNames)("a test of the alert %s has the body of a real one", (event) => {
  const slack: Channel = { ...channel, type: "slack" };
  for (const receiving of [channel, slack]) {
    const delivery = toTestDelivery({ channel: receiving, now, event }, newId);
    expect(delivery).toMatchObject({ event, isTest: true, appId: null });
    const body = JSON.parse(jsonOf(delivery.body));
    const real = toAlertDelivery(
      { channel: receiving, content: sampleAlert(event), causes: [] },
      newId,
    );
    expect(body).toEqual(JSON.parse(jsonOf(real.body)));
    expect(body.lines.join()).not.toBe("");
    if (receiving === slack) expect(channelEventSchema.parse(body)).toMatchObject({ event });
  }
});

test("the test of a channel with digests is a digest with invented data, of the days before", () => {
  const weekly: Channel = { ...channel, type: "slack", digest: "weekly" };
  const delivery = toTestDelivery({ channel: weekly, now }, newId);
  expect(delivery).toMatchObject({ event: "digest", isTest: true, appId: null, filterable: null });
  expect(channelEventSchema.parse(JSON.parse(jsonOf(delivery.body)))).toMatchObject({
    channelId: "channel-1",
    rhythm: "weekly",
    range: { from: "2026-03-03", to: "2026-03-09" },
  });
});
