import { describe, expect, test } from "vitest";
import { aChannel } from "../../test/support/factories.ts";
import type { Channel } from "../domain/channel/channel.ts";
import type { App } from "../domain/feed/listing.ts";
import type { Review, ReviewChange } from "../domain/review/review.ts";
import { type NotifyPolicy, shouldNotify } from "../ingest/notify-policy.ts";
import { matchReviews } from "./match-reviews.ts";
import { sampleReview } from "./sample.ts";

const addedAt = new Date("2026-03-10T12:00:00Z");
const regions = { store: "appstore", countries: ["us"], languages: ["en"] } as const;
const app = { id: "app-1", workspaceId: "workspace-1", addedAt, ...regions } as unknown as App;

function channelOf(overrides: Partial<Channel> = {}): Channel {
  return aChannel({
    id: "channel-1",
    workspaceId: "workspace-1",
    createdAt: addedAt,
    ...overrides,
  });
}

function reviewOf(overrides: Partial<Review> & { topics?: string[] } = {}): Review {
  const { topics, ...rest } = overrides;
  const analysis = topics ? { language: "en", sentiment: null, topics, version: 1 } : null;
  return {
    ...sampleReview(addedAt),
    languageHint: null,
    id: "review-1",
    rating: 2,
    analysis,
    ...rest,
  };
}

const created = (review: Review): ReviewChange => ({ kind: "new", before: null, after: review });
const edited = (before: Review, after: Review): ReviewChange => ({ kind: "edited", before, after });

type MatchInput = Partial<Parameters<typeof matchReviews>[0]> & { policy?: NotifyPolicy };

function match({ policy = { kind: "recent" }, ...overrides }: MatchInput) {
  return matchReviews({
    listing: { workspaceId: null },
    channels: [channelOf()],
    apps: [app],
    changes: [created(reviewOf())],
    notified: [],
    shouldNotify: (candidate) => shouldNotify(policy, candidate),
    ...overrides,
  });
}

describe("of a public listing", () => {
  const jp = created(reviewOf({ country: "jp" }));

  test("a workspace gets events of the storefronts that it follows, whatever others follow", () => {
    const other = { ...app, id: "app-2", workspaceId: "workspace-2", countries: ["us", "jp"] };
    const channels = [channelOf(), channelOf({ id: "channel-2", workspaceId: "workspace-2" })];
    const events = match({ channels, apps: [app, other], changes: [jp] });
    expect(events.map(({ channel }) => channel.id)).toEqual(["channel-2"]);
  });

  test("a workspace hears no edits from a storefront that it no longer follows", () => {
    const before = reviewOf({ country: "jp" });
    const changes = [edited(before, { ...before, text: "Another text." })];
    const notified = [{ channelId: "channel-1", reviewId: before.id }];
    expect(match({ changes, notified })).toEqual([]);
    const followed = { ...app, countries: ["jp"] };
    expect(match({ changes, notified, apps: [followed] })).toHaveLength(1);
  });

  test("Google Play is followed by language", () => {
    const apps = [{ ...app, store: "googleplay" as const, languages: ["pt-BR"] }];
    const inLanguage = (languageHint: string) =>
      match({ apps, changes: [created(reviewOf({ languageHint, country: "en" }))] }).length;
    expect([inLanguage("pt"), inLanguage("en")]).toEqual([1, 0]);
  });

  test("a private listing is announced as a whole", () => {
    const listing = { workspaceId: "workspace-1" };
    expect(match({ listing, changes: [jp] })).toHaveLength(1);
  });
});

const countOf = (input: MatchInput): number => match(input).length;

describe("a new review is created for a channel", () => {
  test("once", () => {
    const review = reviewOf();
    expect(match({ changes: [created(review)] })).toEqual([
      { event: "review.created", channel: channelOf(), app, review, topics: [] },
    ]);
  });

  test.each<[string, Partial<Channel>, Parameters<typeof reviewOf>[0], number]>([
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
    const changes = [created(reviewOf(review))];
    expect(countOf({ channels: [channelOf(filters)], changes })).toBe(count);
  });

  test("but not again when it was announced before", () => {
    const notified = [{ channelId: "channel-1", reviewId: "review-1" }];
    expect(match({ notified })).toEqual([]);
  });

  test("of each workspace that follows the listing, with that workspace's app", () => {
    const other = { ...app, id: "app-2", workspaceId: "workspace-2" };
    const channels = [channelOf(), channelOf({ id: "channel-2", workspaceId: "workspace-2" })];
    const events = match({ channels, apps: [app, other] });
    expect(events.map(({ channel, app }) => [channel.id, app.id])).toEqual([
      ["channel-1", "app-1"],
      ["channel-2", "app-2"],
    ]);
  });
});

test("a topic of the workspace's own counts like one that every workspace has", () => {
  const channels = [channelOf({ topics: ["sleep_timer"] })];
  expect(countOf({ channels })).toBe(0);
  expect(match({ channels, labelsOf: () => ["sleep_timer"] })).toMatchObject([
    { topics: ["sleep_timer"] },
  ]);
});

describe("an edit is an update for a channel", () => {
  const before = reviewOf({ rating: 1 });
  const after = reviewOf({ rating: 5 });
  const changes = [edited(before, after)];
  const notified = [{ channelId: "channel-1", reviewId: "review-1" }];

  test("that got the review, whatever its filters say now, except of an import of history", () => {
    const channel = channelOf({ stars: [1], topics: ["ads"], apps: ["app-9"] });
    const channels = [channel];
    expect(match({ channels, changes, notified, policy: { kind: "recent" } })).toEqual([
      { event: "review.updated", channel, app, review: after, topics: [], before },
    ]);
    expect(match({ channels, changes, notified, policy: { kind: "never" } })).toEqual([]);
  });

  test.each<[string, MatchInput]>([
    ["that never got it, even if it matches now", { notified: [] }],
    [
      "that only another channel got",
      {
        notified: [{ channelId: "channel-2", reviewId: "review-1" }],
      },
    ],
    ["with that event disabled", { channels: [channelOf({ events: ["review.created"] })] }],
    ["whose workspace no longer follows the app", { apps: [] }],
    [
      "when nothing that counts has changed",
      {
        changes: [
          { kind: "metadata_changed", before, after: before },
          { kind: "unchanged", before, after: before },
        ],
      },
    ],
  ])("not for one %s", (_what, input) => {
    expect(match({ changes, notified, ...input })).toEqual([]);
  });
});

test("a channel with digests gets no event of a single review, new or edited", () => {
  const channels = [channelOf({ digest: "daily" })];
  expect(match({ channels })).toEqual([]);
  const before = reviewOf();
  const changes = [edited(before, { ...before, text: "Another text." })];
  const notified = [{ channelId: "channel-1", reviewId: before.id }];
  expect(match({ channels, changes, notified })).toEqual([]);
});
