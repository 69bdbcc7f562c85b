import { describe, expect, test } from "vitest";
import { type Channel, channelDefaults } from "../domain/channel.ts";
import type { App } from "../domain/listing.ts";
import type { Review } from "../domain/review.ts";
import { matchReviews, type ReviewChange } from "./match-reviews.ts";
import { sampleReview } from "./sample.ts";

const addedAt = new Date("2026-03-10T12:00:00Z");
const app = { id: "app-1", workspaceId: "workspace-1", addedAt } as App;

function aChannel(given: Partial<Channel> = {}): Channel {
  return {
    ...channelDefaults,
    id: "channel-1",
    workspaceId: "workspace-1",
    name: "Invented",
    url: "https://hooks.example.com/",
    createdAt: addedAt,
    failingSince: null,
    failingReason: null,
    ...given,
  };
}

function aReview(given: Partial<Review> & { topics?: string[] } = {}): Review {
  const { topics, ...rest } = given;
  const analysis = topics ? { language: "en", sentiment: null, topics, version: 1 } : null;
  return { ...sampleReview(addedAt), id: "review-1", rating: 2, analysis, ...rest };
}

const created = (review: Review): ReviewChange => ({ kind: "new", before: null, after: review });
const edited = (before: Review, after: Review): ReviewChange => ({ kind: "edited", before, after });

function match(given: Partial<Parameters<typeof matchReviews>[0]>) {
  return matchReviews({
    channels: [aChannel()],
    apps: [app],
    changes: [created(aReview())],
    announce: "fresh",
    delivered: [],
    ...given,
  });
}

const countOf = (given: Parameters<typeof match>[0]): number => match(given).events.length;

describe("a new review is created for a channel", () => {
  test("once, and is remembered as announced", () => {
    const review = aReview();
    expect(match({ changes: [created(review)] })).toEqual({
      events: [{ event: "review.created", channel: aChannel(), app, review }],
      announced: [{ channelId: "channel-1", reviewId: "review-1" }],
    });
  });

  test.each<[string, Partial<Channel>, Parameters<typeof aReview>[0], number]>([
    ["all filters open", {}, {}, 1],
    ["its stars", { stars: [1, 2] }, {}, 1],
    ["other stars", { stars: [1, 3, 5] }, {}, 0],
    ["no stars at all", { stars: [] }, {}, 0],
    ["its app", { apps: ["app-0", "app-1"] }, {}, 1],
    ["other apps", { apps: ["app-2"] }, {}, 0],
    ["one of its topics", { topics: ["ads", "crash"] }, { topics: ["crash", "login"] }, 1],
    ["other topics", { topics: ["ads"] }, { topics: ["crash"] }, 0],
    ["topics, and a review that is not analysed", { topics: ["ads"] }, {}, 0],
    ["stars but not topics", { stars: [2], topics: ["ads"] }, { topics: ["crash"] }, 0],
    ["the event disabled", { events: ["review.updated"] }, {}, 0],
    ["another workspace", { workspaceId: "workspace-2" }, {}, 0],
  ])("with %s", (_what, filters, review, count) => {
    const changes = [created(aReview(review))];
    expect(countOf({ channels: [aChannel(filters)], changes })).toBe(count);
  });

  test.each([
    ["none", "2026-03-10T12:00:00Z", 0],
    ["fresh", "2026-03-08T12:00:00Z", 1],
    ["fresh", "2026-03-08T11:59:59Z", 0],
    ["all", "2010-01-01T00:00:00Z", 1],
    [{ since: new Date("2026-03-11T00:00:00Z") }, "2026-03-11T00:00:00Z", 1],
    [{ since: new Date("2026-03-11T00:00:00Z") }, "2026-03-10T23:59:59Z", 0],
    [{ since: new Date("2026-03-01T00:00:00Z") }, "2026-03-09T00:00:00Z", 0],
  ] as const)("announcing %o of a review from %s", (announce, date, count) => {
    expect(countOf({ announce, changes: [created(aReview({ date: new Date(date) }))] })).toBe(
      count,
    );
  });

  test("but not again when it was announced before", () => {
    const delivered = [{ channelId: "channel-1", reviewId: "review-1" }];
    expect(match({ delivered })).toEqual({ events: [], announced: [] });
  });

  test("of each workspace that follows the listing, with that workspace's app", () => {
    const other = { ...app, id: "app-2", workspaceId: "workspace-2" };
    const channels = [aChannel(), aChannel({ id: "channel-2", workspaceId: "workspace-2" })];
    const { events } = match({ channels, apps: [app, other] });
    expect(events.map(({ channel, app }) => [channel.id, app.id])).toEqual([
      ["channel-1", "app-1"],
      ["channel-2", "app-2"],
    ]);
  });
});

describe("an edit is an update for a channel", () => {
  const before = aReview({ rating: 1 });
  const after = aReview({ rating: 5 });
  const changes = [edited(before, after)];
  const delivered = [{ channelId: "channel-1", reviewId: "review-1" }];

  test("that got the review, whatever its filters say now and whatever is announced", () => {
    const channel = aChannel({ stars: [1], topics: ["ads"], apps: ["app-9"] });
    expect(match({ channels: [channel], changes, delivered, announce: "none" })).toEqual({
      events: [{ event: "review.updated", channel, app, review: after, before }],
      announced: [],
    });
  });

  test.each<[string, Parameters<typeof match>[0]]>([
    ["that never got it, even if it matches now", { delivered: [] }],
    [
      "that another channel's announcement does not speak for",
      {
        delivered: [{ channelId: "channel-2", reviewId: "review-1" }],
      },
    ],
    ["with that event disabled", { channels: [aChannel({ events: ["review.created"] })] }],
    ["whose workspace no longer follows the app", { apps: [] }],
    [
      "when nothing that counts has changed",
      {
        changes: [
          { kind: "restated", before, after: before },
          { kind: "unchanged", before, after: before },
        ],
      },
    ],
  ])("not for one %s", (_what, given) => {
    expect(match({ changes, delivered, ...given })).toEqual({ events: [], announced: [] });
  });
});
